// SPDX-License-Identifier: Apache-2.0
/** Where the programs of a PostgreSQL server are on this machine. */
import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian keeps the server's programs out of PATH, one folder for each major version. */
const DEBIAN_FOLDERS = '/usr/lib/postgresql/*/bin';

const PROGRAMS = ['initdb', 'postgres', 'createdb'];

/** The folder that holds the programs: of PATH, else the newest of Debian's; undefined when there is none. */
export function findPostgresBinaries(path: string = process.env.PATH ?? ''): string | undefined {
  const newestFirst = globSync(DEBIAN_FOLDERS).toSorted((left, right) => right.localeCompare(left, 'en', { numeric: true }));
  const folders = [...path.split(delimiter), ...newestFirst];
  return folders.find((folder) => PROGRAMS.every((program) => existsSync(join(folder, program))));
}

/** Why tests on PostgreSQL cannot run here; undefined when they can. */
export function missingPostgres(): string | undefined {
  return findPostgresBinaries() === undefined ? 'no PostgreSQL server is installed' : undefined;
}
