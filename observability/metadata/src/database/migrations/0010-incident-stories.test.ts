// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from 'node:crypto';
import { manualClock } from '@sextant/foundation-std';
import { missingPostgres, temporaryDirectory, temporaryPostgres } from '@sextant/foundation-testing';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openMetadata } from '../../metadata.ts';
import { MIGRATIONS, migrate } from '../migration.ts';
import { type MetadataLocation, openDatabase } from '../open-database.ts';

const BEFORE = 9;
const METRIC = { metric_name: 'MEAN', metric_aggregation: 'mean', display_metric_name: 'Mean', segment: null, rule: null };

test('incidents of an earlier version are read, go on, and get their stories', async () => {
  await using directory = await temporaryDirectory();
  await keepsIncidents({ directory: directory.path });
});

test.skipIf(missingPostgres() !== undefined)('incidents stay what they were, in PostgreSQL', async () => {
  await using server = await temporaryPostgres();
  await keepsIncidents({ databaseUrl: server.databaseUrl });
});

async function keepsIncidents(location: MetadataLocation): Promise<void> {
  const clock = manualClock(Date.parse('2026-01-01T00:00:00.000Z'));
  const open = () => openMetadata(location, { clock, randomBytes, encryptionKey: new Uint8Array(32) });
  const database = openDatabase(location);
  await migrate(database, MIGRATIONS.slice(0, BEFORE));
  const insert = (statement: string) => sql.raw(statement).execute(database.kysely);
  const metrics = JSON.stringify([{ ...METRIC, attribute: 'price' }]);
  await insert("insert into tenants (id, name, created_ms) values ('acme', 'Acme', 0)");
  await insert(
    "insert into projects (tenant_id, id, name, description, created_by, created_ms) values ('acme', 0, 'Default', null, 'ada', 0)",
  );
  await insert(
    'insert into assets (tenant_id, id, project_id, name, name_key, description, type, options, payload, connection_id, db_type, tags, webhook_url, created_by, created_ms) ' +
      "values ('acme', 'a', 0, 'orders', 'orders', null, 'UPLOAD', '{}', '{}', null, null, '[]', null, 'ada', 0)",
  );
  await insert(
    'insert into incidents (tenant_id, id, project_id, asset_id, last_upload_ms, created_ms, created_day, closed_ms, severity, impact, status, ticket_id, alert_policy_id, alert_policy_name, policy_key, description, tags, metrics) ' +
      `values ('acme', 7, 0, 'a', 0, 0, 0, null, 'HIGH', null, 'OPEN', null, 'P', 'Policy', 'policy', 'd', '[]', '${metrics}')`,
  );
  await insert(
    "insert into incident_history (tenant_id, incident_id, position, event_ms, state, alert_refs) values ('acme', 7, 0, 0, 'NEW', '[]')",
  );
  await database.kysely.destroy();

  await using metadata = await open();
  const { incidents, incidentStories, incidentCare } = metadata.forTenant('acme');
  expect(await incidents.trackedOfAsset('a')).toMatchObject([
    { id: 7, status: 'OPEN', metrics: [{ attribute: 'price' }], last_step: { state: 'NEW' } },
  ]);
  expect([await incidentStories.find(7), await incidentStories.related(7), await incidentCare.handling(7)]).toEqual([
    undefined,
    [],
    undefined,
  ]);
  await incidents.advance(7, { timestamp: '2026-01-01T00:00:00.000Z', state: 'ONGOING', alert_refs: [] });
  await incidentStories.put(7, { job_id: 'j', evidence: [], why: ['because'] });
  expect(await incidentStories.find(7)).toMatchObject({ why: ['because'], cause: null });
}
