// SPDX-License-Identifier: Apache-2.0
/** Over HTTP, with a real Spark at an address: a scan comes to a verdict, shows how far it is, and ends when a person cancels it. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Job } from '@sextant/contracts-observability';
import { systemClock } from '@sextant/foundation-std';
import { isLongRun, type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { missingSpark, openSparkForTests, sharedSpark, sparkHome } from '@sextant/observability-connectors/spark-for-tests';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../testing/test-service.ts';

const PROJECT = '/api/backend/default/configuration/projects/0';
/** On a machine with other work Java takes minutes to start. */
const START_TIMEOUT_MS = 600_000;
const ROWS = 'SELECT id, IF(id = 3, -1, id) AS amount FROM range(10)';
/** It is measured for hours. */
const ENDLESS = 'SELECT id, sha2(CAST(id AS STRING), 512) AS text FROM range(100000000000)';
const VIEW = 'without_end';

const missing = missingSpark();
let directory: TemporaryDirectory;
let spark: Awaited<ReturnType<typeof openSparkForTests>>;
let service: TestService;
let headers: { readonly [name: string]: string };
let connectionId: number;

beforeAll(async () => {
  if (missing !== undefined) return;
  directory = await temporaryDirectory();
  const { host, port, token } = await sharedSpark();
  spark = await openSparkForTests(systemClock);
  await spark.query(`CREATE VIEW ${VIEW} AS ${ENDLESS}`);
  service = await testService({ environment: { OBSERVABILITY_ALLOW_PRIVATE_NETWORKS: 'true' } });
  headers = await service.login();
  const { id } = await post<{ id: number }>(`${PROJECT}/connections`, {
    name: 'lake',
    type: 'SPARK',
    payload: { host, port, ssl: false },
    credential: { type: 'TOKEN', payload: { token } },
  });
  connectionId = id;
}, START_TIMEOUT_MS);
afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  await spark?.query(`DROP VIEW IF EXISTS ${VIEW}`);
  await spark?.[Symbol.asyncDispose]();
  await directory?.[Symbol.asyncDispose]();
});

/** The answer has conformed to the document. */
async function post<Body>(path: string, body?: object): Promise<Body> {
  const reply = await service.call('POST', path, body, headers);
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
  return reply.body as Body;
}

async function get<Body>(path: string): Promise<Body> {
  const reply = await service.call('GET', path, undefined, headers);
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
  return reply.body as Body;
}

async function register(name: string, payload: object): Promise<string> {
  return (await post<{ id: string }>(`${PROJECT}/assets`, { name, type: 'SPARK', connection_id: connectionId, payload })).id;
}

async function start(assetId: string): Promise<string> {
  return (await post<{ job_id: string }>(`/api/data/default/assets/${assetId}/batch_data`)).job_id;
}

describe.skipIf(missing !== undefined)(
  missing === undefined ? 'a scan on Spark' : `a scan on Spark (skipped: ${missing})`,
  { timeout: START_TIMEOUT_MS },
  () => {
    test('comes to a verdict, and its job says that Spark measured', async () => {
      const path = join(directory.path, 'orders');
      await spark.query(`INSERT OVERWRITE DIRECTORY USING parquet OPTIONS (path '${path}') ${ROWS}`);
      const asset = await register('orders', { path, format: 'parquet' });
      await post(`/api/backend/default/configuration/assets/${asset}/monitors`, {
        type: 'RULE',
        name: 'amounts are not negative',
        enabled: true,
        threshold: { threshold_type: 'STATIC', threshold1: 99, threshold2: 100 },
        monitor: { expression: 'VALIDATE amount EXPECT NUMERIC_VALUE >= 0' },
      });
      const job = await service.untilEnded(await start(asset), headers);
      expect(job).toMatchObject({ status: 'FINISHED', details: expect.stringContaining('10 records scanned') });
      expect(job.details).toContain('Scanned by Spark, where the data are.');
      const incidents = await get<readonly object[]>(`/api/backend/default/incidents?asset_ids=${asset}&statuses=OPEN`);
      expect(incidents).toMatchObject([{ alert_policy_name: expect.stringContaining('amounts are not negative') }]);
      const samples = await get<readonly object[]>(`/api/backend/default/jobs/${job.id}/samples`);
      expect(JSON.stringify(samples)).toContain('-1');
    });

    test('shows how far it is, and a person who cancels it ends what runs at Spark', async () => {
      const job = await start(await register('endless', { table: VIEW }));
      const path = `/api/backend/default/jobs/${job}`;
      await expect
        .poll(async () => (await get<Job>(path)).details, { timeout: START_TIMEOUT_MS })
        .toMatch(/^Spark runs a statement: \d+ of \d+ tasks in \d+ stages?/);
      await post(`${path}/cancel`);
      expect(await service.untilEnded(job, headers)).toMatchObject({ status: 'FAILED', details: expect.stringContaining('cancelled') });
      // There is one thread: it would wait for ever behind a statement that goes on.
      expect(await spark.query('SELECT count(*) FROM range(10)')).toEqual([[10n]]);
    });

    // It starts a second Spark, which takes the processor time of many tests.
    test.skipIf(!isLongRun())('of a large file runs on the Spark that the service starts, and finds what the service finds', async () => {
      const path = join(directory.path, 'large');
      await spark.query(`INSERT OVERWRITE DIRECTORY USING parquet OPTIONS (path '${path}') ${ROWS}`);
      const [file = ''] = (await readdir(path)).filter((name) => name.endsWith('.parquet'));
      await using second = await testService({
        environment: {
          OBSERVABILITY_ALLOWED_DIRECTORIES: path,
          OBSERVABILITY_SPARK_FROM_BYTES: '100',
          OBSERVABILITY_SPARK_MEMORY_MB: '700',
          SPARK_HOME: sparkHome() ?? '',
        },
      });
      const admin = await second.login();
      const made = async (where: string, body?: object) => {
        const reply = await second.call('POST', where, body, admin);
        expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
        // The answer has conformed to the document.
        return reply.body as { readonly id: number | string; readonly job_id: string };
      };
      const files = await made(`${PROJECT}/connections`, { name: 'files', type: 'FILE', payload: { directory: path } });
      const asset = await made(`${PROJECT}/assets`, { name: file, type: 'FILE', connection_id: files.id, payload: { path: file } });
      const scanned = async () => {
        const { job_id } = await made(`/api/data/default/assets/${asset.id}/batch_data`);
        const { status, details } = await second.untilEnded(job_id, admin);
        return { status, details };
      };
      const [own, spoken] = [
        await scanned(),
        / Scanned by Spark \(connection lake\): \d+ bytes are more than the limit of 100 above which Spark scans files\./,
      ];
      await made(`${PROJECT}/connections`, { name: 'lake', type: 'SPARK', payload: { local: true } });
      const there = await scanned();
      expect(there.details).toMatch(spoken);
      expect({ ...there, details: there.details.replace(spoken, '') }).toEqual(own);
    });
  },
);
