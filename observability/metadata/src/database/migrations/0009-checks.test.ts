// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from 'node:crypto';
import { manualClock } from '@sextant/foundation-std';
import { missingPostgres, temporaryDirectory, temporaryPostgres } from '@sextant/foundation-testing';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openMetadata } from '../../metadata.ts';
import { MIGRATIONS, migrate } from '../migration.ts';
import { type MetadataLocation, openDatabase } from '../open-database.ts';

const BEFORE = 8;
const NOW = '2026-01-01T00:00:00.000Z';

test('scans and incidents of before have no counts and are violations, and what compares with nothing is off', async () => {
  await using directory = await temporaryDirectory();
  await keepsAll({ directory: directory.path });
});

test.skipIf(missingPostgres() !== undefined)('the same in PostgreSQL', async () => {
  await using server = await temporaryPostgres();
  await keepsAll({ databaseUrl: server.databaseUrl });
});

async function keepsAll(location: MetadataLocation): Promise<void> {
  const database = openDatabase(location);
  await migrate(database, MIGRATIONS.slice(0, BEFORE));
  const insert = (statement: string) => sql.raw(statement).execute(database.kysely);
  await insert("insert into tenants (id, name, created_ms) values ('acme', 'Acme', 0)");
  await insert(
    "insert into projects (tenant_id, id, name, description, created_by, created_ms) values ('acme', 0, 'Default', null, '', 0)",
  );
  await insert(
    "insert into assets (tenant_id, id, project_id, name, name_key, description, type, options, payload, connection_id, db_type, tags, webhook_url, created_by, created_ms) values ('acme', 'orders', 0, 'orders', 'orders', null, 'UPLOAD', '{}', '{}', null, null, '[]', null, '', 0)",
  );
  await insert(
    "insert into jobs (tenant_id, id, asset_id, number, status, details, request, created_ms, start_ms, end_ms, phase, rows_read, fraction, attempts, worker, lease, lease_end_ms, cancelled_by) values ('acme', 'a1', 'orders', 1, 'FINISHED', '', '{}', 0, 0, 0, 'done', 1, 1, 1, null, null, null, null)",
  );
  for (const id of ['DATA_DIFFERENCE', 'SCHEMA_DRIFTS']) {
    await insert(
      `insert into monitors (tenant_id, asset_id, id, position, is_prebuilt, type, name, is_enabled, description, impact, tags, definition, threshold, notification, ticketing, ticket_template_id, created_by, created_ms, modified_by, modified_ms) values ('acme', 'orders', '${id}', 1, 1, 'PREDEFINED_METRIC', '${id}', 1, null, null, null, '{}', '{}', null, null, null, '', 0, '', 0)`,
    );
  }
  await insert(
    "insert into incidents (tenant_id, id, project_id, asset_id, last_upload_ms, created_ms, created_day, closed_ms, severity, impact, status, ticket_id, alert_policy_id, alert_policy_name, policy_key, description, tags, metrics, assignee_id) values ('acme', 1, 0, 'orders', 0, 0, 0, null, 'HIGH', null, 'OPEN', null, 'SCHEMA_DRIFTS', '', '', '', '[]', '[]', null)",
  );
  await database.kysely.destroy();

  const clock = manualClock(Date.parse(NOW));
  await using metadata = await openMetadata(location, { clock, randomBytes, encryptionKey: new Uint8Array(32) });
  const tenant = metadata.forTenant('acme');
  expect(await tenant.jobs.get('a1')).toMatchObject({ checks: null });
  expect(await tenant.checks.latest()).toEqual([]);
  expect(await tenant.incidents.get(1)).toMatchObject({ kind: 'VIOLATION' });
  const enabled = (await tenant.monitors.list('orders')).map((monitor) => [monitor.id, monitor.enabled]);
  expect(Object.fromEntries(enabled)).toMatchObject({ DATA_DIFFERENCE: false, SCHEMA_DRIFTS: true });
}
