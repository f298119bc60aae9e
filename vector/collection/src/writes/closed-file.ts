// SPDX-License-Identifier: Apache-2.0
/**
 * What a start knows of a collection without opening it: a file beside its storage, written when it was closed. It is derived, and is believed only
 * where the storage is still the one that it describes: every commit changes the transaction number in the header of the data file. So nothing has to be
 * written when a collection is opened, and a crash leaves a file that no longer fits wherever something was written.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DataFileState, dataFileState, documentOf, documentText } from '@sextant/vector-storage';
import type { ClosedCollection } from '../model/closed-collection.ts';

const CLOSED_FILE = 'closed.json';
/** What an earlier or later version has written is not read. */
const VERSION = 1;

type Stored = { readonly version: number; readonly data: DataFileState; readonly collection: ClosedCollection };

export function writeClosedFile(directory: string, data: DataFileState, collection: ClosedCollection): void {
  const path = join(directory, CLOSED_FILE);
  // What was linked counts since the start of the service, and this is for the next.
  const figures = { ...collection.figures, rowsLinked: 0 };
  const text = documentText({ version: VERSION, data, collection: { ...collection, figures } } satisfies Stored);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  // Neither synced nor renamed, which some file systems make a sync of: what a crash leaves of it has the wrong checksum, and the start opens the collection.
  removeClosedFile(directory);
  writeFileSync(path, text, { mode: 0o600 });
}

/**
 * Undefined where the file is missing, damaged, of another version or of another state of the storage.
 * @param name by the list of collections, which a file that was copied from elsewhere does not have
 */
export function readClosedFile(directory: string, name: string): ClosedCollection | undefined {
  try {
    // Only `writeClosedFile` writes it, and its checksum holds.
    const { version, data, collection } = documentOf(readFileSync(join(directory, CLOSED_FILE), 'utf8')) as Stored;
    if (version !== VERSION || collection.name !== name || !isSame(data, dataFileState(directory))) return undefined;
    return { ...collection, status: { ...collection.status, state: 'not_opened' } };
  } catch {
    // Opening it finds out what is wrong, and says so.
    return undefined;
  }
}

export function removeClosedFile(directory: string): void {
  rmSync(join(directory, CLOSED_FILE), { force: true });
}

export function isSame(one: DataFileState, other: DataFileState): boolean {
  return one.transaction === other.transaction && one.bytes === other.bytes;
}
