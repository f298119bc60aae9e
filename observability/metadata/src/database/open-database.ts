// SPDX-License-Identifier: Apache-2.0
import type { MetadataDatabase } from './database.ts';
import { openPostgresql } from './postgresql.ts';
import { openSqlite } from './sqlite.ts';

/** Where metadata lives: `metadata.sqlite` in a directory, or a PostgreSQL database. */
export type MetadataLocation = { readonly directory: string } | { readonly databaseUrl: string };

/** The database as it is: `migrate` brings its schema up to date. */
export function openDatabase(location: MetadataLocation): MetadataDatabase {
  return 'directory' in location ? openSqlite(location.directory) : openPostgresql(location.databaseUrl);
}
