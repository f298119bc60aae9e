// SPDX-License-Identifier: Apache-2.0
/** A version of the schema after the present one, as a newer program would bring it. */
import { MIGRATIONS, type Migration } from '../database/migration.ts';
import type { MetadataLocation } from '../database/open-database.ts';

/** The slow one never ends on SQLite; a server of PostgreSQL notices after a while that its client is dead. */
export function nextVersion(location: MetadataLocation, speed: 'slow' | 'fast'): readonly Migration[] {
  const wait =
    'directory' in location
      ? 'with recursive count (n) as (select 1 union all select n + 1 from count) select max(n) from count'
      : 'select pg_sleep(1)';
  const half = 'create table half (id text primary key)';
  return [...MIGRATIONS, speed === 'slow' ? [half, wait] : [half], ['alter table tenants add column colour text']];
}
