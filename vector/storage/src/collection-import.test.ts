// SPDX-License-Identifier: Apache-2.0
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { importCollection } from './collection-import.ts';
import { createCollectionStorage, openCollectionStorage } from './collection-storage.ts';
import type { StorageReader, StorageWriter } from './storage.ts';
import { StorageError } from './storage-error.ts';
import { openSystemStorage } from './system-storage.ts';

const key = Uint8Array.of(1, 2, 3);

function fill(storage: StorageWriter, rows: readonly number[], text = ''): void {
  storage.write((transaction) => {
    const version = transaction.nextSequence();
    transaction.putDocument('config', { of: 'things' });
    for (const row of rows) {
      transaction.putPoint(row, { id: row + 7, version, vectorVersion: version, payload: JSON.stringify({ n: row, text }) });
      transaction.putVector(0, row, version, Float32Array.of(row, 1));
      transaction.putVector(1, row, version, Uint8Array.of(row % 256));
      transaction.putSparseVector(0, row, { indices: Uint32Array.of(3, 9), values: Float32Array.of(row, 1) });
      transaction.addPosting(key, row);
    }
  });
}

function everythingIn(storage: StorageReader): unknown {
  return {
    sequence: storage.sequence,
    document: storage.document('config'),
    points: storage.points({ fromRow: 0, limit: 1e6 }),
    ids: storage.ids({ limit: 1e6 }),
    rows: [...storage.rows()],
    posting: [...storage.posting(key)],
    vectors: [0, 1].map((space) => [...storage.vectors(space)].map((stored) => ({ ...stored, vector: stored.vector.slice() }))),
    sparse: [3, 9, 10].map((index) => storage.countSparse(0, index)),
    sparseVector: storage.sparseVector(0, 2),
    changed: [...storage.rowsChangedSince(0)],
  };
}

async function copied(
  directory: string,
  rows: readonly number[],
  { text, ...access }: { readonly readAhead?: boolean; readonly text?: string } = {},
): Promise<{ readonly file: string; readonly original: unknown }> {
  const storage = createCollectionStorage({ directory: join(directory, 'original'), ...access });
  fill(storage, rows, text);
  const file = join(directory, 'copy.mdb');
  await storage.copy(file);
  const original = everythingIn(storage);
  storage.close();
  return { file, original };
}

const many = Array.from({ length: 1000 }, (_, row) => row);

describe('a copy of a collection', () => {
  test.each([true, false])('[S21] that is taken in has every record, and goes on from there; read ahead: %s', async (readAhead) => {
    await using directory = await temporaryDirectory();
    const { file, original } = await copied(directory.path, many, { readAhead });
    const seen: number[] = [];
    await importCollection({ file, directory: join(directory.path, 'new'), onProgress: (bytes) => seen.push(bytes) });
    const taken = openCollectionStorage({ directory: join(directory.path, 'new') });
    expect(everythingIn(taken)).toEqual(original);
    expect(seen.at(-1)).toBeGreaterThan(1000 * 8);
    fill(taken, [5000]);
    expect([taken.sequence, taken.pointCount]).toEqual([2, 1001]);
    taken.close();
  });

  test('[S21] has all of one write or nothing, however many are written meanwhile', async () => {
    await using directory = await temporaryDirectory();
    const storage = createCollectionStorage({ directory: join(directory.path, 'original') });
    fill(storage, many);
    const copying = storage.copy(join(directory.path, 'copy.mdb'));
    let isCopying = true;
    void copying.finally(() => {
      isCopying = false;
    });
    for (let row = 10_000; isCopying; row += 2) {
      fill(storage, [row, row + 1]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await copying;
    storage.close();
    await importCollection({ file: join(directory.path, 'copy.mdb'), directory: join(directory.path, 'new') });
    const taken = openCollectionStorage({ directory: join(directory.path, 'new') });
    expect(taken.pointCount).toBe(1000 + (taken.sequence - 1) * 2);
    expect([...taken.vectors(1)].length).toBe(taken.pointCount);
    taken.close();
  });

  test.each([
    ['empty', (file: string) => truncateSync(file, 0)],
    ['cut within its header', (file: string) => truncateSync(file, 100)],
    ['no LMDB file', (file: string) => writeFileSync(file, 'x'.repeat(10_000))],
  ])('[S11] is refused when it is %s', async (_, damage) => {
    await using directory = await temporaryDirectory();
    const { file } = await copied(directory.path, [1]);
    damage(file);
    await expect(importCollection({ file, directory: join(directory.path, 'new') })).rejects.toThrow(StorageError);
  });

  test('[S10] is refused when it is of another kind', async () => {
    await using directory = await temporaryDirectory();
    openSystemStorage({ directory: directory.path }).close();
    const file = join(directory.path, 'data.mdb');
    await expect(importCollection({ file, directory: join(directory.path, 'new') })).rejects.toThrow('lacks the table');
  });

  test('[S21] whose pages lead to one another again and again is refused before it fills the disk', async () => {
    await using directory = await temporaryDirectory();
    // So long that few fit into a page, and a tree has three levels.
    const { file } = await copied(directory.path, many, { text: 'x'.repeat(1200) });
    const size = statSync(file).size;
    let bytes = 0;
    multiplyPages(file);
    const crafted = importCollection({ file, directory: join(directory.path, 'crafted'), onProgress: (more) => (bytes = more) });
    await expect(crafted).rejects.toThrow('data.mdb has pages that are met more than once');
    expect(bytes).toBeLessThanOrEqual(size);
  });
});

/**
 * Makes every child of a tree's root one and the same page, and every child of that page one and the same page. The layout is that of lmdb-js's mdb.c:
 * flags of a page at 18 (1: branch), the end of its list of nodes at 20, the list from 24 on, from where all offsets
 * count; a node of a branch begins with the number of its child.
 */
function multiplyPages(file: string): void {
  const BYTES = 4096;
  const HEADER = 24;
  const data = readFileSync(file);
  const pages = Array.from({ length: Math.floor(data.length / BYTES) }, (_, index) => data.subarray(index * BYTES, (index + 1) * BYTES));
  const isBranch = (page: Buffer | undefined) => page?.readUInt16LE(18) === 1;
  const nodesOf = (page: Buffer) =>
    Array.from({ length: page.readUInt16LE(20) / 2 }, (_, index) => HEADER + page.readUInt16LE(HEADER + index * 2));
  const childrenOf = (page: Buffer) => nodesOf(page).map((node) => page.readUInt32LE(node));
  const lead = (page: Buffer, child: number) => {
    for (const node of nodesOf(page)) page.writeUInt32LE(child, node);
  };
  const root = pages.slice(2).find((page) => isBranch(page) && childrenOf(page).filter((child) => isBranch(pages[child])).length > 1);
  const [first = 0, second = 0] = root === undefined ? [] : childrenOf(root);
  const middle = pages[first];
  if (root === undefined || middle === undefined) throw new Error('no tree of the file has three levels');
  lead(root, first);
  lead(middle, second);
  writeFileSync(file, data);
}
