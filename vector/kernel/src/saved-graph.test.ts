import { crc32 } from 'node:zlib';
import { seededRandom } from '@sextant/foundation-std';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clusteredVectors } from './clustered-vectors.ts';
import { checkGraph } from './graph-check.ts';
import { attachIndexer, createVectorSpace, GraphDamagedError, type VectorSpaceOptions } from './index.ts';
import { attachKernel } from './kernel.ts';

const count = 3000;
const options: VectorSpaceOptions = { dimension: 24, metric: 'euclid', m: 8, efConstruct: 60, seed: 9 };
const vectors = clusteredVectors({ count, dimension: 24, clusters: 40, seed: 4 });
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
const saved = originalIndexer.saveGraph();

describe('a saved graph', () => {
  test('[K15] answers as it did, and grows on as it would have', () => {
    const space = createVectorSpace(options);
    space.loadGraph(saved);
    vectors.forEach((vector, row) => {
      space.adopt(row, vector, row + 0.5);
    });
    space.finishLoad();
    expect(space.indexedCount).toBe(count);
    expect(space.pendingCount).toBe(0);
    for (const query of queries) expect(space.search(query, { k: 10, ef: 40 })).toEqual(original.search(query, { k: 10, ef: 40 }));
    expect(attachIndexer(space.handle).saveGraph()).toEqual(saved);
  });

  test('[K15] brings its codes with it', () => {
    const space = createVectorSpace(options);
    space.loadGraph(saved);
    vectors.forEach((vector, row) => {
      space.adopt(row, vector, row + 0.5);
    });
    space.finishLoad();
    const [kernel, before] = [attachKernel(space.handle), attachKernel(original.handle)];
    expect(kernel.codesInUse()).toBe(1);
    for (const row of [0, 1, count - 1]) expect(kernel.codeNearness(row, 7)).toBe(before.codeNearness(row, 7));
  });

  test('[K15] of format 1, which had no codes, still fits; codes come with the next step of the indexer', () => {
    const words = new Uint32Array(saved.buffer.slice(0));
    const old = new Uint32Array([...words.subarray(0, 10), ...words.subarray(16)]);
    old[1] = 1;
    old[old.length - 1] = crc32(new Uint8Array(old.buffer, 0, old.byteLength - 4));
    const space = createVectorSpace(options);
    space.loadGraph(new Uint8Array(old.buffer));
    vectors.forEach((vector, row) => {
      space.adopt(row, vector, row + 0.5);
    });
    space.finishLoad();
    const search = () => queries.map((query) => space.search(query, { k: 10, ef: 100 }));
    expect(search()).toEqual(queries.map((query) => original.search(query, { k: 10, ef: 100 })));
    expect(attachKernel(space.handle).codesInUse()).toBe(0);
    attachIndexer(space.handle).link(1);
    expect(attachKernel(space.handle).codesInUse()).toBe(1);
    expect(search()).toEqual(queries.map((query) => original.search(query, { k: 10, ef: 100 })));
  });

  test('[K15] lies anywhere in a buffer', () => {
    const shifted = new Uint8Array(saved.length + 3);
    shifted.set(saved, 3);
    const space = createVectorSpace(options);
    space.loadGraph(shifted.subarray(3));
    expect(space.isFree(0)).toBe(false);
  });

  test('[K16] takes changed, missing and new rows', () => {
    const space = createVectorSpace(options);
    const indexer = attachIndexer(space.handle);
    const random = seededRandom(1);
    const changed = vectors.map(() => random.next() < 0.2);
    const missing = vectors.map((_, row) => !changed[row] && random.next() < 0.25);
    space.loadGraph(saved);
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

  test('[K16] of which nothing is adopted leaves deleted rows that a repair releases', () => {
    const space = createVectorSpace(options);
    const indexer = attachIndexer(space.handle);
    space.loadGraph(saved);
    space.finishLoad();
    expect(space.liveCount).toBe(0);
    expect(space.search(new Float32Array(24), { k: 3, ef: 10 }).rows).toHaveLength(0);
    while (!indexer.repair(1000));
    indexer.reclaim();
    expect(space.isFree(7)).toBe(true);
    expect(checkGraph(space.handle).nodes).toBe(0);
  });

  test('an empty graph is saved and loaded', () => {
    const empty = createVectorSpace(options);
    const space = createVectorSpace(options);
    space.loadGraph(attachIndexer(empty.handle).saveGraph());
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
        expect(() => space.loadGraph(bytes)).toThrow(GraphDamagedError);
        expect(space.rowBound).toBe(0);
      }),
      { numRuns: 150, seed: 1 },
    );
    space.loadGraph(saved);
    expect(space.rowBound).toBe(count);
  });

  test.each([{ dimension: 25 }, { metric: 'dot' as const }, { m: 9 }])('other parameters are told apart: %o', (other) => {
    const space = createVectorSpace({ ...options, ...other });
    expect(() => space.loadGraph(saved)).toThrow(GraphDamagedError);
    space.put(0, new Float32Array(space.dimension), 1);
    expect(space.liveCount).toBe(1);
  });
});
