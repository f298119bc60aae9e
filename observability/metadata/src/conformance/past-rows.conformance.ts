// SPDX-License-Identifier: Apache-2.0
/** Removal of what is old: all of it, of this tenant alone, and by indexes, however much there is that stays. */
import { randomBytes } from 'node:crypto';
import type { Insertable } from 'kysely';
import { expect, test } from 'vitest';
import { credentialCipher } from '../database/credential-cipher.ts';
import { openDatabase } from '../database/open-database.ts';
import type { Schema } from '../database/schema.ts';
import { insertAll, type TenantScope, tenantScope } from '../database/scope.ts';
import { toMs } from '../database/values.ts';
import { dqScoreStore } from '../tenant/dq-scores.ts';
import { metricPointStore } from '../tenant/metric-points.ts';
import type { Fixture } from './engines.conformance.ts';
import { looksInto, QueryRecorder } from './query-plans.conformance.ts';
import { ASSET, ENCRYPTION_KEY, POINT } from './samples.conformance.ts';

/** Together more points of two days than one statement removes; PostgreSQL, which writes them slowly, counts to the same number. */
const POINTS = { ofSqlite: 220, ofPostgresql: 20 };
const ASSETS = 12;
const POINTS_OF_OTHERS = 4;
const DAYS = ['2024-01-01T00:00:00.000Z', '2024-01-02T00:00:00.000Z', '2024-01-03T00:00:00.000Z'] as const;

export function pastRowsSuite(fixture: Fixture): void {
  test('points and scores from before a time are removed in batches, each found by an index that begins with the asset', async () => {
    await using database = opened(fixture);
    const isPostgresql = 'databaseUrl' in fixture.location();
    const count = isPostgresql ? POINTS.ofPostgresql : POINTS.ofSqlite;
    const own = await filledTenant(fixture, database.kysely, count);
    const other = await filledTenant(fixture, database.kysely, POINTS_OF_OTHERS);
    const recorder = new QueryRecorder();
    const scope = { ...own.scope(database), db: database.kysely.withPlugin(recorder) };
    const points = metricPointStore(scope);
    const scores = dqScoreStore(scope);

    expect(await points.deleteBefore(DAYS[2])).toBe(ASSETS * count * 2);
    expect(await scores.deleteBefore(DAYS[2])).toBe(ASSETS * 2);
    expect([await points.deleteBefore(DAYS[2]), await scores.deleteBefore(DAYS[2])]).toEqual([0, 0]);
    expect(await rowsOf(database.kysely, own.tenantId)).toEqual([ASSETS * count, ASSETS]);
    expect(await rowsOf(database.kysely, other.tenantId)).toEqual([ASSETS * POINTS_OF_OTHERS * 3, ASSETS * 3]);

    // Which index PostgreSQL takes to remove rows of nearly all assets of a tenant as small as this one says nothing of large ones.
    const judged = recorder.compiled(database.kysely).filter(({ sql: text }) => !isPostgresql || text.includes('min('));
    expect(judged.length).toBeGreaterThanOrEqual(4);
    for (const query of judged) {
      const looks = await looksInto(database.kysely, query, { tables: ['past', 'metric_points', 'dq_scores'], isPostgresql });
      expect(looks, query.sql).not.toEqual([]);
      for (const look of looks) expect(look).toMatch(/asset_id ?=|job_id ?=/);
    }
  });
}

function opened(fixture: Fixture) {
  const database = openDatabase(fixture.location());
  return { ...database, [Symbol.asyncDispose]: () => database.kysely.destroy() };
}

async function rowsOf(kysely: TenantScope['database']['kysely'], tenantId: string): Promise<readonly number[]> {
  const count = async (table: 'metric_points' | 'dq_scores') => {
    const query = kysely.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('count'));
    return Number((await query.where(`${table}.tenant_id`, '=', tenantId).executeTakeFirstOrThrow()).count);
  };
  return [await count('metric_points'), await count('dq_scores')];
}

async function filledTenant(fixture: Fixture, kysely: TenantScope['database']['kysely'], pointsOfJob: number) {
  const { tenantId, assets, jobs } = await fixture.tenant();
  const { clock } = fixture;
  const points: Insertable<Schema['metric_points']>[] = [];
  const scores: Schema['dq_scores'][] = [];
  for (let asset = 0; asset < ASSETS; asset += 1) {
    const { id: asset_id } = await assets.create({ ...ASSET, name: `table ${asset}` });
    for (const day of DAYS) {
      const { id: job_id } = await jobs.enqueue({ asset_id, request: {}, whenBusy: 'wait' });
      const row = { tenant_id: tenantId, job_id, asset_id, metric_ms: toMs(day) };
      scores.push({ ...row, score: 1, parts: '[]' });
      for (let position = 0; position < pointsOfJob; position += 1)
        points.push({ ...row, ...NOTHING_SAID, position, ...SERIES, attribute: `column ${position}` });
    }
  }
  await insertAll(kysely, 'metric_points', points);
  await insertAll(kysely, 'dq_scores', scores);
  const cipher = credentialCipher(ENCRYPTION_KEY);
  return {
    tenantId,
    scope: (database: TenantScope['database']) => tenantScope({ database, db: database.kysely, clock, randomBytes, cipher }, tenantId),
  };
}

const { metric_name, metric_aggregation, segment, monitor_id } = POINT;
const SERIES = { metric_name, metric_aggregation, segment, monitor_id };
const NOTHING_SAID = {
  value: 1,
  is_violation: 0,
  is_excluded: 0,
  is_expected: 0,
} as const;
