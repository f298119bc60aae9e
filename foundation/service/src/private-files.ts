// SPDX-License-Identifier: Apache-2.0
/**
 * What a service keeps is for its owner alone. The umask sees to every file that this process and its children create, those of SQLite,
 * LMDB and DuckDB among them; files of earlier versions lose the permissions that are too wide.
 */
import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const OTHERS = 0o077;

/** To be called on the main thread before anything is written. */
export function keepFilesPrivate(): void {
  process.umask(OTHERS);
}

/**
 * Takes group and others their permissions on these files and folders and on all that the folders hold. Symbolic links are not followed, and
 * what is missing is passed over.
 *
 * @returns how many were changed, and those that belong to somebody else and so could not be
 */
export function tightenPermissions(paths: readonly string[]): { readonly changed: number; readonly refused: readonly string[] } {
  const refused: string[] = [];
  let changed = 0;
  const waiting = [...paths];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined || !(stat.isFile() || stat.isDirectory())) continue;
    if ((stat.mode & OTHERS) !== 0) {
      try {
        chmodSync(path, stat.mode & 0o7777 & ~OTHERS);
        changed++;
      } catch {
        refused.push(path);
      }
    }
    if (stat.isDirectory()) waiting.push(...entriesOf(path).map((name) => join(path, name)));
  }
  return { changed, refused };
}

function entriesOf(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
