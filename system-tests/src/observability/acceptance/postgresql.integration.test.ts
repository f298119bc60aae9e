// SPDX-License-Identifier: Apache-2.0
/** PostgreSQL from end to end: tables of one as the source, another database of it as the store of the metadata. */
import { missingPostgres, temporaryDirectory, temporaryPostgres } from '@sextant/foundation-testing';
import pg from 'pg';
import { expect, test } from 'vitest';
import { assertRefused, wire } from '../contract/wire.ts';
import { logIn } from '../observability-api.ts';
import { ADMIN, adminApi, startObservabilityServer } from '../observability-server.ts';
import { createAsset, scanned } from '../scanning.ts';

const missing = missingPostgres();
const ORDERS = 5000;

test.skipIf(missing !== undefined)(
  `a table is scanned where it is, and the metadata survive in PostgreSQL (${missing ?? 'installed'})`,
  async () => {
    await using directory = await temporaryDirectory();
    await using postgres = await temporaryPostgres();
    const [sourceUrl, databaseUrl] = [await postgres.createDatabase('shop'), await postgres.createDatabase('metadata')];
    await fill(sourceUrl);
    const environment = { DATABASE_URL: databaseUrl, OBSERVABILITY_ALLOW_PRIVATE_NETWORKS: 'true' };
    const start = () => startObservabilityServer({ directory: directory.path, environment });
    let jobId: string;
    let assetId: string;
    {
      await using server = await start();
      const api = await adminApi(server);
      const { id } = await api.call(
        'create_connection',
        {},
        {
          body: {
            name: 'shop',
            type: 'POSTGRESQL',
            payload: { host: postgres.host, port: postgres.port, database: 'shop', ssl: false },
            credential: { type: 'SIMPLE', payload: { username: postgres.user, password: postgres.password } },
          },
        },
      );
      expect(await api.call('test_connection', { connection_id: id })).toMatchObject({ success: true });
      expect((await api.call('list_connection_items', { connection_id: id })).map(({ payload }) => payload)).toContainEqual({
        schema: 'public',
        table: 'orders',
      });
      const admin = wire(server, await logIn(server.client, ADMIN));
      const gone = { name: 'gone', type: 'POSTGRESQL', connection_id: id, payload: { schema: 'public', table: 'gone' } };
      const assets = '/api/backend/default/configuration/projects/0/assets';
      assertRefused(await admin.post(assets, gone), 400, /there is no such table: .*gone/);
      const asset = await createAsset(api, {
        name: 'orders',
        type: 'POSTGRESQL',
        connection_id: id,
        payload: { schema: 'public', table: 'orders' },
        options: { id_attributes: ['id'], segments: { country: ['DE'] } },
      });
      expect(asset.attributes?.map(({ name, data_type }) => [name, data_type])).toEqual([
        ['id', 'INTEGER'],
        ['country', 'STRING'],
        ['total', 'DECIMAL'],
        ['note', 'STRING'],
      ]);
      const rule = {
        type: 'RULE',
        name: 'positive',
        enabled: true,
        threshold: { threshold_type: 'ML' },
        monitor: { expression: 'VALIDATE total EXPECT NUMERIC_VALUE > 0' },
      } as const;
      const monitor = await api.call('create_monitor', { asset_id: asset.id }, { body: rule });
      const { job, found } = await scanned(api, asset.id);
      expect(found.value('RECORD_COUNT')).toBe(ORDERS);
      expect(found.value('RECORD_COUNT', { segment: 'country=DE' })).toBe(ORDERS / 4);
      expect(found.value('COMPLETENESS', { attribute: 'note' })).toBe(90);
      expect(found.value('DISTINCT_COUNT', { attribute: 'country' })).toBe(4);
      expect(found.value('UNIQUENESS')).toBe(100);
      expect(found.value('MEAN', { attribute: 'total' })).toBeCloseTo((ORDERS - 1) / 2, 6);
      expect(found.value('CORRECTNESS', { attribute: 'total', monitorId: monitor.id })).toBeCloseTo((100 * (ORDERS - 1)) / ORDERS, 9);
      expect(await api.call('list_samples', { job_id: job.id })).toMatchObject([{ monitor_id: monitor.id, record_id: '0' }]);
      const view = { name: 'sales', type: 'POSTGRESQL', connection_id: id, payload: { schema: 'public', table: 'sales' } } as const;
      const { id: salesId } = await createAsset(api, view);
      await scanned(api, salesId);
      expect(await api.call('get_column_lineage', { asset_id: salesId })).toEqual({
        columns: [
          { attribute: 'country', origin: 'VIEW', sources: [{ asset_id: asset.id, attribute: 'country' }] },
          { attribute: 'sum', origin: 'VIEW', sources: [{ asset_id: asset.id, attribute: 'total' }] },
        ],
      });
      [jobId, assetId] = [job.id, asset.id];
      await server.kill();
    }
    await using again = await start();
    const api = await adminApi(again);
    expect(await api.call('get_job', { job_id: jobId })).toMatchObject({ status: 'FINISHED' });
    expect((await scanned(api, assetId)).found.value('RECORD_COUNT')).toBe(ORDERS);
    await again.stop();
  },
);

/** Orders of four countries; every tenth without a note, the first without a price. */
async function fill(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('CREATE TABLE orders (id integer PRIMARY KEY, country text NOT NULL, total numeric(10, 2), note text)');
    await client.query(`
      INSERT INTO orders SELECT n, (ARRAY['DE', 'FR', 'CH', 'AT'])[1 + n % 4], n, CASE WHEN n % 10 = 0 THEN NULL ELSE 'note ' || n END
      FROM generate_series(0, ${ORDERS - 1}) AS n`);
    await client.query('CREATE VIEW sales AS SELECT lower(country) AS country, sum(total * 2), count(*) AS n FROM orders GROUP BY country');
  } finally {
    await client.end();
  }
}
