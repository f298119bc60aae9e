// SPDX-License-Identifier: Apache-2.0
import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { createCollectionStorage, openCollectionReader, openCollectionStorage } from './collection-storage.ts';
import { openEnvironment } from './environment.ts';
import { StorageError } from './storage-error.ts';
import { openSystemStorage } from './system-storage.ts';

const POINTS = 200;
const DIMENSION = 2000;
/** The vector that was written last; of several pages, as larger values are. */
const LAST_VECTOR = Buffer.from(new Float32Array(1000).fill(POINTS - 1).buffer);

/** A directory with a collection whose data file has been damaged. */
async function damaged(damage: (file: string, bytes: Buffer) => void) {
  const scratch = await temporaryDirectory();
  const directory = `${scratch.path}/collection`;
  const storage = createCollectionStorage({ directory });
  storage.write((transaction) => {
    for (let row = 0; row < POINTS; row++) {
      transaction.putPoint(row, { id: row, version: 1, vectorVersion: 1, payload: '{}' });
      transaction.putVector(0, row, 1, new Float32Array(DIMENSION).fill(row));
    }
  });
  storage.close();
  const file = `${directory}/data.mdb`;
  damage(file, readFileSync(file));
  return { directory, [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose]() };
}

/** Reads everything, as the server does when it opens a collection. */
function readAll(directory: string): number {
  const storage = openCollectionStorage({ directory });
  try {
    let read = storage.rows().count();
    for (const { row } of storage.vectors(0)) read += storage.point(row) === undefined ? 0 : 1;
    return read;
  } finally {
    storage.close();
  }
}

describe('[S11] a data file that', () => {
  test('is untouched is read in full', async () => {
    await using store = await damaged(() => undefined);
    expect(readAll(store.directory)).toBe(2 * POINTS);
  });

  test.each<[string, (file: string, bytes: Buffer) => void]>([
    ['is empty', (file) => truncateSync(file, 0)],
    ['ends within its header', (file) => truncateSync(file, 4096)],
    ['is another file', (file) => writeFileSync(file, 'a letter to nobody\n')],
    ['is as large as before but noise', (file, bytes) => writeFileSync(file, Buffer.alloc(bytes.length, 0x5a))],
    ['ends after its header', (file) => truncateSync(file, 8192)],
    ['has lost its end', (file, bytes) => truncateSync(file, bytes.length / 2)],
    ['has lost the end of one vector', (file, bytes) => truncateSync(file, bytes.lastIndexOf(LAST_VECTOR) + 5000)],
    ['holds only zeros after its header', (file, bytes) => writeFileSync(file, bytes.fill(0, 8192))],
  ])('%s is refused', async (_name, damage) => {
    await using store = await damaged(damage);
    expect(() => readAll(store.directory)).toThrow(StorageError);
    expect(() => createCollectionStorage(store)).toThrow('already holds a store');
  });

  test('is missing is refused by whoever opens, and not created', async () => {
    await using scratch = await temporaryDirectory();
    for (const open of [openCollectionStorage, openCollectionReader]) {
      expect(() => open({ directory: scratch.path })).toThrow('data.mdb is missing');
    }
    expect(existsSync(`${scratch.path}/data.mdb`)).toBe(false);
  });
});

test('[S10] a store of another kind or format is refused with both formats named', async () => {
  await using scratch = await temporaryDirectory();
  openSystemStorage({ directory: `${scratch.path}/system` }).close();
  expect(() => openCollectionStorage({ directory: `${scratch.path}/system` })).toThrow(
    /has the format \{"kind":"system","version":1\}; this version of the program reads \{"kind":"collection","version":2\}/,
  );
  const newer = { directory: `${scratch.path}/newer`, kind: 'collection', formatVersion: 9, openTables: () => ({}), initialDocuments: {} };
  openEnvironment({ ...newer, mode: 'create' }).close();
  expect(() => openCollectionStorage(newer)).toThrow('"version":9');
});

test('[S12] what a crash left of a store that was being created is not taken for one, and is replaced', async () => {
  await using scratch = await temporaryDirectory();
  const directory = `${scratch.path}/collection`;
  mkdirSync(directory);
  writeFileSync(`${directory}/new.mdb`, 'half');
  expect(() => openCollectionStorage({ directory })).toThrow('data.mdb is missing');
  createCollectionStorage({ directory }).close();
  expect(existsSync(`${directory}/new.mdb`)).toBe(false);
  openCollectionStorage({ directory }).close();
});

test('[S12] a store is not created over another', async () => {
  await using scratch = await temporaryDirectory();
  createCollectionStorage({ directory: scratch.path }).close();
  expect(() => createCollectionStorage({ directory: scratch.path })).toThrow('already holds a store');
});

test('a directory that cannot be made is an error that says so', async () => {
  await using scratch = await temporaryDirectory();
  writeFileSync(`${scratch.path}/file`, '');
  expect(() => createCollectionStorage({ directory: `${scratch.path}/file/collection` })).toThrow('ENOTDIR');
});
