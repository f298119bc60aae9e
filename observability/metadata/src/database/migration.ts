// SPDX-License-Identifier: Apache-2.0
/**
 * Migrations run forward only, all that are missing in one transaction: a crash in the middle leaves the old schema. Statements are
 * SQL that SQLite and PostgreSQL read alike: `schema/table.ts` names the types.
 */
import { sql, type Transaction } from 'kysely';
import type { MetadataDatabase } from './database.ts';
import { firstRelease } from './migrations/0016-first-release.ts';
import { spentTimes } from './migrations/0017-spent-times.ts';
import { columnLineage } from './migrations/0018-column-lineage.ts';
import { openJobs } from './migrations/0019-open-jobs.ts';
import { retention } from './migrations/0020-retention.ts';
import type { Schema } from './schema.ts';

export type Migration = readonly string[];

/** Versions that no release has; a database that has one cannot be read. */
const UNRELEASED: readonly Migration[] = Array.from({ length: 15 }, () => []);

/** Position + 1 is the version that a migration leads to. */
export const MIGRATIONS: readonly Migration[] = [...UNRELEASED, firstRelease, spentTimes, columnLineage, openJobs, retention];

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
    if (version > 0 && version <= UNRELEASED.length) {
      throw new Error(`The metadata has schema version ${version}, which no release has. Start with an empty database.`);
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
