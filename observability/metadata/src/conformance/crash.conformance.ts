// SPDX-License-Identifier: Apache-2.0
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { chooseSeed } from '@sextant/foundation-testing';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { MIGRATIONS, migrate } from '../database/migration.ts';
import { type MetadataLocation, openDatabase } from '../database/open-database.ts';
import { openMetadata } from '../metadata.ts';
import type { Fixture } from './engines.conformance.ts';
import { nextVersion } from './next-version.conformance.ts';
import { ENCRYPTION_KEY } from './samples.conformance.ts';

const PROCESS = fileURLToPath(new URL('./crash-process.conformance.ts', import.meta.url));
const options = { clock: systemClock, randomBytes, encryptionKey: ENCRYPTION_KEY };

export function crashSuite(fixture: Fixture, rounds: number): void {
  test('what was acknowledged before SIGKILL is there, and nothing by halves', async () => {
    const random = seededRandom(chooseSeed());
    await fixture.metadata().platform.tenants.create({ id: 'crash', name: 'Crash' });
    const acknowledged: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const child = start('write', fixture.location());
      const enough = acknowledged.length + 1 + random.integer(30);
      for await (const id of createInterface({ input: child.stdout })) {
        acknowledged.push(id);
        if (acknowledged.length === enough) child.kill('SIGKILL');
      }
    }
    const { assets, monitors } = fixture.metadata().forTenant('crash');
    const found = (await assets.list()).map(({ id }) => id);
    expect(new Set(found).isSupersetOf(new Set(acknowledged))).toBe(true);
    for (const id of found) expect(await monitors.list(id)).toHaveLength(21);
  });

  test('a migration killed in the middle leaves the old schema, and the next start completes it', async () => {
    const location = fixture.location();
    const child = start('migrate', location);
    await once(child.stdout, 'data');
    await someoneMigrates(location);
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await using opened = await openMetadata(location, options);
    expect(await opened.platform.tenants.list()).not.toEqual([]);
    const database = openDatabase(location);
    try {
      await expect(sql`select * from half`.execute(database.kysely)).rejects.toThrow('half');
      const newer = nextVersion(location, 'fast');
      // SQLite's waiting blocks this very process; there a second process is refused by the lock of the data directory.
      await Promise.all([migrate(database, newer), ...('databaseUrl' in location ? [migrateElsewhere(location)] : [])]);
      expect(await database.kysely.selectFrom('schema_version').selectAll().execute()).toEqual([{ version: newer.length }]);
      expect((await sql`select * from half`.execute(database.kysely)).rows).toEqual([]);
    } finally {
      await database.kysely.destroy();
    }
    const refusal = `schema version ${MIGRATIONS.length + 2}, but this program supports versions up to ${MIGRATIONS.length}`;
    await expect(openMetadata(location, options)).rejects.toThrow(refusal);
  });
}

function start(mode: 'write' | 'migrate', location: MetadataLocation): ChildProcessByStdio<null, Readable, null> {
  return spawn(process.execPath, [PROCESS, mode, JSON.stringify(location)], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function migrateElsewhere(location: MetadataLocation): Promise<void> {
  const database = openDatabase(location);
  await migrate(database, nextVersion(location, 'fast'));
  await database.kysely.destroy();
}

/** Until another process is inside the transaction of a migration. */
async function someoneMigrates(location: MetadataLocation): Promise<void> {
  if ('directory' in location) {
    while (!isLocked(location.directory)) await sleep(5);
    return;
  }
  const database = openDatabase(location);
  const sleeping = sql`select 1 from pg_stat_activity where datname = current_database() and query = 'select pg_sleep(1)' and state = 'active'`;
  // A connection costs PostgreSQL a process; one asks again and again.
  while ((await sleeping.execute(database.kysely)).rows.length === 0) await sleep(5);
  await database.kysely.destroy();
}

function isLocked(directory: string): boolean {
  const database = new DatabaseSync(join(directory, 'metadata.sqlite'), { timeout: 0 });
  try {
    database.exec('begin immediate; rollback');
    return false;
  } catch {
    return true;
  } finally {
    database.close();
  }
}
