// SPDX-License-Identifier: Apache-2.0
/** Reduced codes of vectors of bytes, which otherwise are their own codes. */
import { describe, expect, test } from 'vitest';
import { asBytes, clusteredVectors, lowRankVectors } from './clustered-vectors.ts';
import { fillSpace, recallOf, sharedSpaces } from './filled-space.ts';
import { graphBytes, sourceOf } from './graph-bytes.ts';
import { checkGraph } from './graph-check.ts';
import {
  attachIndexer,
  attachReader,
  createShardedSpace,
  createVectorSpace,
  GraphDamagedError,
  type VectorSpaceHandle,
  type VectorSpaceOptions,
} from './index.ts';
import { attachKernel } from './kernel.ts';
import { referenceNearest } from './reference.ts';

const dimension = 256;
const steps = 30;
const options: VectorSpaceOptions = { dimension, metric: 'euclid', datatype: 'uint8', m: 8, efConstruct: 60, seed: 1 };
const set = asBytes(lowRankVectors({ count: 2600, dimension, rank: 24, clusters: 30, seed: 1 }), steps);
const many = set.slice(0, 2500);
const vectors = many.slice(0, 1500);
const queries = set.slice(2500);
const others = asBytes(lowRankVectors({ count: 1200, dimension, rank: 24, clusters: 30, seed: 9 }), steps);
/** For a graph that is soon built, where a test looks at the codes alone. */
const COARSE = { m: 4, efConstruct: 12 } as const;
/** 60 directions cover all 24. */
const reducedBytes = 64;

function isReduced(handle: VectorSpaceHandle): boolean {
  return attachKernel(handle).codesReduced() !== 0;
}

function filled(rows: readonly Uint8Array[], other: Partial<VectorSpaceOptions> = {}) {
  return fillSpace({ ...options, ...other }, rows);
}

const spaces = sharedSpaces();
/** Of all vectors, for tests that change nothing. */
const shared = (other: Partial<VectorSpaceOptions> = {}) => spaces({ ...options, ...other }, vectors);

function recall(space: Parameters<typeof recallOf>[0], { k, ef }: { k: number; ef: number }): number {
  return recallOf(space, queries, { k, ef });
}

function learnedIn(handle: VectorSpaceHandle): Int8Array {
  const kernel = attachKernel(handle);
  return new Int8Array(handle.memory.buffer, kernel.learnedAddress() >>> 0, kernel.learnedBytes()).slice();
}

describe('reduced codes of bytes', () => {
  test('[K33] [K53] are used by euclid by default where the dimension is 128 or more', () => {
    const { space, add } = filled(vectors.slice(0, 999), COARSE);
    expect([isReduced(space.handle), space.codes, space.comparedBytes]).toEqual([false, 'in use', dimension]);
    add(vectors.slice(999, 1000));
    expect([isReduced(space.handle), space.codes, space.comparedBytes]).toEqual([true, 'in use', reducedBytes]);
    const rows = vectors.slice(0, 1000);
    for (const metric of ['manhattan', 'dot', 'cosine'] as const)
      expect(isReduced(filled(rows, { ...COARSE, metric }).space.handle)).toBe(false);
    for (const quantization of ['none', 'int8', 'product-x4'] as const)
      expect(isReduced(filled(rows, { ...COARSE, quantization }).space.handle)).toBe(false);
    const short = rows.map((vector) => vector.slice(0, 127));
    expect(isReduced(filled(short, { ...COARSE, dimension: 127 }).space.handle)).toBe(false);
  });

  test('take a quarter of what the bytes take, beside them', () => {
    const rowBytes = (quantization: VectorSpaceOptions['quantization']) =>
      createVectorSpace({ ...options, dimension: 1024, ...(quantization === undefined ? {} : { quantization }) }).rowBytes;
    expect(rowBytes(undefined) - rowBytes('none')).toBeGreaterThanOrEqual(512);
    expect(rowBytes(undefined) - rowBytes('none')).toBeLessThan(520);
  });

  test('[K1] [K3] [K21] choose candidates only: distances and order are those of the vectors', () => {
    const { space } = shared();
    const model = new Map(vectors.entries());
    for (const query of queries.slice(0, 10)) {
      const truth = referenceNearest('euclid', query, model, 10);
      expect(space.search(query, { k: 10, ef: 1500, oversampling: 4 })).toEqual(truth);
      expect(space.search(query, { k: 10, ef: 1500, rescored: 0 })).toEqual(truth);
      expect(space.scan(query, { k: 10, fromRow: 0, toRow: space.rowBound })).toEqual(truth);
    }
  });

  test('[K7] [K54] find what a walk on the bytes finds with the same ef', () => {
    const [onReduced, onBytes] = [{}, { quantization: 'none' } as const].map((other) => shared(other).space);
    expect(onReduced && isReduced(onReduced.handle)).toBe(true);
    for (const [k, ef] of [
      [1, 16],
      [10, 10],
      [10, 64],
      [100, 128],
    ] as const) {
      const [found = 0, wanted = 0] = [onReduced, onBytes].map((space) => (space ? recall(space, { k, ef }) : 0));
      // 0.01 is one query of them where one row is wanted.
      expect(wanted - found).toBeLessThan(0.0101);
    }
  });

  test('[K4] [K25] rows that wait, filtered walks and quantized flat scans are measured by the vectors', () => {
    const { space } = filled(vectors.slice(0, 1200));
    for (const [row, vector] of vectors.entries()) if (row >= 1200) space.put(row, vector, row);
    const filter = new Uint32Array(Math.ceil(vectors.length / 32)).fill(0x11111111);
    for (const query of queries.slice(0, 20)) {
      const range = { k: 10, fromRow: 0, toRow: space.rowBound, filter };
      const truth = space.scan(query, range);
      expect(space.search(query, { k: 10, ef: 1500, filter, oversampling: 4 })).toEqual(truth);
      expect(space.scanQuantized(query, { ...range, oversampling: 4 })).toEqual(truth);
    }
  });

  test('[K8] [K11] [K13] serve repairs', () => {
    const { space, indexer, add } = filled(vectors.slice(0, 1200));
    for (let row = 0; row < 500; row++) space.remove(row);
    while (!indexer.repair(500)) indexer.reclaim();
    indexer.reclaim();
    for (let row = 0; row < 500; row++) space.put(row, vectors[row] ?? new Uint8Array(dimension), 5000 + row);
    add([]);
    const report = checkGraph(space.handle);
    expect(report.faults).toEqual([]);
    expect(report.reachableShare).toBeGreaterThan(0.995);
    expect(recall(space, { k: 10, ef: 64 })).toBeGreaterThan(0.95);
  });

  test('[K53] are learned again where new rows use other directions, and given up for the bytes where these are many', () => {
    const { space, add } = filled(vectors.slice(0, 1000), { efConstruct: 30 });
    const before = learnedIn(space.handle);
    add(others.slice(0, 1100));
    expect(isReduced(space.handle)).toBe(true);
    expect(learnedIn(space.handle)).not.toEqual(before);
    add(asBytes(clusteredVectors({ count: 2200, dimension, clusters: 900, seed: 3 }), 1000));
    expect([isReduced(space.handle), space.codes, space.comparedBytes]).toEqual([false, 'in use', dimension]);
    expect(checkGraph(space.handle).faults).toEqual([]);
    expect(recall(space, { k: 10, ef: 64 })).toBeGreaterThan(0.95);
  });

  test('[K31] [K53] are learned again early where many new rows lie in other directions', () => {
    const { space, add } = filled(vectors.slice(0, 1200), COARSE);
    const before = learnedIn(space.handle);
    // Fewer than there were, so that only rows that do not fit make a calibration due.
    add(others.slice(0, 500));
    expect(learnedIn(space.handle)).not.toEqual(before);
  });

  test('[K22] [K53] wait, before they are written, until the readers have left that may walk on the bytes', () => {
    const { space, add, indexer } = filled(vectors.slice(0, 900));
    const early = attachKernel(space.handle);
    expect(early.claimSlot()).toBe(1);
    early.enter();
    add(vectors.slice(900, 1500));
    expect(isReduced(space.handle)).toBe(false);
    const reader = attachReader(space.handle);
    expect(recall(reader, { k: 10, ef: 64 })).toBeGreaterThan(0.95);
    early.leave();
    indexer.link(1);
    expect(isReduced(space.handle)).toBe(true);
    expect(recall(reader, { k: 10, ef: 64 })).toBeGreaterThan(0.95);
  });

  test.each([
    ['nothing but zeros', () => new Uint8Array(dimension)],
    ['one vector', () => new Uint8Array(dimension).fill(255)],
    ['one far component', (row: number) => new Uint8Array(dimension).fill(255, row % dimension, (row % dimension) + 1)],
  ])('[K53] of %s lose no answer', (_, vectorOf) => {
    const { space } = filled(Array.from({ length: 1100 }, (_, row) => vectorOf(row)));
    expect(space.search(vectorOf(1), { k: 5, ef: 40 }).rows).toHaveLength(5);
    expect(checkGraph(space.handle).faults).toEqual([]);
  });

  test('[K12] [K30] thousands of equal vectors stay in reach', () => {
    const { space } = filled([...vectors.slice(0, 1000), ...Array.from({ length: 2000 }, () => vectors[5] ?? new Uint8Array(dimension))]);
    expect(isReduced(space.handle)).toBe(true);
    const report = checkGraph(space.handle);
    expect(report.faults).toEqual([]);
    expect(report.reachableShare).toBeGreaterThan(0.995);
  });

  test('[K40] are those of each shard', () => {
    const space = createShardedSpace({ ...options, rowsPerShard: 1024 });
    space.openShards(many.length);
    for (const [row, vector] of many.entries()) space.put(row, vector, row);
    for (const shard of space.handle.shards) {
      const indexer = attachIndexer(shard);
      while (indexer.link(500) > 0) indexer.reclaim();
      indexer.reclaim();
    }
    // The last shard has too few rows to learn from.
    expect(space.handle.shards.map(isReduced)).toEqual([true, true, false]);
    expect(recall(space, { k: 10, ef: 64 })).toBeGreaterThan(0.97);
  });

  describe.each([
    ['reduced', vectors],
    ['not reduced yet', vectors.slice(0, 900)],
  ])('of a saved graph, %s,', (_, rows) => {
    const { space, indexer } = spaces(options, rows);
    const bytes = graphBytes(indexer, 7);

    test('[K15] come back, and take no room that they do not fill', () => {
      const loaded = createVectorSpace(options);
      loaded.loadGraph(sourceOf(bytes), { newest: 7 });
      loaded.recall({ fromRow: 0, toRow: 3 });
      for (let row = 0; row < 3; row++) loaded.adopt(row, rows[row] ?? new Uint8Array(dimension), row);
      loaded.finishLoad();
      expect(isReduced(loaded.handle)).toBe(isReduced(space.handle));
      for (const query of queries) expect(loaded.search(query, { k: 10, ef: 40 })).toEqual(space.search(query, { k: 10, ef: 40 }));
      expect(graphBytes(attachIndexer(loaded.handle), 7)).toEqual(bytes);
      const none = graphBytes(spaces({ ...options, quantization: 'none' }, rows).indexer, 7);
      const blockRows = attachKernel(space.handle).rowsOfBlock();
      const codes = Math.ceil(rows.length / blockRows) * blockRows * reducedBytes;
      const more = isReduced(space.handle) ? codes + learnedIn(space.handle).length : 0;
      expect(bytes.length - none.length).toBeLessThanOrEqual(more);
    });

    test('[K15] [K16] go on where they were', () => {
      const loaded = createVectorSpace(options);
      loaded.loadGraph(sourceOf(bytes), { newest: 7 });
      loaded.finishLoad();
      for (const [i, vector] of others.entries()) loaded.put(rows.length + i, vector, rows.length + i);
      const later = attachIndexer(loaded.handle);
      while (loaded.pendingCount > 0) later.link(500);
      expect(isReduced(loaded.handle)).toBe(true);
      expect(recall(loaded, { k: 10, ef: 64 })).toBeGreaterThan(0.95);
      expect(checkGraph(loaded.handle).faults).toEqual([]);
    });

    test('[K17] that is damaged leave the space as it was', () => {
      const loaded = createVectorSpace(options);
      const damaged = bytes.slice();
      const last = damaged.length - 1;
      damaged[last] = (damaged[last] ?? 0) ^ 1;
      expect(() => loaded.loadGraph(sourceOf(damaged), { newest: 7 })).toThrow(GraphDamagedError);
      expect([isReduced(loaded.handle), loaded.comparedBytes]).toEqual([false, dimension]);
      for (const [row, vector] of rows.slice(0, 1100).entries()) loaded.put(row, vector, row);
      const later = attachIndexer(loaded.handle);
      while (loaded.pendingCount > 0) later.link(500);
      expect(recall(loaded, { k: 10, ef: 64 })).toBeGreaterThan(0.95);
    });
  });
});
