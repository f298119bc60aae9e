// SPDX-License-Identifier: Apache-2.0
import { readFileSync, writeFileSync } from 'node:fs';
import { AssertionError } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { openEnvironment } from './environment.ts';
import { StorageError } from './storage-error.ts';
import { openSystemStorage } from './system-storage.ts';

test('[S1] documents are kept across restarts, with exact integers', async () => {
  await using scratch = await temporaryDirectory();
  const first = openSystemStorage({ directory: scratch.path });
  first.put('collections/ä', { limit: 2n ** 64n - 1n, names: ['x'] });
  first.put('gone', 1);
  first.delete('gone');
  first.delete('never there');
  first.close();
  const second = openSystemStorage({ directory: scratch.path });
  expect(second.get('collections/ä')).toEqual({ limit: 2n ** 64n - 1n, names: ['x'] });
  expect(second.get('gone')).toBeUndefined();
  second.close();
});

test('documents are listed by prefix in byte order', async () => {
  await using scratch = await temporaryDirectory();
  const storage = openSystemStorage({ directory: scratch.path });
  for (const key of ['b/1', 'a/2', 'a/1', 'a', 'a0']) storage.put(key, key);
  expect(storage.list('a/')).toEqual([
    { key: 'a/1', value: 'a/1' },
    { key: 'a/2', value: 'a/2' },
  ]);
  expect(storage.list('').map(({ key }) => key)).toEqual(['a', 'a/1', 'a/2', 'a0', 'b/1']);
  expect(storage.list('c')).toEqual([]);
  storage.close();
});

test('[S15] a batch of which one change is refused changes nothing', async () => {
  await using scratch = await temporaryDirectory();
  const storage = openSystemStorage({ directory: scratch.path });
  storage.put('kept', 1);
  const cyclic: { self?: unknown } = {};
  cyclic.self = cyclic;
  const put = (key: string, value: unknown) => ({ kind: 'put' as const, key, value });
  expect(() => storage.write([put('a', 1), { kind: 'delete', key: 'kept' }, put('b', cyclic)])).toThrow();
  expect(() => storage.write([put('a', 1), put('x'.repeat(2000), 1)])).toThrow(AssertionError);
  expect(storage.list('')).toEqual([{ key: 'kept', value: 1 }]);
  storage.write([put('a', 1), { kind: 'delete', key: 'kept' }]);
  expect(storage.list('')).toEqual([{ key: 'a', value: 1 }]);
  storage.close();
  storage.close();
});

const BYTES_PER_FLIP = 7;

test('[S26] a bit that flips in a document or in its key is found before anything is served', async () => {
  await using scratch = await temporaryDirectory();
  const file = `${scratch.path}/data.mdb`;
  const storage = openSystemStorage({ directory: scratch.path });
  storage.put('aliases', [['cats', 'pets']]);
  storage.put('collection/pets', { name: 'pets', directory: '000001', state: 'live' });
  storage.close();
  const sound = readFileSync(file);
  const places = ['document/aliases', '[["cats"', 'document/collection/pets', '{"name"'].flatMap((text) => placesOf(sound, text));
  let found = 0;
  for (const { at, length } of places) {
    // Of every bit of a document `document-text.test.ts` shows it.
    for (let byte = at; byte < at + length; byte += BYTES_PER_FLIP) {
      const flipped = Buffer.from(sound);
      flipped.writeUInt8(flipped.readUInt8(byte) ^ (1 << (byte & 7)), byte);
      writeFileSync(file, flipped);
      try {
        const opened = openSystemStorage({ directory: scratch.path });
        // LMDB leaves old copies of its pages behind.
        expect(opened.list('').map(({ key }) => key)).toEqual(['aliases', 'collection/pets']);
        expect(opened.get('collection/pets')).toEqual({ name: 'pets', directory: '000001', state: 'live' });
        opened.close();
      } catch (error) {
        expect(error).toBeInstanceOf(StorageError);
        expect(String(error)).toContain('restore the folder system from a copy');
        found++;
      }
    }
  }
  expect(found).toBeGreaterThan(10);
});

/** Where a text begins, and how far the key or the value goes that it begins. */
function placesOf(bytes: Buffer, text: string): { readonly at: number; readonly length: number }[] {
  const places: { at: number; length: number }[] = [];
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) {
    const end = text.startsWith('document') ? at + text.length : bytes.indexOf('\n#', at) + '\n#'.length + 8;
    places.push({ at, length: end - at });
  }
  return places;
}

test('a state that an earlier version wrote, without checksums, is read, and has them from the next write on', async () => {
  await using scratch = await temporaryDirectory();
  const options = { directory: scratch.path, kind: 'system', formatVersion: 1, openTables: () => ({}) };
  openEnvironment({ ...options, mode: 'create', initialDocuments: { 'document/a': 1 } }).close();
  for (const expected of [['a'], ['a', 'b']]) {
    const storage = openSystemStorage({ directory: scratch.path });
    expect(storage.list('').map(({ key }) => key)).toEqual(expected);
    storage.put('b', 2);
    storage.close();
  }
});
