// SPDX-License-Identifier: Apache-2.0
import { AssertionError } from '@sextant/foundation-std';
import { describe, expect, test } from 'vitest';
import { clusteredVectors, lowRankVectors } from './clustered-vectors.ts';
import { checkGraph } from './graph-check.ts';
import { attachIndexer, attachReader, createVectorSpace, SpaceFullError, type SpaceIndexer, type SpaceWriter } from './index.ts';

const options = { dimension: 64, metric: 'euclid' as const, m: 8, efConstruct: 40, seed: 1 };
/** For a graph that is soon built, where a test looks at its memory. */
const COARSE = { efConstruct: 12 } as const;

describe('[K18] a space with a bound', () => {
  test('is filled to it, and can still be searched, linked, emptied and filled again', () => {
    const space = createVectorSpace({ ...options, bytesMax: 2 * 2 ** 20 });
    const indexer = attachIndexer(space.handle);
    const vectors = clusteredVectors({ count: 6000, dimension: 64, clusters: 10, seed: 1 });
    let row = 0;
    const fill = () => {
      for (; row < vectors.length; row++) space.put(row, vectors[row] ?? new Float32Array(64), row);
    };
    expect(fill).toThrow(SpaceFullError);
    expect(row).toBeGreaterThan(1500);
    expect(space.liveCount).toBe(row);
    expect(space.rowBound).toBe(row);
    expect(space.isFree(row)).toBe(true);
    expect(space.bytesUsed).toBeLessThanOrEqual(space.bytesMax);
    expect(() => space.reserve(row + 1)).toThrow(SpaceFullError);
    while (indexer.link(1000) > 0) indexer.reclaim();
    expect(space.indexedCount).toBe(row);
    const query = vectors[5] ?? new Float32Array(64);
    expect(space.search(query, { k: 1, ef: 50 }).rows).toEqual(Uint32Array.of(5));
    space.remove(5);
    expect(space.search(query, { k: 1, ef: 50 }).rows).not.toEqual(Uint32Array.of(5));
    while (!indexer.repair(1000));
    indexer.reclaim();
    space.put(5, query, 7);
    expect(space.search(query, { k: 1, ef: 50 }).rows).toEqual(Uint32Array.of(5));
    expect(checkGraph(space.handle).faults).toEqual([]);
  });

  test('takes no rows when it is too small for one block, and says so', () => {
    const space = createVectorSpace({ ...options, bytesMax: 2 * 65536 });
    expect(() => space.put(0, new Float32Array(64), 1)).toThrow(SpaceFullError);
    expect(space.rowBound).toBe(0);
    expect(space.search(new Float32Array(64), { k: 1, ef: 1 }).rows).toHaveLength(0);
  });

  test('reserves what is then never refused', () => {
    const space = createVectorSpace({ ...options, bytesMax: 4 * 2 ** 20 });
    space.reserve(3000);
    const used = space.bytesUsed;
    for (let row = 0; row < 3000; row++) space.put(row, new Float32Array(64).fill(row), row);
    expect(space.bytesUsed).toBe(used);
    expect(() => space.reserve(2 ** 31)).toThrow(SpaceFullError);
  });
});

describe('[K19] memory', () => {
  test('an empty space takes two pages', () => {
    expect(createVectorSpace(options).handle.memory.buffer.byteLength).toBe(2 * 65536);
  });

  test('readers that come and go leave nothing behind', () => {
    const space = createVectorSpace(options);
    for (let row = 0; row < 100; row++) space.put(row, new Float32Array(64).fill(row), row);
    const visit = () => {
      const reader = attachReader(space.handle);
      reader.search(new Float32Array(64), { k: 10, ef: 100, filter: new Uint32Array(4).fill(0xff) });
      reader.detach();
    };
    visit();
    const used = space.bytesUsed;
    for (let i = 0; i < 50; i++) visit();
    expect(space.bytesUsed).toBe(used);
  });

  /** Puts and links rows below `to`, a hundred at a time. */
  function growTo(to: number, space: SpaceWriter, indexer: SpaceIndexer, vectors: readonly Float32Array[]): void {
    while (space.rowBound < to) {
      const from = space.rowBound;
      for (const [i, vector] of vectors.slice(from, from + 100).entries()) space.put(from + i, vector, 1);
      while (indexer.link(100) > 0) indexer.reclaim();
      indexer.reclaim();
    }
  }

  test('that held the first vectors, where these are stored elsewhere, holds the rows that come later', () => {
    const vectors = lowRankVectors({ count: 2800, dimension: 512, rank: 24, clusters: 40, seed: 3 });
    const space = createVectorSpace({ ...options, ...COARSE, dimension: 512, vectors: 'released' });
    const indexer = attachIndexer(space.handle);
    growTo(2200, space, indexer, vectors);
    expect(space.codes).toBe('in use');
    const used = space.bytesUsed;
    growTo(2800, space, indexer, vectors);
    expect(space.bytesUsed).toBe(used);
    expect(checkGraph(space.handle).faults).toEqual([]);
  });

  test('that it took to learn codes holds the rows that come later', () => {
    const dimension = 512;
    const COUNT = 1100;
    const space = createVectorSpace({ ...options, ...COARSE, dimension });
    const indexer = attachIndexer(space.handle);
    growTo(COUNT, space, indexer, lowRankVectors({ count: COUNT, dimension, rank: 220, clusters: 40, seed: 3 }));
    // Learning directions for codes of this length takes 0.7 MB; shorter ones are tried before.
    expect(space.comparedBytes).toBe(256);
    const vectorsCodesAndLinks = COUNT * (dimension * 4 + 256 + 4 + options.m * 8 + 14);
    expect(space.bytesUsed - vectorsCodesAndLinks).toBeLessThan(1.5 * 2 ** 20);
    expect(checkGraph(space.handle).faults).toEqual([]);
  });

  test('the 65th reader is refused, until another one leaves', () => {
    const space = createVectorSpace(options);
    const readers = Array.from({ length: 63 }, () => attachReader(space.handle));
    expect(() => attachReader(space.handle)).toThrow(AssertionError);
    readers[0]?.detach();
    expect(attachReader(space.handle).rowBound).toBe(0);
  });
});

describe('arguments that only a wrong program passes', () => {
  const space = createVectorSpace(options);
  space.put(0, new Float32Array(64), 1);
  const query = new Float32Array(64);
  test.each([
    ['a short vector', () => space.put(1, new Float32Array(63), 1)],
    ['a row that is taken', () => space.put(0, query, 1)],
    ['a negative row', () => space.put(-1, query, 1)],
    ['the removal of nothing', () => space.remove(1)],
    ['a long query', () => space.search(new Float32Array(65), { k: 1, ef: 1 })],
    ['k of zero', () => space.search(query, { k: 0, ef: 1 })],
    ['a broken ef', () => space.search(query, { k: 1, ef: 1.5 })],
    ['a negative start', () => space.scan(query, { k: 1, fromRow: -1, toRow: 1 })],
    ['no dimension', () => createVectorSpace({ ...options, dimension: 0 })],
    ['m beyond its bound', () => createVectorSpace({ ...options, m: 513 })],
    ['more than 4 GiB', () => createVectorSpace({ ...options, bytesMax: 2 ** 32 })],
  ])('%s', (_, wrong) => {
    expect(wrong).toThrow(AssertionError);
  });
});
