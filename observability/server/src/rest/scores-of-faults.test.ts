// SPDX-License-Identifier: Apache-2.0
/** What deliveries at fault score, which were said to be excellent once: none of them may be. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CurrentScore } from '@sextant/contracts-observability';
import { type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../testing/test-service.ts';

const BACKEND = '/api/backend/default';
const GOOD = 'id,city,age\n1,Rome,3\n2,Oslo,4\n';
const EXCELLENT = { score: 100, band: 'excellent', cap: null };

let directory: TemporaryDirectory;
let service: TestService;
let admin: { readonly [name: string]: string };
let connection_id: number;

beforeAll(async () => {
  directory = await temporaryDirectory();
  service = await testService({ environment: { OBSERVABILITY_ALLOWED_DIRECTORIES: directory.path } });
  admin = await service.login();
  const local = { name: 'local', type: 'FILE', payload: { directory: directory.path } };
  ({ id: connection_id } = await call<{ id: number }>('POST', `${BACKEND}/configuration/connections`, local));
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

async function call<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const reply = await service.call(method, path, body, admin);
  expect([path, reply]).toMatchObject([path, { status: 200 }]);
  return reply.body as Body;
}

/** A file of that name with all its attributes monitored, scanned once and excellent. */
async function excellentAsset(name: string, text = GOOD): Promise<string> {
  await deliver(name, text);
  const asset = { name, type: 'FILE', connection_id, payload: { path: `${name}.csv` } };
  const { id } = await call<{ id: string }>('POST', `${BACKEND}/configuration/projects/0/assets`, asset);
  await call('PUT', `${BACKEND}/configuration/assets/${id}/attributes`, { all: true });
  expect(await scanned(id)).toMatchObject(EXCELLENT);
  return id;
}

function deliver(name: string, text: string): Promise<void> {
  return writeFile(join(directory.path, `${name}.csv`), text);
}

async function scanned(id: string): Promise<CurrentScore> {
  const { job_id } = await call<{ job_id: string }>('POST', `/default/assets/${id}/batch_data`);
  expect(await service.untilEnded(job_id, admin)).toMatchObject({ status: 'FINISHED' });
  return score(id);
}

const score = (id: string) => call<CurrentScore>('GET', `${BACKEND}/assets/${id}/dq_score`);
const partOf = ({ parts }: CurrentScore, wanted: string) => parts.find(({ dimension }) => dimension === wanted)?.value;

/** Opens an incident of high severity past the monitors, as they would. */
async function openIncident(asset_id: string, alert_policy_id: string, attribute: string | null): Promise<number> {
  await using store = await service.openStore();
  const time = new Date().toISOString();
  const of = { display_metric_name: 'Completeness', segment: null, rule: null, attribute };
  const { id } = await store.forTenant('default').incidents.open({
    asset_id,
    alert_policy_id,
    alert_policy_name: alert_policy_id,
    last_upload_timestamp: time,
    created_time: time,
    severity: 'HIGH',
    impact: '',
    description: '',
    tags: [],
    metrics: [{ metric_name: 'COMPLETENESS', metric_aggregation: 'ratio', ...of }],
    history: { timestamp: time, state: 'NEW', alert_refs: [] },
  });
  return id;
}

test('a delivery without a byte is incomplete, and capped by the columns that have gone', async () => {
  const id = await excellentAsset('void');
  await deliver('void', '');
  const now = await scanned(id);
  expect(partOf(now, 'completeness')).toBe(0);
  expect(now.cap).toMatchObject({ score: 50, sentence: expect.stringContaining('affects 100 % of the asset') });
  expect(now.score).toBeLessThanOrEqual(50);
});

test('a delivery of which every column has another name is poor, however full the new ones are', async () => {
  const id = await excellentAsset('renamed');
  await deliver('renamed', GOOD.replace('id,city,age', 'key,town,years'));
  const now = await scanned(id);
  expect(now.cap).toMatchObject({ score: 50, sentence: expect.stringContaining('affects 100 % of the asset') });
  expect([now.score, now.band]).toEqual([50, 'poor']);
});

describe('five open incidents of high severity', () => {
  const POLICIES = ['COMPLETENESS_DRIFTS', 'UNIQUENESS_DRIFTS', 'DATA_DRIFTS', 'TOP_VALUES_DRIFTS', 'VALUE_DISTRIBUTION_DRIFTS'];

  test.each([
    // Five times a third of the weight 10, of the 20 at which consistency is 0; the cap is a third of the way from 89 to 50.
    ['of one of three columns', 'city', 100 * (1 - 50 / 3 / 20), 76],
    ['of the whole asset', null, 0, 50],
  ])('%s are not excellent', async (what, attribute, consistency, most) => {
    const id = await excellentAsset(`burdened-${attribute}`);
    const ids: number[] = [];
    for (const policy of POLICIES) ids.push(await openIncident(id, policy, attribute));
    const now = await score(id);
    expect([what, partOf(now, 'consistency')]).toEqual([what, expect.closeTo(consistency, 8)]);
    expect(now.cap).toMatchObject({ score: most, incident_id: ids[0] });
    expect(now.score).toBeCloseTo(Math.min(most, (200 + consistency) / 3), 8);
    expect(now.band).not.toBe('excellent');
  });
});
