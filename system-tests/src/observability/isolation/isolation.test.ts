// SPDX-License-Identifier: Apache-2.0
/**
 * Two tenants with the same names everywhere. One of them walks at random over the API, with its own ids and the other's, on its own paths
 * and the other's: no answer holds the marker of the other tenant, and nothing of the other tenant is different afterwards.
 */

import { endpoints, type OperationId } from '@sextant/contracts-observability';
import { roundsOf, withSeed } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { sharedServiceUnderTest } from '../contract/service-under-test.ts';
import { observabilityApi } from '../observability-api.ts';
import { PLATFORM_TOKEN } from '../observability-server.ts';
import { type SeededTenant, seedTenant } from './seeded-tenant.ts';
import { drawStep, OPERATIONS, type Step, take } from './walk.ts';

const STEPS = roundsOf({ quick: 150, long: 15_000 });
const PASSWORD = 'Correct-Horse-44';

const { server } = await sharedServiceUnderTest();
const walker = await newTenant('walker', 'only-for-the-walker-5f0c');
const other = await newTenant('other', 'only-for-the-other-93ae');

test(`in ${STEPS} requests a tenant neither sees nor changes anything of another`, async () => {
  await withSeed(async (random) => {
    const before = await everythingOf(other);
    // Each read once: a short walk does not come by all of them.
    expect(JSON.stringify(await everythingOf(walker))).not.toContain(other.marker);
    const statuses = new Map<number, number>();
    for (let index = 0; index < STEPS; index++) {
      const tenant = random.integer(3) === 0 ? other.api.tenant : walker.api.tenant;
      const step = drawStep(random, { tenant, tenants: [walker, other] });
      const { status, body, headers } = await take(walker.api, step);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      expect(JSON.stringify([body, headers]), `${step.method} ${step.path}`).not.toContain(other.marker);
      if (tenant === other.api.tenant) expect(status, `${step.method} ${step.path}`).toBe(403);
      expect(status, `${step.method} ${step.path}: ${JSON.stringify(body)}`).toBeLessThan(500);
    }
    // A walk that only met refusals would prove nothing.
    expect(statuses.get(200)).toBeGreaterThan(STEPS / 10);
    expect(await everythingOf(other)).toEqual(before);
  });
});

test('the marker is there to be seen: its own tenant meets it on every read that shows text', async () => {
  const shown = (await everythingOf(other))
    .filter(([, body]) => JSON.stringify(body).includes(other.marker))
    .map(([operation]) => operation);
  expect(new Set(shown)).toEqual(new Set(SHOWING));
});

const SHOWING: readonly OperationId[] = [
  'list_projects',
  'get_project',
  'list_connections',
  'get_connection',
  'list_project_connections',
  'get_project_connection',
  'list_assets',
  'list_project_assets',
  'get_asset',
  'list_attributes',
  'get_schedule',
  'list_uploads',
  'list_metrics',
  'get_dq_score_value',
  'list_dq_score_history',
  'list_metric_exclusions',
  'list_incidents',
  'get_incident',
  'incident_summary',
  'list_incident_comments',
  'incident_activity',
  'list_audit',
  'list_samples',
  'list_wrong_cells',
  'list_suggested_rules',
  'list_monitors',
  'list_tenant_monitors',
  'get_monitor',
  'list_ticket_templates',
  'get_ticket_template',
  'get_spark_job_config',
  'list_channels',
  'get_channel',
  'list_api_keys',
  'get_api_key',
  'list_users',
  'get_user',
];

async function newTenant(tenant: string, marker: string): Promise<SeededTenant> {
  const platform = observabilityApi(server.client, { tenant: '', headers: { authorization: `Bearer ${PLATFORM_TOKEN}` } });
  const user = { tenant, email: `admin@${tenant}.example`, password: PASSWORD };
  await platform.call('create_tenant', {}, { body: { id: tenant, name: marker, admin_email: user.email, admin_password: PASSWORD } });
  return seedTenant(server.client, user, marker);
}

/** Every read that a tenant can answer about itself, with each of its ids. */
async function everythingOf(seeded: SeededTenant): Promise<readonly (readonly [OperationId, unknown])[]> {
  const steps = OPERATIONS.filter((id) => endpoints[id].method === 'GET').flatMap((operation) => readsOf(operation, seeded));
  const answers: (readonly [OperationId, unknown])[] = [];
  for (const step of steps) answers.push([step.operation, (await take(seeded.api, step)).body]);
  return answers;
}

function readsOf(operation: OperationId, { api, ids }: SeededTenant): readonly Step[] {
  const { path } = endpoints[operation];
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).filter((name) => name !== 'tenant');
  const filled = names.reduce<readonly string[]>(
    (paths, name) => paths.flatMap((each) => (ids[name] ?? []).map((id) => each.replace(`{${name}}`, encodeURIComponent(id)))),
    [path.replace('{tenant}', api.tenant)],
  );
  const queries =
    operation === 'list_metrics' || operation === 'list_metric_exclusions' ? (ids.asset_id ?? []).map((id) => `?asset_id=${id}`) : [''];
  return filled.flatMap((each) => queries.map((query) => ({ operation, method: 'GET', path: each + query, body: undefined })));
}
