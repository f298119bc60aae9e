// SPDX-License-Identifier: Apache-2.0
/** What the observability service keeps in its data directory: metadata in SQLite, which is copied while it runs, and files that are written once. */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { CommandFailure } from '../failure.ts';

export const METADATA = 'metadata.sqlite';
/** Without the first the credentials in the metadata cannot be read. */
const SECRETS = ['encryption-key', 'platform-token'];
const UPLOADS = 'uploads';

/** Copies the metadata to `target`, as it is after one transaction, and counts the rows of the copy. */
export async function copyMetadata(directory: string, target: string): Promise<{ readonly [table: string]: number }> {
  const path = join(directory, METADATA);
  if (!(await isFile(path))) {
    throw new CommandFailure('bad_data', `${directory} holds no ${METADATA}`, {
      advice: 'Pass the data directory of the observability service. Back up metadata in PostgreSQL with the tools of PostgreSQL.',
    });
  }
  const source = new DatabaseSync(path, { readOnly: true, timeout: 10_000 });
  try {
    await backup(source, target);
  } finally {
    source.close();
  }
  return rowsOf(target);
}

/** The files beside the metadata, as steps from the data directory. */
export async function otherFiles(directory: string): Promise<readonly (readonly string[])[]> {
  const files: (readonly string[])[] = [];
  for (const name of SECRETS) if (await isFile(join(directory, name))) files.push([name]);
  const uploads = await readdir(join(directory, UPLOADS), { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of uploads) {
    if (!entry.isFile()) continue;
    files.push(
      join(entry.parentPath, entry.name)
        .slice(directory.length)
        .split(/[/\\]/)
        .filter((step) => step !== ''),
    );
  }
  return files;
}

/** The rows of each table of a copy; throws a `CommandFailure` where SQLite finds it damaged. */
export function rowsOf(path: string): { readonly [table: string]: number } {
  const database = new DatabaseSync(path);
  try {
    const [check] = database.prepare('PRAGMA integrity_check').all();
    if (check?.integrity_check !== 'ok') throw new CommandFailure('bad_data', `the metadata is damaged: ${String(check?.integrity_check)}`);
    const tables = database.prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name").all();
    return Object.fromEntries(
      tables.map(({ name }) => {
        const quoted = `"${String(name).replaceAll('"', '""')}"`;
        return [String(name), Number(database.prepare(`select count(*) as rows from ${quoted}`).get()?.rows)];
      }),
    );
  } catch (cause) {
    if (cause instanceof CommandFailure) throw cause;
    throw new CommandFailure('bad_data', `the metadata cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  } finally {
    database.close();
  }
}

/** Takes away what belongs to a database that is about to be replaced, and would be read into the new one. */
export async function removeMetadataLog(directory: string): Promise<void> {
  for (const suffix of ['-wal', '-shm']) await rm(join(directory, `${METADATA}${suffix}`), { force: true });
}

export async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}
