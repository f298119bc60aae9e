// SPDX-License-Identifier: Apache-2.0
import { stringifyJson, systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { createVectorSpace } from '@sextant/vector-kernel';
import { createCollectionStorage, RowSet, type StorageWriter } from '@sextant/vector-storage';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { postingKeysOf } from '../../field-index/entries.ts';
import { type FieldIndex, normaliseFieldSchema } from '../../field-index/schema.ts';
import { ChangedRows } from '../../model/changed-rows.ts';
import { RowClusters } from '../ivf/row-clusters.ts';
import { createPacer } from '../pacer.ts';
import { FilterCache } from './filter-cache.ts';
import { type FilterScope, RowFilter } from './row-filter.ts';

const COUNT = 1000;
const indexes: ReadonlyMap<string, FieldIndex> = new Map([
  ['indexed', { field: 'indexed', ordinal: 0, schema: normaliseFieldSchema({ type: 'integer' }) }],
]);
const INDEXED = { must: { key: 'indexed', match: { value: 1 } } };
const OPEN = { must: { key: 'open', match: { value: 1 } } };
const BOTH = { must: [INDEXED.must, OPEN.must] };

const scratch = await temporaryDirectory();
let stores = 0;
let storage: StorageWriter;
let changes: ChangedRows;
let scope: FilterScope & { readonly filterCache: FilterCache };
/** Payloads that were fetched, and posting lists. */
let read = { points: 0, lists: 0 };

beforeEach(() => {
  storage = createCollectionStorage({ directory: `${scratch.path}/${stores++}` });
  changes = new ChangedRows(ChangedRows.allocate(0));
  put(Array.from({ length: COUNT }, (_, row) => row));
  read = { points: 0, lists: 0 };
  scope = {
    storage: {
      get sequence() {
        return storage.sequence;
      },
      get pointCount() {
        return storage.pointCount;
      },
      rowOf: (id) => storage.rowOf(id),
      point: (row) => {
        read.points++;
        return storage.point(row);
      },
      hasVector: (space, row) => storage.hasVector(space, row),
      hasSparseVector: (space, row) => storage.hasSparseVector(space, row),
      rows: () => storage.rows(),
      posting: (key) => {
        read.lists++;
        return storage.posting(key);
      },
      unionPostings: (range) => storage.unionPostings(range),
    },
    spaces: [],
    multi: [],
    sparse: [],
    fieldIndexes: indexes,
    filterCache: new FilterCache(changes),
    clock: systemClock,
  };
  return () => storage.close();
});

afterAll(() => scratch[Symbol.asyncDispose]());

/** Of ten rows one has the indexed value, and one the open one. */
function put(rows: readonly number[], values = (row: number) => ({ indexed: row % 10, open: Math.floor(row / 10) % 10 })): void {
  storage.write((transaction) => {
    const sequence = transaction.nextSequence();
    for (const row of rows) {
      const before = transaction.point(row);
      for (const key of before === undefined ? [] : postingKeysOf(indexes, JSON.parse(before.payload))) transaction.removePosting(key, row);
      transaction.putPoint(row, { id: row, version: sequence, vectorVersion: sequence, payload: stringifyJson(values(row)) });
      for (const key of postingKeysOf(indexes, values(row))) transaction.addPosting(key, row);
    }
    changes.enter(sequence, rows);
  });
  storage.refresh();
}

const pacer = () => createPacer(systemClock);

describe('a filter that comes again', () => {
  test('is not answered again while nothing changes', async () => {
    for (const [filter, count] of [
      [INDEXED, 100],
      [OPEN, 100],
      [BOTH, 10],
    ] as const) {
      expect((await new RowFilter(scope, filter).rows(pacer())).count).toBe(count);
      read = { points: 0, lists: 0 };
      expect(new RowFilter(scope, filter).matching?.count).toBe(count);
      expect(read).toEqual({ points: 0, lists: 0 });
    }
  });

  test('looks at the rows that changed, and only at them', async () => {
    for (const filter of [INDEXED, OPEN]) await new RowFilter(scope, filter).rows(pacer());
    read = { points: 0, lists: 0 };
    put([1, 2, 3], () => ({ indexed: 1, open: 1 }));
    expect(new RowFilter(scope, INDEXED).matching?.count).toBe(102);
    expect(new RowFilter(scope, OPEN).matching?.count).toBe(103);
    expect(read).toEqual({ points: 6, lists: 0 });
  });

  test('asks the indexes again where very much changed', async () => {
    await new RowFilter(scope, INDEXED).rows(pacer());
    read = { points: 0, lists: 0 };
    put(
      Array.from({ length: COUNT }, (_, row) => row),
      () => ({ indexed: 1, open: 0 }),
    );
    expect(new RowFilter(scope, INDEXED).matching?.count).toBe(COUNT);
    expect(read.points).toBe(0);
  });

  test('keeps its verdicts on the rows that did not change where no index decides', async () => {
    await new RowFilter(scope, OPEN).rows(pacer());
    read = { points: 0, lists: 0 };
    put(
      Array.from({ length: 100 }, (_, row) => row),
      () => ({ indexed: 1, open: 1 }),
    );
    const filter = new RowFilter(scope, OPEN);
    expect(filter.open).toMatchObject({ undecided: 100 });
    // Of the first hundred rows ten matched before.
    expect((await filter.rows(pacer())).count).toBe(190);
    // Those that changed, and a sample of twice 64 at most.
    expect(read.points).toBeLessThanOrEqual(100 + 128);
  });

  test('is evaluated once for all who ask at the same time', async () => {
    const asked = await Promise.all(Array.from({ length: 8 }, () => new RowFilter(scope, OPEN).rows(pacer())));
    expect(asked.map(({ count }) => count)).toEqual(Array.from({ length: 8 }, () => 100));
    expect(read.points).toBe(COUNT);
  });
});

describe('a filter that no index decides', () => {
  test('estimates by a sample how many rows match', () => {
    const { share, undecided } = new RowFilter(scope, OPEN).open;
    expect(share).toBeGreaterThan(0.02);
    expect(share).toBeLessThan(0.3);
    expect(undecided).toBe(COUNT - 64);
  });

  test('is looked for among what indexes leave', async () => {
    expect(new RowFilter(scope, BOTH).candidates?.count).toBe(100);
    await new RowFilter(scope, BOTH).rows(pacer());
    expect(read.points).toBe(100);
  });
});

test('of very many filters the last ones are kept', () => {
  const filterOf = (value: number) => ({ must: { key: 'indexed', match: { value } } });
  for (let value = 0; value < 100; value++) new RowFilter(scope, filterOf(value));
  read = { points: 0, lists: 0 };
  new RowFilter(scope, filterOf(99));
  expect(read.lists).toBe(0);
  new RowFilter(scope, filterOf(0));
  expect(read.lists).toBe(1);
});

describe('clusters of the rows of filters', () => {
  const filterOf = (value: number) => ({ must: { key: 'indexed', match: { value } } });
  const clustersOf = (value: number) => new RowFilter(scope, filterOf(value)).clusters(0);
  const train = (value: number, rows = 1) => {
    const centroids = createVectorSpace({ dimension: 1, metric: 'euclid', m: 0, efConstruct: 1, seed: 1, quantization: 'none' });
    const trained = {
      centroids,
      clusters: 1,
      spreads: new Float32Array(1),
      rowsRead: rows,
      rows: new Uint32Array(rows),
      starts: Uint32Array.of(0, rows),
    };
    const training = { changed: () => {} };
    clustersOf(value)?.begin(training);
    clustersOf(value)?.end(training, new RowClusters(trained, new RowSet()));
    scope.filterCache.boundClusters();
  };

  test('take no more memory than they may: those of the filter that was asked longest ago go first', () => {
    const MEGABYTE = 2 ** 18;
    for (const value of [1, 2, 3]) train(value, 6 * MEGABYTE);
    expect([1, 2, 3].map((value) => clustersOf(value)?.trained === undefined)).toEqual([true, false, false]);
  });

  test('outlive so many changes that the indexes are asked again, and know of each', () => {
    train(1);
    const trained = clustersOf(1)?.trained;
    const others = Array.from({ length: COUNT }, (_, row) => row).filter((row) => row % 10 !== 1);
    put(others, () => ({ indexed: 2, open: 1 }));
    expect(clustersOf(1)?.trained).toBe(trained);
    const matching = new RowFilter(scope, filterOf(1)).matching;
    expect(matching && trained?.unassignedCount(matching)).toBe(COUNT / 10);
  });

  test('go with a filter that is forgotten', () => {
    train(1);
    const forgotten = clustersOf(1);
    for (let value = 100; value < 200; value++) new RowFilter(scope, filterOf(value));
    expect(forgotten?.trained).toBeUndefined();
  });
});
