// SPDX-License-Identifier: Apache-2.0
import { crc32 } from 'node:zlib';
import { seededRandom } from '@sextant/foundation-std';
import { roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clusteredVectors } from './clustered-vectors.ts';
import { graphBytes, sourceOf } from './graph-bytes.ts';
import { checkGraph } from './graph-check.ts';
import { attachIndexer, createVectorSpace, GraphDamagedError, type VectorSpaceOptions } from './index.ts';
import { attachKernel } from './kernel.ts';

const count = 1500;
const options: VectorSpaceOptions = { dimension: 24, metric: 'euclid', m: 8, efConstruct: 60, seed: 9 };
const vectors = clusteredVectors({ count, dimension: 24, clusters: 40, seed: 4 });
const vector0 = new Float32Array(24);
const queries = clusteredVectors({ count: 40, dimension: 24, clusters: 40, seed: 4 });

function built() {
  const space = createVectorSpace(options);
  vectors.forEach((vector, row) => {
    space.put(row, vector, row + 0.5);
  });
  const indexer = attachIndexer(space.handle);
  while (indexer.link(1000) > 0) indexer.reclaim();
  return { space, indexer };
}

const { space: original, indexer: originalIndexer } = built();
const saved = graphBytes(originalIndexer, 7);

/** A space into which the saved graph was loaded, with all of its rows as they were. */
function loaded() {
  const space = createVectorSpace(options);
  space.loadGraph(sourceOf(saved), { newest: 7 });
  return space;
}

describe('a saved graph', () => {
  test('[K15] answers as it did, and grows on as it would have', () => {
    const space = loaded();
    space.finishLoad();
    expect(space.indexedCount).toBe(count);
    expect(space.pendingCount).toBe(0);
    for (const query of queries) expect(space.search(query, { k: 10, ef: 40 })).toEqual(original.search(query, { k: 10, ef: 40 }));
    expect(graphBytes(attachIndexer(space.handle), 7)).toEqual(saved);
    const [later, reference] = [attachIndexer(space.handle), built()];
    for (const each of [space, reference.space])
      for (let row = count; row < count + 50; row++) each.put(row, vectors[row - count] ?? vector0, row);
    for (const each of [later, reference.indexer]) while (each.link(1000) > 0) each.reclaim();
    for (const query of queries) expect(space.search(query, { k: 10, ef: 40 })).toEqual(reference.space.search(query, { k: 10, ef: 40 }));
  });

  test('[K15] brings its codes with it', () => {
    const space = loaded();
    space.finishLoad();
    const [kernel, before] = [attachKernel(space.handle), attachKernel(original.handle)];
    expect(kernel.codesInUse()).toBe(1);
    for (const row of [0, 1, count - 1]) expect(kernel.codeNearness(row, 7)).toBe(before.codeNearness(row, 7));
  });

  test('[K15] tells the last write that it holds, and is refused where storage is behind it', () => {
    expect(createVectorSpace(options).loadGraph(sourceOf(saved), { newest: 8 })).toBe(7);
    expect(() => createVectorSpace(options).loadGraph(sourceOf(saved), { newest: 6 })).toThrow(GraphDamagedError);
  });

  test('[K43] holds rows that waited, and whatever was in transit has arrived', () => {
    const { space, indexer } = built();
    for (let row = 0; row < count; row += 3) space.remove(row);
    for (let row = 0; row < 20; row++) space.put(count + row, new Float32Array(24).fill(row), count + row);
    space.remove(count + 4);
    indexer.repair(500);
    const bytes = graphBytes(indexer);
    const copy = createVectorSpace(options);
    copy.loadGraph(sourceOf(bytes), { newest: 0 });
    copy.finishLoad();
    expect(checkGraph(copy.handle).faults).toEqual([]);
    expect([copy.liveCount, copy.pendingCount]).toEqual([space.liveCount, 19]);
    for (let row = 0; row < count + 20; row++) expect(copy.has(row)).toBe(space.has(row));
    const range = { k: 20, fromRow: 0, toRow: count + 20 };
    for (const query of queries) expect(copy.scan(query, range)).toEqual(space.scan(query, range));
  });

  test('[K43] a row that was torn while it was saved comes from storage', () => {
    const { space, indexer } = built();
    space.put(count, new Float32Array(24).fill(1), count);
    const bytes = graphBytes(indexer, count - 1);
    const copy = createVectorSpace(options);
    copy.loadGraph(sourceOf(bytes), { newest: count });
    copy.recall({ fromRow: count - 10, toRow: count + 10 });
    for (let row = count - 10; row < count; row++) copy.adopt(row, vectors[row] ?? new Float32Array(24), row + 0.5);
    copy.adopt(count, new Float32Array(24).fill(2), count);
    copy.finishLoad();
    expect([copy.indexedCount, copy.pendingCount]).toEqual([count, 1]);
    expect(copy.scanRows(new Float32Array(24).fill(2), { k: 1, rows: Uint32Array.of(count) }).distances[0]).toBe(0);
  });

  test('[K16] takes changed, missing and new rows', () => {
    const space = createVectorSpace(options);
    const indexer = attachIndexer(space.handle);
    const random = seededRandom(1);
    const changed = vectors.map(() => random.next() < 0.2);
    const missing = vectors.map((_, row) => !changed[row] && random.next() < 0.25);
    space.loadGraph(sourceOf(saved), { newest: 7 });
    space.recall({ fromRow: 0, toRow: count + 1000 });
    vectors.forEach((vector, row) => {
      if (!missing[row]) space.adopt(row, changed[row] ? vector.map((value) => -value) : vector, changed[row] ? row : row + 0.5);
    });
    space.adopt(count + 5, new Float32Array(24).fill(9), 1);
    space.finishLoad();
    expect(space.pendingCount).toBe(changed.filter(Boolean).length + 1);
    expect(indexer.deletedCount).toBe(missing.filter(Boolean).length);
    expect(checkGraph(space.handle).faults).toEqual([]);
    expect(checkGraph(space.handle).reachableShare).toBeGreaterThan(0.98);
    while (indexer.link(100) > 0) indexer.reclaim();
    while (!indexer.repair(100)) indexer.reclaim();
    indexer.reclaim();
    const report = checkGraph(space.handle);
    expect(report.faults).toEqual([]);
    expect(report.reachableShare).toBeGreaterThan(0.995);
    expect(report.liveNodes).toBe(count + 1 - missing.filter(Boolean).length);
    expect(missing.map((isMissing, row) => space.isFree(row) === isMissing)).not.toContain(false);
    let found = 0;
    for (const query of queries) {
      const truth = new Set(space.scan(query, { k: 10, fromRow: 0, toRow: space.rowBound }).rows);
      found += space.search(query, { k: 10, ef: 64 }).rows.filter((row) => truth.has(row)).length;
    }
    expect(found / (queries.length * 10)).toBeGreaterThan(0.95);
  });

  test('[K16] counts the deleted rows that it held once, and keeps them deleted', () => {
    const { space, indexer } = built();
    const deleted = Math.floor(count / 3);
    for (let row = 0; row < deleted; row++) space.remove(row);
    const copy = createVectorSpace(options);
    const copyIndexer = attachIndexer(copy.handle);
    copy.loadGraph(sourceOf(graphBytes(indexer, 7)), { newest: 7 });
    copy.recall({ fromRow: 0, toRow: count });
    for (let row = deleted; row < count; row++) copy.adopt(row, vectors[row] ?? vector0, row + 0.5);
    copy.finishLoad();
    expect([copy.liveCount, copyIndexer.deletedCount]).toEqual([count - deleted, deleted]);
    while (!copyIndexer.repair(1000)) copyIndexer.reclaim();
    copyIndexer.reclaim();
    expect([copy.liveCount, copyIndexer.deletedCount]).toEqual([count - deleted, 0]);
    expect(checkGraph(copy.handle).faults).toEqual([]);
    expect(copy.isFree(0)).toBe(true);
  });

  test('[K16] of which nothing is adopted leaves deleted rows that a repair releases', () => {
    const space = createVectorSpace(options);
    const indexer = attachIndexer(space.handle);
    space.loadGraph(sourceOf(saved), { newest: 7 });
    space.recall({ fromRow: 0, toRow: count });
    space.finishLoad();
    expect(space.liveCount).toBe(0);
    expect(space.search(new Float32Array(24), { k: 3, ef: 10 }).rows).toHaveLength(0);
    while (!indexer.repair(1000));
    indexer.reclaim();
    expect(space.isFree(7)).toBe(true);
    expect(checkGraph(space.handle).nodes).toBe(0);
  });

  test('[K44] of a space that has shrunk takes no more memory than its rows', () => {
    const { space, indexer } = built();
    for (let row = 500; row < count; row++) space.remove(row);
    while (!indexer.repair(1000));
    indexer.reclaim();
    expect([space.rowBound, space.usedBound]).toEqual([count, 500]);
    const copy = createVectorSpace(options);
    copy.loadGraph(sourceOf(graphBytes(indexer)), { newest: 0 });
    copy.finishLoad();
    expect([copy.rowBound, copy.indexedCount]).toEqual([500, 500]);
    expect(checkGraph(copy.handle).faults).toEqual([]);
    for (const query of queries) expect(copy.search(query, { k: 10, ef: 40 })).toEqual(space.search(query, { k: 10, ef: 40 }));
  });

  test('an empty graph is saved and loaded', () => {
    const empty = createVectorSpace(options);
    const space = createVectorSpace(options);
    space.loadGraph(sourceOf(graphBytes(attachIndexer(empty.handle))), { newest: 0 });
    space.adopt(0, new Float32Array(24).fill(1), 1);
    space.finishLoad();
    expect(space.pendingCount).toBe(1);
  });
});

describe('[K17] damage', () => {
  const damaged: fc.Arbitrary<Uint8Array> = fc.oneof(
    fc.nat(saved.length - 1).map((length) => saved.slice(0, length)),
    fc.tuple(fc.nat(saved.length - 1), fc.integer({ min: 1, max: 255 })).map(([at, mask]) => {
      const bytes = saved.slice();
      bytes[at] = (bytes[at] ?? 0) ^ mask;
      return bytes;
    }),
    fc.uint8Array({ minLength: 1, maxLength: 100 }).map((tail) => new Uint8Array([...saved, ...tail])),
    fc.uint8Array({ maxLength: 200 }),
  );

  test('is found, and the space is usable afterwards', () => {
    const space = createVectorSpace(options);
    fc.assert(
      fc.property(damaged, (bytes) => {
        expect(() => space.loadGraph(sourceOf(bytes), { newest: 7 })).toThrow(GraphDamagedError);
        expect(space.rowBound).toBe(0);
      }),
      { numRuns: roundsOf({ quick: 20, long: 1500 }), seed: 1 },
    );
    space.loadGraph(sourceOf(saved), { newest: 7 });
    space.finishLoad();
    expect(space.indexedCount).toBe(count);
    expect(checkGraph(space.handle).faults).toEqual([]);
  });

  test.each([
    ['the format', 1, 4, /^the format 4 of the saved graph is not known$/],
    ['a kind of codes that there is no more', 5, 2, /other parameters/],
  ])('a graph of an earlier release is recognised by %s', (_, word, value, message) => {
    const bytes = saved.slice();
    const words = new Uint32Array(bytes.buffer, 0, 16);
    words[word] = value;
    words[15] = crc32(bytes.subarray(0, 60));
    const space = createVectorSpace(options);
    expect(() => space.loadGraph(sourceOf(bytes), { newest: 7 })).toThrow(message);
    expect(() => space.loadGraph(sourceOf(bytes), { newest: 7 })).toThrow(GraphDamagedError);
    space.loadGraph(sourceOf(saved), { newest: 7 });
  });

  test.each([{ dimension: 25 }, { metric: 'dot' as const }, { m: 9 }])('other parameters are distinguished: %o', (other) => {
    const space = createVectorSpace({ ...options, ...other });
    expect(() => space.loadGraph(sourceOf(saved), { newest: 7 })).toThrow(GraphDamagedError);
    space.put(0, new Float32Array(space.dimension), 1);
    expect(space.liveCount).toBe(1);
  });
});
