// SPDX-License-Identifier: Apache-2.0
/** Over HTTP: an Iceberg table is scanned as it is, at a version and at a time, by its path and by its name in a catalog. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@sextant/foundation-std';
import { type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { missingIceberg, openSparkForTests, startIcebergSpark } from '@sextant/observability-connectors/spark-for-tests';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../testing/test-service.ts';

const PROJECT = '/api/backend/default/configuration/projects/0';
const missing = missingIceberg();
const open = new AsyncDisposableStack();
let directory: TemporaryDirectory;
let spark: Awaited<ReturnType<typeof openSparkForTests>>;
let service: TestService;
let headers: { readonly [name: string]: string };
let connectionId: number;

beforeAll(async () => {
  if (missing !== undefined) return;
  directory = open.use(await temporaryDirectory());
  const own = join(directory.path, 'spark');
  await mkdir(own);
  const { address } = open.use(await startIcebergSpark({ directory: own, warehouse: join(directory.path, 'lake') }));
  spark = open.use(await openSparkForTests(systemClock, undefined, { address }));
  service = open.use(await testService({ environment: { OBSERVABILITY_ALLOW_PRIVATE_NETWORKS: 'true' } }));
  headers = await service.login();
  const { host, port, token } = address;
  const credential = { type: 'TOKEN', payload: { token } };
  const connection = { name: 'lake', type: 'SPARK', payload: { host, port, ssl: false }, credential };
  connectionId = (await post<{ id: number }>(`${PROJECT}/connections`, connection)).id;
});
afterAll(() => open.disposeAsync());

async function post<Body>(path: string, body?: object): Promise<Body> {
  const reply = await service.call('POST', path, body, headers);
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
  // The answer has conformed to the document.
  return reply.body as Body;
}

let assets = 0;

/** What a scan says of it. */
async function scanned(payload: object): Promise<string> {
  assets += 1;
  const asset = { name: `asset ${assets}`, type: 'SPARK', connection_id: connectionId, payload };
  const { id } = await post<{ id: string }>(`${PROJECT}/assets`, asset);
  const { job_id } = await post<{ job_id: string }>(`/api/data/default/assets/${id}/batch_data`);
  return (await service.untilEnded(job_id, headers)).details;
}

describe.skipIf(missing !== undefined)(missing === undefined ? 'an Iceberg table' : `an Iceberg table (skipped: ${missing})`, () => {
  test.each([
    ['sales', 'orders'],
    ["it's; of 2026", 'ord.ers'],
  ])('is scanned as it is, at a version and at a time, by its path and by its name: %s, %s', async (folder, name) => {
    const table = `lake.\`${folder}\`.\`${name}\``;
    await spark.query(`CREATE TABLE ${table} USING iceberg AS SELECT id, id / 2D AS half FROM range(3)`);
    await spark.query(`INSERT INTO ${table} SELECT id + 3, 0D FROM range(2)`);
    const written = await spark.query(
      `SELECT CAST(snapshot_id AS STRING), CAST(made_current_at AS STRING) FROM ${table}.history ORDER BY made_current_at`,
    );
    const [[first, at] = [], [second] = []] = written.map((row) => row.map(String));
    for (const place of [{ path: join(directory.path, 'lake', folder, name), format: 'iceberg' }, { table }]) {
      expect(await scanned(place)).toMatch(/^5 records scanned/);
      expect(await scanned({ ...place, version: first })).toMatch(/^3 records scanned/);
      expect(await scanned({ ...place, version: second })).toMatch(/^5 records scanned/);
      expect(await scanned({ ...place, timestamp: at })).toMatch(/^3 records scanned/);
    }
  });

  test('that is not there, or has no such version, is refused with a sentence', async () => {
    const register = async (payload: object) => {
      const asset = { name: 'nothing', type: 'SPARK', connection_id: connectionId, payload };
      return (await service.call('POST', `${PROJECT}/assets`, asset, headers)).text;
    };
    const nothing = join(directory.path, 'lake/nothing');
    expect(await register({ path: nothing, format: 'iceberg' })).toContain(`there is no Iceberg table at ${nothing}`);
    const orders = join(directory.path, 'lake/sales/orders');
    expect(await register({ path: orders, format: 'iceberg', version: 7 })).toMatch(/the asset cannot be read: .*7/);
  });
});
