import { randomBytes } from 'node:crypto';
import { manualClock } from '@sextant/foundation-std';
import { missingPostgres, temporaryDirectory, temporaryPostgres } from '@sextant/foundation-testing';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openMetadata } from '../../metadata.ts';
import { MIGRATIONS, migrate } from '../migration.ts';
import { type MetadataLocation, openDatabase } from '../open-database.ts';
import { vectorMonitors } from './0013-vector-monitors.ts';

/** Version of the schema that the test starts from: the one before the monitors. */
const BEFORE = MIGRATIONS.indexOf(vectorMonitors);

test('assets of before have the monitors of vectors and of their index, in front of those that people made', async () => {
  await using directory = await temporaryDirectory();
  await addsMonitors({ directory: directory.path });
});

test.skipIf(missingPostgres() !== undefined)('in PostgreSQL, too', async () => {
  await using server = await temporaryPostgres();
  await addsMonitors({ databaseUrl: server.databaseUrl });
});

async function addsMonitors(location: MetadataLocation): Promise<void> {
  const database = openDatabase(location);
  await migrate(database, MIGRATIONS.slice(0, BEFORE));
  const insert = (statement: string) => sql.raw(statement).execute(database.kysely);
  await insert("insert into tenants (id, name, created_ms) values ('acme', 'Acme', 0)");
  await insert("insert into projects (tenant_id, id, name, created_by, created_ms) values ('acme', 7, 'Shop', 'ada', 0)");
  await insert(
    `insert into assets (tenant_id, id, project_id, name, name_key, type, options, payload, tags, created_by, created_ms)
      values ('acme', 'orders', 7, 'orders', 'orders', 'UPLOAD', '{}', '{}', '[]', 'ada', 0)`,
  );
  const threshold = '{"threshold_type":"STATIC","threshold1":1,"threshold2":2,"extrapolation_strategy":"IGNORE","history_limit":0}';
  await insert(
    `insert into monitors (tenant_id, asset_id, id, position, is_prebuilt, type, name, is_enabled, definition, threshold, created_by, created_ms, modified_by, modified_ms)
      values ('acme', 'orders', '1', 18, 0, 'PREDEFINED_METRIC', 'mine', 1, '{"predefined_metric":"RECORD_COUNT","attributes":[]}', '${threshold}', 'ada', 0, 'ada', 0)`,
  );
  await database.kysely.destroy();

  await using metadata = await openMetadata(location, { clock: manualClock(1000), randomBytes, encryptionKey: new Uint8Array(32) });
  expect(await metadata.forTenant('acme').monitors.list('orders')).toMatchObject([
    { id: 'VECTOR_DRIFTS', name: 'Vector drifts', enabled: true, threshold: { threshold_type: 'ML', threshold1: null, threshold2: null } },
    { id: 'SEARCH_RECALL_DRIFTS', name: 'Search recall drifts', enabled: true, threshold: { threshold_type: 'ML' } },
    { id: '1', name: 'mine' },
  ]);
}
