// SPDX-License-Identifier: Apache-2.0
/** What a migration that adds pre-built monitors does to the assets that there are. */
import { randomBytes } from 'node:crypto';
import { manualClock } from '@sextant/foundation-std';
import { missingPostgres, temporaryDirectory, temporaryPostgres } from '@sextant/foundation-testing';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openMetadata } from '../../metadata.ts';
import { MIGRATIONS, type Migration, migrate } from '../migration.ts';
import { type MetadataLocation, openDatabase } from '../open-database.ts';

type AddedMonitors = {
  readonly migration: Migration;
  /** Of the monitor that somebody made before. */
  readonly position: number;
  /** What the asset has in the end, in order, before that monitor. */
  readonly monitors: readonly object[];
};

export function addsMonitorsConformance(added: AddedMonitors): void {
  test('assets of before have the added monitors, in front of those that people made', async () => {
    await using directory = await temporaryDirectory();
    await expectAdded(added, { directory: directory.path });
  });

  test.skipIf(missingPostgres() !== undefined)('in PostgreSQL, too', async () => {
    await using server = await temporaryPostgres();
    await expectAdded(added, { databaseUrl: server.databaseUrl });
  });
}

async function expectAdded({ migration, position, monitors }: AddedMonitors, location: MetadataLocation): Promise<void> {
  const database = openDatabase(location);
  await migrate(database, MIGRATIONS.slice(0, MIGRATIONS.indexOf(migration)));
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
      values ('acme', 'orders', '1', ${position}, 0, 'PREDEFINED_METRIC', 'mine', 1, '{"predefined_metric":"RECORD_COUNT","attributes":[]}', '${threshold}', 'ada', 0, 'ada', 0)`,
  );
  await database.kysely.destroy();

  await using metadata = await openMetadata(location, { clock: manualClock(1000), randomBytes, encryptionKey: new Uint8Array(32) });
  expect(await metadata.forTenant('acme').monitors.list('orders')).toMatchObject([...monitors, { id: '1', name: 'mine' }]);
}
