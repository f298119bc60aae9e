// SPDX-License-Identifier: Apache-2.0
/**
 * Migrations run forward only, all that are missing in one transaction: a crash in the middle leaves the old schema. Statements are
 * SQL that SQLite and PostgreSQL read alike: text, integer, bigint (also for times, in milliseconds), double precision; booleans are 0 or 1.
 */
import { sql, type Transaction } from 'kysely';
import type { MetadataDatabase } from './database.ts';
import { tenancyAndSources } from './migrations/0001-tenancy-and-sources.ts';
import { jobs } from './migrations/0002-jobs.ts';
import { monitoring } from './migrations/0003-monitoring.ts';
import { configurations } from './migrations/0004-configurations.ts';
import { incidentCare } from './migrations/0005-incident-care.ts';
import { delivery } from './migrations/0006-delivery.ts';
import { scores } from './migrations/0007-scores.ts';
import { refreshTokenUse } from './migrations/0008-refresh-token-use.ts';
import { checks } from './migrations/0009-checks.ts';
import { incidentStories } from './migrations/0010-incident-stories.ts';
import { fileMonitors } from './migrations/0011-file-monitors.ts';
import { detectorStates } from './migrations/0012-detector-states.ts';
import { vectorMonitors } from './migrations/0013-vector-monitors.ts';
import { expectedPoints } from './migrations/0014-expected-points.ts';
import { recordNumbers } from './migrations/0015-record-numbers.ts';
import { wrongCells } from './migrations/0016-wrong-cells.ts';
import { spentTimes } from './migrations/0017-spent-times.ts';
import { columnLineage } from './migrations/0018-column-lineage.ts';
import { openJobs } from './migrations/0019-open-jobs.ts';
import { retention } from './migrations/0020-retention.ts';
import type { Schema } from './schema.ts';

export type Migration = readonly string[];

/** Position + 1 is the version that a migration leads to. */
export const MIGRATIONS: readonly Migration[] = [
  tenancyAndSources,
  jobs,
  monitoring,
  configurations,
  incidentCare,
  delivery,
  scores,
  refreshTokenUse,
  checks,
  incidentStories,
  fileMonitors,
  detectorStates,
  vectorMonitors,
  expectedPoints,
  recordNumbers,
  wrongCells,
  spentTimes,
  columnLineage,
  openJobs,
  retention,
];

/** The database was written by a newer program. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
}

/** @throws NewerSchemaError */
export async function migrate(database: MetadataDatabase, migrations: readonly Migration[] = MIGRATIONS): Promise<void> {
  await database.kysely.transaction().execute(async (transaction) => {
    await database.lock(transaction, 'schema');
    const version = await readVersion(transaction);
    if (version > migrations.length) {
      throw new NewerSchemaError(
        `The metadata has schema version ${version}, but this program supports versions up to ${migrations.length}. Start the newer program that wrote it, or restore a backup.`,
      );
    }
    for (const statement of migrations.slice(version).flat()) await sql.raw(statement).execute(transaction);
    await transaction.updateTable('schema_version').set({ version: migrations.length }).execute();
  });
}

async function readVersion(transaction: Transaction<Schema>): Promise<number> {
  await sql.raw('create table if not exists schema_version (version integer not null)').execute(transaction);
  const row = await transaction.selectFrom('schema_version').select('version').executeTakeFirst();
  if (row !== undefined) return row.version;
  await transaction.insertInto('schema_version').values({ version: 0 }).execute();
  return 0;
}
