// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { describe, expect, test } from 'vitest';
import { clusteredVectors } from './clustered-vectors.ts';
import { attachIndexer, createVectorSpace, type Metric } from './index.ts';

const DIMENSION = 32;
const COUNT = 3000;
const K = 10;
const vectors = clusteredVectors({ count: COUNT + 100, dimension: DIMENSION, clusters: 20, seed: 3 });
const points = vectors.slice(0, COUNT);
const queries = vectors.slice(COUNT);

function filterOf(passes: (row: number) => boolean): Uint32Array {
  const filter = new Uint32Array(Math.ceil(COUNT / 32));
  for (let row = 0; row < COUNT; row++) if (passes(row)) filter[row >>> 5] = (filter[row >>> 5] ?? 0) | (1 << (row & 31));
  return filter;
}

/** Rows from `linked` on are pending. */
function spaceOf({ metric, linked }: { metric: Metric; linked: number }) {
  const space = createVectorSpace({ dimension: DIMENSION, metric, m: 8, efConstruct: 64, seed: 1 });
  const indexer = attachIndexer(space.handle);
  for (const [row, vector] of points.slice(0, linked).entries()) space.put(row, vector, row);
  while (indexer.link(1000) > 0) indexer.reclaim();
  for (const [index, vector] of points.slice(linked).entries()) space.put(linked + index, vector, linked + index);
  return space;
}

describe.each(['dot', 'euclid', 'manhattan'] as const)('a quantized flat scan by %s', (metric) => {
  const space = spaceOf({ metric, linked: 2000 });
  for (let row = 0; row < COUNT; row += 7) space.remove(row);
  const odd = filterOf((row) => row % 2 === 1);

  test.each([
    { what: 'of all rows', range: { k: K, fromRow: 0, toRow: COUNT } },
    { what: 'of a filter', range: { k: K, fromRow: 0, toRow: COUNT, filter: odd } },
    { what: 'of a part of a filter', range: { k: K, fromRow: 1500, toRow: 2500, filter: odd } },
    { what: 'of rows that wait for the graph', range: { k: K, fromRow: 2000, toRow: COUNT, filter: odd } },
  ])('[K3] [K25] finds nearly always what a scan finds, with the same distances: $what', ({ range }) => {
    let found = 0;
    for (const query of queries) {
      const exact = space.scan(query, range);
      const scanned = space.scanQuantized(query, range);
      const distances = new Map([...exact.rows].map((row, index) => [row, exact.distances[index]]));
      expect(new Set(scanned.rows).size).toBe(K);
      expect([...scanned.distances]).toEqual([...scanned.distances].toSorted((a, b) => a - b));
      for (const [index, row] of scanned.rows.entries()) {
        if (!distances.has(row)) continue;
        found++;
        expect(scanned.distances[index]).toBe(distances.get(row));
      }
    }
    expect(found / queries.length / K).toBeGreaterThanOrEqual(0.99);
  });

  test('[K25] is a scan where codes are not to be used', () => {
    const range = { k: K, fromRow: 0, toRow: COUNT, filter: odd };
    for (const query of queries) expect(space.scanQuantized(query, { ...range, rescored: 0 })).toEqual(space.scan(query, range));
  });

  test('[K25] finds the same in slices', () => {
    for (const query of queries.slice(0, 10)) {
      const rows = [0, 1000, 2000].flatMap((fromRow) => [
        ...space.scanQuantized(query, { k: 500, fromRow, toRow: fromRow + 1000, filter: odd }).rows,
      ]);
      expect(new Set(rows).size).toBe(rows.length);
      for (const row of space.scanQuantized(query, { k: K, fromRow: 0, toRow: COUNT, filter: odd }).rows) expect(rows).toContain(row);
    }
  });
});

test('[K25] finds rows of blocks that are shorter than a word of a filter', () => {
  const [dimension, count] = [6600, 1010];
  const random = seededRandom(7);
  // Each is a part of them that begins elsewhere: millions of draws take longer than all else here.
  const draws = Float32Array.from({ length: dimension + count }, () => random.next() - 0.5);
  const drawn = (from: number) => draws.subarray(from, from + dimension);
  const long = Array.from({ length: count }, (_, row) => {
    const centre = drawn(count - 1 - (row % 20));
    return drawn(row).map((value, at) => value + (centre[at] ?? 0));
  });
  const space = createVectorSpace({ dimension, metric: 'euclid', m: 2, efConstruct: 4, seed: 1, quantization: 'int8' });
  const indexer = attachIndexer(space.handle);
  for (const [row, vector] of long.entries()) space.put(row, vector, row);
  while (indexer.link(1000) > 0) indexer.reclaim();
  expect(space.codes).toBe('in use');
  const filter = Uint32Array.from({ length: Math.ceil(count / 32) }, () => random.integer(2 ** 32));
  const passes = (row: number) => (((filter[row >>> 5] ?? 0) >>> (row & 31)) & 1) === 1;
  for (const [fromRow, toRow] of [
    [0, count],
    [37, 1001],
    [70, 75],
  ] as const) {
    const { rows } = space.scanQuantized(long[5] ?? new Float32Array(), { k: count, fromRow, toRow, filter });
    expect([...rows].sort((a, b) => a - b)).toEqual(Array.from({ length: toRow - fromRow }, (_, at) => fromRow + at).filter(passes));
  }
});

test('[K48] what is compared are vectors until codes are in use', () => {
  const space = createVectorSpace({ dimension: DIMENSION, metric: 'dot', m: 8, efConstruct: 64, seed: 1 });
  expect(space.comparedBytes).toBe(DIMENSION * Float32Array.BYTES_PER_ELEMENT);
  const coded = spaceOf({ metric: 'dot', linked: COUNT });
  expect(coded.codes).toBe('in use');
  expect(coded.comparedBytes).toBeLessThan(DIMENSION * Float32Array.BYTES_PER_ELEMENT);
});

describe.each(['euclid', 'dot', 'manhattan'] as const)('a quantized flat scan of named rows by %s', (metric) => {
  const space = spaceOf({ metric, linked: COUNT - 200 });
  const random = seededRandom(11);
  for (let row = 0; row < COUNT; row += 7) space.remove(row);
  const some = (share: number) => Uint32Array.from({ length: COUNT }, (_, row) => row).filter(() => random.next() < share);
  const shuffled = (rows: Uint32Array) =>
    Uint32Array.from(
      [...rows].map((row) => [random.next(), row] as const).sort((a, b) => a[0] - b[0]),
      (pair) => pair[1],
    );

  test.each([0.01, 0.2, 1])('[K55] answers as a quantized flat scan by a filter does, of a share of %d and in any order', (share) => {
    expect(space.codes).toBe('in use');
    expect(space.pendingCount).toBeGreaterThan(0);
    for (const query of queries.slice(0, 10)) {
      const rows = some(share);
      const chosen = new Set(rows);
      for (const rescoring of [{}, { rescored: 0 }, { oversampling: 4 }]) {
        const scanned = space.scanQuantized(query, {
          k: K,
          fromRow: 0,
          toRow: COUNT,
          filter: filterOf((row) => chosen.has(row)),
          ...rescoring,
        });
        expect(space.scanRowsQuantized(query, { k: K, rows: shuffled(rows), ...rescoring })).toEqual(scanned);
      }
    }
  });

  test('[K55] passes over rows that are not there', () => {
    const [query = new Float32Array()] = queries;
    const { rows } = space.scanRowsQuantized(query, { k: K, rows: Uint32Array.of(0, 1, 7, COUNT - 1, COUNT + 5, 0xffff_ffff) });
    expect([...rows].sort((a, b) => a - b)).toEqual([1, COUNT - 1].filter((row) => row % 7 !== 0));
    expect(space.scanRowsQuantized(query, { k: K, rows: new Uint32Array() }).rows).toHaveLength(0);
  });

  test('[K55] distances are those of a scan, and infinite where there is no vector', () => {
    const [query = new Float32Array()] = queries;
    const { rows, distances } = space.scan(query, { k: COUNT, fromRow: 0, toRow: COUNT });
    const byRow = new Map([...rows].map((row, index) => [row, distances[index]]));
    const [fromRow, toRow] = [100, COUNT + 50];
    const found = space.distances(query, { fromRow, toRow });
    expect([...found]).toEqual(Array.from({ length: toRow - fromRow }, (_, at) => byRow.get(fromRow + at) ?? Number.POSITIVE_INFINITY));
  });
});

describe('a filtered walk', () => {
  const space = spaceOf({ metric: 'dot', linked: COUNT });
  const random = seededRandom(5);

  test.each([0.5, 0.2, 0.05])('[K6] finds the nearest of a share of %d, wherever they are', (share) => {
    const near = queries[0] ?? new Float32Array();
    const order = space.scan(near, { k: COUNT, fromRow: 0, toRow: COUNT }).rows;
    const chosen = new Set(order.slice(0, COUNT * share));
    for (const filter of [filterOf(() => random.next() < share), filterOf((row) => chosen.has(row))]) {
      let found = 0;
      let wanted = 0;
      for (const query of queries) {
        const truth = space.scan(query, { k: K, fromRow: 0, toRow: COUNT, filter }).rows;
        const rows = new Set(space.search(query, { k: K, ef: 100, filter }).rows);
        wanted += truth.length;
        found += truth.filter((row) => rows.has(row)).length;
      }
      expect(found / wanted).toBeGreaterThanOrEqual(0.95);
    }
  });

  test('[K47] the share around a query tells filters that pass there from those that pass elsewhere', () => {
    let nearShares = 0;
    let farShares = 0;
    const some = queries.slice(0, 20);
    for (const query of some) {
      const order = space.scan(query, { k: COUNT, fromRow: 0, toRow: COUNT }).rows;
      const [near, far] = [new Set(order.slice(0, 1000)), new Set(order.slice(-1000))];
      nearShares += space.passingShare(
        query,
        filterOf((row) => near.has(row)),
      );
      farShares += space.passingShare(
        query,
        filterOf((row) => far.has(row)),
      );
    }
    // On average: with the steps from above, a row that is farther off ends up there now and then.
    expect(nearShares / some.length).toBeGreaterThan(0.8);
    expect(farShares / some.length).toBeLessThan(0.1);
    expect(space.passingShare(queries[0] ?? new Float32Array(), new Uint32Array())).toBe(0);
  });
});
