// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { roundsOf, temporaryDirectory } from '@sextant/foundation-testing';
import { open } from 'lmdb';
import { expect, test } from 'vitest';
import { createCollectionStorage, openCollectionReader, openCollectionStorage } from './collection-storage.ts';
import type { Components, StoredPoint } from './storage.ts';

const pointOf = (id: number, payload = '{}'): StoredPoint => ({ id, version: 1, vectorVersion: 1, payload });

async function collection() {
  const scratch = await temporaryDirectory();
  const directory = `${scratch.path}/collection`;
  const storage = createCollectionStorage({ directory });
  return {
    storage,
    directory,
    [Symbol.asyncDispose]: async () => {
      storage.close();
      await scratch[Symbol.asyncDispose]();
    },
  };
}

test('a new collection is empty', async () => {
  await using opened = await collection();
  expect(opened.storage).toMatchObject({ sequence: 0, pointCount: 0 });
  expect(opened.storage.document('configuration')).toBeUndefined();
  expect(opened.storage.rows().count()).toBe(0);
  expect(opened.storage.vector(0, 0)).toBeUndefined();
  expect(opened.storage.point(0)).toBeUndefined();
  expect([...opened.storage.vectors(0)]).toEqual([]);
});

test('a write returns what its body returns', async () => {
  await using opened = await collection();
  const result = { nested: [undefined] };
  expect(opened.storage.write(() => result)).toBe(result);
});

test('[S2] a body that would go on later is refused, and leaves nothing', async () => {
  await using opened = await collection();
  expect(() => opened.storage.write(async (transaction) => transaction.putDocument('a', 1))).toThrow('not asynchronous');
  expect(opened.storage.document('a')).toBeUndefined();
});

test('[S2] a write within a write is refused, and the outer one leaves nothing', async () => {
  await using opened = await collection();
  const nested = () =>
    opened.storage.write((transaction) => {
      transaction.putDocument('a', 1);
      opened.storage.write(() => undefined);
    });
  expect(nested).toThrow('does not start another');
  expect(opened.storage.document('a')).toBeUndefined();
  opened.storage.write((transaction) => transaction.putDocument('b', 2));
  expect(opened.storage.document('b')).toBe(2);
});

test('[S3] a transaction that has ended refuses to be used', async () => {
  await using opened = await collection();
  const escaped = opened.storage.write((transaction) => transaction);
  expect(() => escaped.putPoint(0, pointOf(1))).toThrow('has ended');
  expect(() => escaped.pointCount).toThrow('has ended');
  expect(opened.storage.pointCount).toBe(0);
});

test('[S6] a point that moves to another row leaves its former one, and takes the place of whoever was there', async () => {
  await using opened = await collection();
  opened.storage.write((transaction) => {
    transaction.putPoint(0, pointOf(1));
    transaction.putPoint(1, pointOf(2));
  });
  opened.storage.write((transaction) => transaction.putPoint(1, pointOf(1)));
  expect(opened.storage.pointCount).toBe(1);
  expect(opened.storage.rowOf(1)).toBe(1);
  expect(opened.storage.rowOf(2)).toBeUndefined();
  expect([...opened.storage.rows()]).toEqual([1]);
});

const FLOATS = new Uint32Array([0x7fc00001, 0x80000000, 0x00000001, 0x7f7fffff]).buffer;

test.each([new Float32Array(FLOATS), new Float16Array(FLOATS), new Uint8Array(FLOATS, 0, 3)])(
  '[S9] vectors keep every bit and their kind, and their array is the caller’s while other things are read',
  async (vector) => {
    await using opened = await collection();
    opened.storage.write((transaction) => transaction.putVector(3, 5, 9, vector));
    const bits = (components: Components | undefined) =>
      components && [components.constructor.name, Buffer.from(components.slice().buffer).toString('hex')];
    expect(bits(opened.storage.vector(3, 5))).toEqual(bits(vector));
    expect(bits(opened.storage.passingVector(3, 5))).toEqual(bits(vector));
    expect(opened.storage.passingVector(3, 6)).toBeUndefined();
    for (const found of opened.storage.vectors(3)) {
      opened.storage.document('other');
      expect([found.row, found.version, bits(found.vector)]).toEqual([5, 9, bits(vector)]);
    }
  },
);

test('[S20] a space is cleared in steps, and the spaces beside it keep their vectors', async () => {
  await using opened = await collection();
  const rows = (space: number) => [...opened.storage.vectors(space)].map(({ row }) => row);
  opened.storage.write((transaction) => {
    for (const space of [1, 2, 3]) for (const row of [0, 7, 2 ** 32 - 1]) transaction.putVector(space, row, 1, Float32Array.of(space));
  });
  const clear = (space: number, limit: number) => opened.storage.write((transaction) => transaction.clearVectors(space, limit));
  expect(clear(2, 2)).toBe(true);
  expect([rows(1), rows(2), rows(3)].map(({ length }) => length)).toEqual([3, 1, 3]);
  expect(clear(2, 1)).toBe(false);
  expect([rows(1), rows(2), rows(3)].map(({ length }) => length)).toEqual([3, 0, 3]);
  expect(clear(2, 1)).toBe(false);
});

test('[S18] [S20] sparse vectors are cleared with their components', async () => {
  await using opened = await collection();
  opened.storage.write((transaction) => {
    for (const space of [1, 2]) {
      for (const row of [0, 7, 9000])
        transaction.putSparseVector(space, row, { indices: Uint32Array.of(3, row), values: Float32Array.of(1, 2) });
    }
  });
  const counts = () => [1, 2].map((space) => [opened.storage.countSparseVectors(space), opened.storage.countSparse(space, 3)]);
  const clear = (space: number, limit: number) => opened.storage.write((transaction) => transaction.clearSparseVectors(space, limit));
  expect(clear(1, 2)).toBe(true);
  expect(counts()).toEqual([
    [1, 1],
    [3, 3],
  ]);
  expect(clear(1, 2)).toBe(false);
  expect(counts()).toEqual([
    [0, 0],
    [3, 3],
  ]);
});

test('a payload larger than the buffer that reads share comes back whole, inside and outside of its transaction', async () => {
  await using opened = await collection();
  const payload = JSON.stringify({ text: 'ä'.repeat(9 * 1024 * 1024) });
  opened.storage.write((transaction) => {
    transaction.putPoint(0, pointOf(1, payload));
    expect(transaction.point(0)?.payload === payload).toBe(true);
  });
  expect(opened.storage.point(0)?.payload === payload).toBe(true);
  expect(opened.storage.points({ fromRow: 0, limit: 1 })[0]?.point.payload === payload).toBe(true);
  expect(opened.storage.rowOf(1)).toBe(0);
});

test('[S3] more posting lists than are kept in memory are all written', async () => {
  await using opened = await collection();
  const keyOf = (index: number) => Buffer.from(String(index).padStart(6, '0'));
  const lists = 20_000;
  opened.storage.write((transaction) => {
    for (let round = 0; round < 2; round++) {
      for (let index = 0; index < lists; index++) transaction.addPosting(keyOf(index), round * 70_000 + index);
    }
    expect([...transaction.posting(keyOf(7))]).toEqual([7, 70_007]);
  });
  const range = { start: keyOf(0), end: keyOf(999_999) };
  expect([...opened.storage.countPostings(range)].every(({ count }) => count === 2)).toBe(true);
  opened.storage.write((transaction) => transaction.clearPostings({ start: keyOf(1), end: keyOf(lists - 1) }));
  expect([...opened.storage.countPostings(range)]).toHaveLength(2);
});

test('[S3] lists may be changed while they are iterated', async () => {
  await using opened = await collection();
  const keys = Array.from({ length: 500 }, (_, index) => Buffer.from(String(index).padStart(4, '0')));
  const range = { start: Buffer.from('0'), end: Buffer.from('9') };
  opened.storage.write((transaction) => {
    for (const [row, key] of keys.entries()) transaction.addPosting(key, row);
    let visited = 0;
    for (const { key, rows } of transaction.postings(range)) {
      expect([...rows]).toEqual([visited]);
      transaction.removePosting(key, visited);
      expect(transaction.posting(key).count()).toBe(0);
      visited += 1;
    }
    expect(visited).toBe(keys.length);
  });
  expect([...opened.storage.countPostings(range)]).toEqual([]);
});

test('[S4] an iteration that is carried over turns keeps the snapshot of its start', async () => {
  await using opened = await collection();
  const reader = openCollectionReader(opened);
  const writeRows = (from: number, to: number) =>
    opened.storage.write((transaction) => {
      for (let row = from; row < to; row++) transaction.putVector(0, row, 1, Float32Array.of(row));
    });
  writeRows(0, 50);
  const rows: number[] = [];
  for (const { row, vector } of reader.vectors(0)) {
    rows.push(row);
    expect(vector[0]).toBe(row);
    if (row === 10) writeRows(50, 100);
    await new Promise((resolve) => setImmediate(resolve));
    reader.refresh();
  }
  expect(rows).toHaveLength(50);
  expect([...reader.vectors(0)]).toHaveLength(100);
  reader.close();
});

test('[S4] [S13] a thread that reads while the data grows far beyond the first map never sees a write in part', async () => {
  await using opened = await collection();
  const [batches, size, dimension] = [roundsOf({ quick: 20, long: 60 }), 200, 512];
  const ready = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL('./fixture/watching-thread.ts', import.meta.url), {
    workerData: { directory: opened.directory, points: batches * size, ready },
  });
  const report = once(worker, 'message');
  const ended = once(worker, 'exit');
  await Atomics.waitAsync(ready, 0, 0).value;
  for (let batch = 0; batch < batches; batch++) {
    opened.storage.write((transaction) => {
      const version = transaction.nextSequence();
      for (let row = batch * size; row < (batch + 1) * size; row++) {
        const vector = new Float32Array(dimension).fill(row);
        vector[dimension - 1] = version;
        transaction.putPoint(row, { id: row, version, vectorVersion: version, payload: '{}' });
        transaction.putVector(0, row, version, vector);
      }
    });
  }
  const [{ looks, seen }] = await report;
  expect(seen).toBe(batches * size);
  expect(looks).toBeGreaterThan(1);
  await ended;
});

test('[S14] closing twice does no harm, and a closed store refuses to read and to write', async () => {
  await using opened = await collection();
  const reader = openCollectionReader(opened);
  reader.close();
  reader.close();
  expect(() => reader.pointCount).toThrow('closed');
  expect(opened.storage.pointCount).toBe(0);
  opened.storage.close();
  opened.storage.close();
  opened.storage.refresh();
  expect(() => opened.storage.pointCount).toThrow('closed');
  expect(() => opened.storage.write(() => undefined)).toThrow('closed');
  const again = openCollectionStorage(opened);
  expect(again.pointCount).toBe(0);
  again.close();
});

test('posting lists are read right while other things are read between two of them', async () => {
  await using opened = await collection();
  const { storage } = opened;
  storage.write((transaction) => {
    for (let row = 0; row < 3; row++) {
      transaction.putPoint(row, pointOf(row, JSON.stringify({ filler: 'x'.repeat(50) })));
      transaction.addPosting(Uint8Array.of(row), row);
    }
  });
  const range = { start: Uint8Array.of(0), end: Uint8Array.of(9) };
  const lists = [];
  for (const { key, rows } of storage.postings(range)) lists.push([key[0], ...rows, storage.point(1)?.id]);
  expect(lists).toEqual([
    [0, 0, 1],
    [1, 1, 1],
    [2, 2, 1],
  ]);
  const counts = [];
  for (const { key, count } of storage.countPostings(range)) counts.push([key[0], count, storage.point(2)?.id]);
  expect(counts).toEqual([
    [0, 1, 2],
    [1, 1, 2],
    [2, 1, 2],
  ]);
});

test('[S19] a store from before there were sparse vectors opens, has none, and takes some', async () => {
  await using opened = await collection();
  const { storage, directory } = opened;
  storage.write((transaction) => transaction.putPoint(0, pointOf(1)));
  storage.close();
  const root = open(`${directory}/data.mdb`, { maxDbs: 16, encoding: 'binary', overlappingSync: false });
  for (const name of ['sparse', 'sparse-lists']) root.openDB({ name }).dropSync();
  await root.close();
  expect(() => openCollectionReader({ directory })).toThrow('lacks its table "sparse"');
  const writer = openCollectionStorage({ directory });
  const reader = openCollectionReader({ directory });
  expect([reader.pointCount, reader.sparseVector(0, 0), reader.countSparseVectors(0)]).toEqual([1, undefined, 0]);
  writer.write((transaction) => transaction.putSparseVector(0, 0, { indices: Uint32Array.of(3), values: Float32Array.of(1) }));
  reader.refresh();
  expect(reader.countSparse(0, 3)).toBe(1);
  reader.close();
  writer.close();
});

test('[S22] what vectors and points take grows with them, and shrinks again', async () => {
  await using opened = await collection();
  const { storage } = opened;
  expect([storage.vectorBytes, storage.pointBytes]).toEqual([0, 0]);
  storage.write((transaction) => {
    for (let row = 0; row < 100; row++) {
      transaction.putPoint(row, pointOf(row, JSON.stringify({ filler: 'x'.repeat(500) })));
      transaction.putVector(0, row, 1, new Float32Array(300));
    }
  });
  const reader = openCollectionReader(opened);
  expect(reader.vectorBytes).toBeGreaterThan(100 * 300 * 4);
  expect(reader.pointBytes).toBeGreaterThan(100 * 500);
  expect(reader.pointBytes).toBeLessThan(100 * 500 * 2);
  storage.write((transaction) => {
    for (let row = 0; row < 100; row++) {
      transaction.deletePoint(row);
      transaction.deleteVector(0, row);
    }
  });
  reader.refresh();
  expect([reader.vectorBytes, reader.pointBytes]).toEqual([0, 0]);
  reader.close();
});

test('[S22] bytes are counted with what is committed, and a space that is cleared has none', async () => {
  await using opened = await collection();
  const { storage } = opened;
  const vector = { indices: Uint32Array.of(3, 4), values: Float32Array.of(1, 2) };
  storage.write((transaction) => {
    for (const row of [0, 1]) {
      transaction.putSparseVector(0, row, vector);
      transaction.countBytes('sparse', 0, 16);
    }
    transaction.countBytes('dense', 0, 12);
    expect(transaction.countedBytes('sparse', 0)).toBe(32);
  });
  const reader = openCollectionReader(opened);
  const counted = () => {
    reader.refresh();
    return [reader.countedBytes('dense', 0), reader.countedBytes('sparse', 0), reader.countedBytes('sparse', 1)];
  };
  expect(counted()).toEqual([12, 32, 0]);
  expect(() =>
    storage.write((transaction) => {
      transaction.countBytes('sparse', 0, 16);
      throw new Error('given up');
    }),
  ).toThrow('given up');
  storage.write((transaction) => {
    transaction.countBytes('sparse', 0, -8 * transaction.deleteSparseVector(0, 0));
  });
  expect(counted()).toEqual([12, 16, 0]);
  storage.write((transaction) => {
    transaction.putSparseVector(0, 0, vector);
    expect(transaction.clearSparseVectors(0, 1)).toBe(true);
    expect(transaction.countedBytes('sparse', 0)).toBe(16);
    expect(transaction.clearSparseVectors(0, 1)).toBe(false);
  });
  expect(counted()).toEqual([12, 0, 0]);
  reader.close();
});
