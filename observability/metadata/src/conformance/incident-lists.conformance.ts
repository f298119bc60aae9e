// SPDX-License-Identifier: Apache-2.0
import type { IncidentFilter } from '@sextant/contracts-observability';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TenantMetadata } from '../metadata.ts';
import type { Fixture } from './engines.conformance.ts';
import { distributionOf, type ModelAsset, type ModelIncident, matching, summaryOf } from './incident-model.conformance.ts';
import { ASSET, CONNECTION, incidentOf, START_MS, USER } from './samples.conformance.ts';

const DAY_MS = 86_400_000;
const NAMES = ['Orders', 'ordErs 2', '100%', 'Zürich', 'ZÜRICH_x', "o'r", '\\'];
const SEVERITIES = ['LOW', 'MEDIUM', 'HIGH', ''] as const;
const USERS = ['ada@example.com', 'bob@example.com'] as const;
/** A user who is deleted before anything is asked. */
const GONE = 'gone@example.com';
const IMPACTS = ['LOW', 'MEDIUM', 'HIGH', null] as const;

/** Few values and round times, so that ties and bounds happen. */
const time = fc.integer({ min: -320, max: 0 }).map((quarters) => new Date(START_MS + (quarters * DAY_MS) / 4).toISOString());

const incident = fc.record({
  asset: fc.nat({ max: 4 }),
  created_time: time,
  resolvedAfterMs: fc.option(fc.integer({ min: 0, max: 20 * DAY_MS })),
  severity: fc.constantFrom(...SEVERITIES),
  impact: fc.constantFrom(...IMPACTS),
  assignee: fc.constantFrom(null, ...USERS, GONE),
  alert_policy_id: fc.constantFrom('SCHEMA_DRIFTS', '1', '2'),
  alert_policy_name: fc.constantFrom(...NAMES),
  tags: fc.array(fc.constantFrom('gold', 'Gold', 'core', ''), { maxLength: 3 }),
});

const some = <Value>(...values: Value[]) => fc.array(fc.constantFrom(...values), { maxLength: 3 });
const filter: fc.Arbitrary<IncidentFilter> = fc.record(
  {
    project_ids: some(0, 1, 9),
    connection_types: some('S3', 'GCS', 'UPLOAD'),
    connection_ids: some('1', '2', 'conn-1'),
    alert_policy_ids: some('SCHEMA_DRIFTS', '1', '9'),
    statuses: some('OPEN', 'CLOSED'),
    severities: some<string>(...SEVERITIES),
    impacts: some('LOW', 'HIGH', 'NONE'),
    assignees: some('nobody', ...USERS, GONE),
    tags: some('gold', 'core', 'none'),
    from_time: time,
    to_time: time,
    text_to_search: fc.constantFrom('', 'ORD', '%', '_', 'ü', 'Ü', "'", '\\', 'o%s', 'nothing'),
  },
  { requiredKeys: [] },
);

export function incidentListsSuite(fixture: Fixture, rounds: number): void {
  test('lists, distributions and summaries are those of the naive model', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(incident, { minLength: 1, maxLength: 25 }),
        fc.array(filter, { minLength: 1, maxLength: 12 }),
        fc.subarray([0, 1, 2, 3, 4]),
        async (given, filters, chosen) => {
          const own = await fixture.tenant();
          const assets = await makeAssets(own);
          const model = await write(fixture, own, assets, given);
          const asset_ids = chosen.map((index) => assets[index]?.id ?? '');
          for (const asked of [...filters, { asset_ids }]) {
            const found = matching(model, assets, asked);
            expect(await own.incidents.list(asked)).toEqual(found.map(({ closed_time: _closed, assignee: _assignee, ...shown }) => shown));
            expect((await own.incidents.list(asked, { limit: 3, offset: 2 })).map(({ id }) => id)).toEqual(
              found.slice(2, 5).map(({ id }) => id),
            );
            expect(await own.incidents.distribution(asked)).toEqual(distributionOf(found, asked));
          }
          expect(await own.incidents.summary()).toEqual(summaryOf(model, fixture.clock.nowMs()));
        },
      ),
      { numRuns: rounds },
    );
  });
}

async function makeAssets({
  projects,
  connections,
  assets,
}: TenantMetadata): Promise<readonly (ModelAsset & { readonly project_id: number })[]> {
  await projects.create({ name: 'second', description: null, created_by: 'ada' });
  for (const name of ['first', 'second']) await connections.create({ ...CONNECTION, name });
  const kinds = ['S3', 'S3', 'GCS', 'UPLOAD', 'GCS'] as const;
  const made = [];
  for (const [index, type] of kinds.entries()) {
    const connection_id = index % 3 === 0 ? null : index % 3;
    made.push(await assets.create({ ...ASSET, type, connection_id, name: NAMES[index] ?? 'x', project_id: index % 2 }));
  }
  return made;
}

async function write(
  { clock }: Fixture,
  { incidents, incidentCare, users }: TenantMetadata,
  assets: readonly (ModelAsset & { readonly project_id: number })[],
  given: readonly (typeof incident extends fc.Arbitrary<infer Value> ? Value : never)[],
): Promise<readonly ModelIncident[]> {
  const written: ModelIncident[] = [];
  const idOf = new Map<string | null, string>();
  for (const email of [...USERS, GONE]) idOf.set(email, (await users.create({ ...USER, email })).id);
  for (const { asset, resolvedAfterMs, assignee, ...wanted } of given) {
    const opened = await incidents.open(incidentOf(assets[asset]?.id ?? '', wanted));
    const closedMs = resolvedAfterMs === null ? Number.POSITIVE_INFINITY : Date.parse(wanted.created_time) + resolvedAfterMs;
    const closed_time = closedMs > clock.nowMs() ? null : new Date(closedMs).toISOString();
    if (closed_time !== null) await incidents.advance(opened.id, { timestamp: closed_time, state: 'RESOLVED', alert_refs: [] });
    const { metrics: _metrics, history: _history, ...listed } = await incidents.get(opened.id);
    const status = closed_time === null ? 'OPEN' : 'CLOSED';
    expect(listed).toMatchObject({ ...wanted, impact: wanted.impact ?? '', project_id: assets[asset]?.project_id, status });
    await incidentCare.assign(opened.id, { userId: idOf.get(assignee) ?? null, actor: 'ada' });
    written.push({ ...listed, closed_time, assignee: assignee === GONE ? null : assignee });
  }
  await users.delete(idOf.get(GONE) ?? '');
  return written;
}
