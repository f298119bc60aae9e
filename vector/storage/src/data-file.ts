// SPDX-License-Identifier: Apache-2.0
/**
 * Looks at LMDB's data file before LMDB does, because a file that it cannot read ends the process: lmdb-js crashes
 * when opening fails, and a page beyond the end of the file is a bus error.
 *
 * Read here are the two meta pages, MDB_page and MDB_meta of lmdb-js's mdb.c (data format 2): magic at 24, page size at 48,
 * last page at 144, transaction at 152, each little-endian.
 */
import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError, withStorageErrors } from './storage-error.ts';

export const DATA_FILE = 'data.mdb';
const MAGIC = 0xbeefc0de;
const META_BYTES = 160;
const PAGE_BYTES_MIN = 512;

type Meta = { readonly pageBytes: number; readonly lastPage: number; readonly transaction: number };

/** Throws a StorageError unless LMDB can open the file. */
export function checkDataFile(file: string): void {
  withFile(file, 'r', (descriptor) => readMeta(descriptor, file));
}

/**
 * Makes the file as long as its meta page says, with a hole at the end. It may be shorter soundly, since LMDB leaves out pages
 * that a transaction took and gave back, so that alone is no damage; but if it was cut, what is missing must
 * read as a damaged page rather than end the process. Only for the thread that writes, before it does.
 */
export function completeDataFile(file: string): void {
  withFile(file, 'r+', (descriptor) => {
    const { lastPage, pageBytes } = readMeta(descriptor, file);
    const bytes = (lastPage + 1) * pageBytes;
    if (fstatSync(descriptor).size < bytes) ftruncateSync(descriptor, bytes);
  });
}

/** What a data file looked like: another transaction, or another length, is another state of the store. */
export type DataFileState = { readonly transaction: number; readonly bytes: number };

/**
 * Read from the file, without LMDB; the store need not be open.
 * @throws StorageError unless LMDB can open the file
 */
export function dataFileState(directory: string): DataFileState {
  const file = join(directory, DATA_FILE);
  return withStorageErrors(`cannot read ${DATA_FILE}`, directory, () =>
    withFile(file, 'r', (descriptor) => ({
      transaction: readMeta(descriptor, file).transaction,
      bytes: fstatSync(descriptor).size,
    })),
  );
}

function readMeta(descriptor: number, file: string): Meta {
  const first = readMetaAt(descriptor, 0, file);
  const second = readMetaAt(descriptor, first.pageBytes, file);
  return first.transaction > second.transaction ? first : second;
}

function readMetaAt(descriptor: number, offset: number, file: string): Meta {
  const page = Buffer.alloc(META_BYTES);
  const bytes = readSync(descriptor, page, 0, META_BYTES, offset);
  if (bytes < META_BYTES) throw new StorageError('data.mdb is damaged: it ends within its header', { path: file });
  const pageBytes = page.readUInt32LE(48);
  if (page.readUInt32LE(24) !== MAGIC || pageBytes < PAGE_BYTES_MIN) {
    throw new StorageError('data.mdb is damaged: its header is not that of an LMDB file', { path: file });
  }
  return { pageBytes, lastPage: Number(page.readBigUInt64LE(144)), transaction: Number(page.readBigUInt64LE(152)) };
}

function withFile<Result>(file: string, flags: string, action: (descriptor: number) => Result): Result {
  const descriptor = openSync(file, flags);
  try {
    return action(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
