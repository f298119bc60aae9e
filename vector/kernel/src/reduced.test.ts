// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { clusteredVectors, lowRankVectors } from './clustered-vectors.ts';
import { fillSpace, recallOf, sharedSpaces } from './filled-space.ts';
import { graphBytes, sourceOf } from './graph-bytes.ts';
import { checkGraph } from './graph-check.ts';
import {
  attachIndexer,
  attachReader,
  createVectorSpace,
  GraphDamagedError,
  type SpaceReader,
  type VectorSpaceHandle,
  type VectorSpaceOptions,
} from './index.ts';
import { attachKernel } from './kernel.ts';
import { referenceNearest } from './reference.ts';

const dimension = 256;
const options: VectorSpaceOptions = { dimension, metric: 'euclid', m: 8, efConstruct: 60, seed: 1 };
const set = lowRankVectors({ count: 1600, dimension, rank: 24, clusters: 30, seed: 1 });
const vectors = set.slice(0, 1500);
const queries = set.slice(1500);
/** For a graph that is soon built, where a test looks at the codes alone. */
const COARSE = { m: 4, efConstruct: 12 } as const;
/** 60 directions cover all 24. */
const reducedBytes = 64;

function isReduced(handle: VectorSpaceHandle): boolean {
  return attachKernel(handle).codesReduced() !== 0;
}

function filled(rows: readonly Float32Array[], other: Partial<VectorSpaceOptions> = {}) {
  return fillSpace({ ...options, ...other }, rows);
}

const spaces = sharedSpaces();
/** Of all vectors, for tests that change nothing. */
const shared = (other: Partial<VectorSpaceOptions> = {}) => spaces({ ...options, ...other }, vectors);

function recall(space: SpaceReader, { k, ef }: { k: number; ef: number }): number {
  return recallOf(space, queries, { k, ef });
}

function learnedIn(handle: VectorSpaceHandle): Int8Array {
  const kernel = attachKernel(handle);
  return new Int8Array(handle.memory.buffer, kernel.learnedAddress() >>> 0, kernel.learnedBytes()).slice();
}

describe('reduced codes', () => {
  test('[K53] are used by default where the dimension is 128 or more and few directions tell neighbours', () => {
    const { space, add } = filled(vectors.slice(0, 999), COARSE);
    expect(isReduced(space.handle)).toBe(false);
    add(vectors.slice(999, 1000));
    expect(isReduced(space.handle)).toBe(true);
    expect(space.comparedBytes).toBe(reducedBytes);
    const isUsed = (rows: readonly Float32Array[], other: Partial<VectorSpaceOptions>) =>
      isReduced(filled(rows, { ...COARSE, ...other }).space.handle);
    const rows = vectors.slice(0, 1000);
    expect(isUsed(rows, { quantization: 'int8' })).toBe(false);
    expect(isUsed(rows, { metric: 'manhattan' })).toBe(false);
    expect(isUsed(rows, { quantization: 'reduced', metric: 'manhattan' })).toBe(false);
    const short = (size: number) => rows.map((vector) => vector.slice(0, size));
    expect(isUsed(short(127), { dimension: 127 })).toBe(false);
    expect(isUsed(short(100), { dimension: 100, quantization: 'reduced' })).toBe(false);
  });

  test('[K53] are not used where few directions say little; codes of all components serve', () => {
    const { space } = filled(clusteredVectors({ count: 1000, dimension, clusters: 300, seed: 2 }), COARSE);
    expect(isReduced(space.handle)).toBe(false);
    expect(space.codes).toBe('in use');
    expect(space.comparedBytes).toBe(dimension);
  });

  test('[K53] have as many directions as it takes', () => {
    const { space } = filled(lowRankVectors({ count: 1000, dimension, rank: 110, clusters: 30, seed: 1 }), COARSE);
    expect(space.comparedBytes).toBe(128);
  });

  test.each([
    ['dot', 'float32'],
    ['euclid', 'float32'],
    ['euclid', 'float16'],
  ] as const)('[K1] [K3] [K21] choose candidates only: distances and order are those of the vectors, by %s of %s', (metric, datatype) => {
    const halves = () => vectors.map((vector) => Float16Array.from(vector));
    const { space } = datatype === 'float16' ? fillSpace({ ...options, metric, datatype }, halves()) : shared({ metric });
    expect(isReduced(space.handle)).toBe(true);
    for (const query of queries.slice(0, 10)) {
      const point = datatype === 'float16' ? Float16Array.from(query) : query;
      const found = space.search(point, { k: 10, ef: 1500, oversampling: 4 });
      expect(found).toEqual(space.scan(point, { k: 10, fromRow: 0, toRow: space.rowBound }));
      if (datatype === 'float32') expect(found).toEqual(referenceNearest(metric, query, new Map(vectors.entries()), 10));
    }
  });

  test.each(['dot', 'euclid'] as const)('[K7] [K54] find what a walk on all components finds with the same ef, by %s', (metric) => {
    const [onReduced, onCodes] = [{ metric }, { metric, quantization: 'int8' } as const].map((other) => shared(other).space);
    expect(onReduced && isReduced(onReduced.handle)).toBe(true);
    for (const [k, ef] of [
      [1, 16],
      [10, 10],
      [10, 64],
      [100, 128],
    ] as const) {
      const [found = 0, wanted = 0] = [onReduced, onCodes].map((space) => (space ? recall(space, { k, ef }) : 0));
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
    for (let row = 0; row < 500; row++) space.put(row, vectors[row] ?? new Float32Array(dimension), 5000 + row);
    add([]);
    const report = checkGraph(space.handle);
    expect(report.faults).toEqual([]);
    expect(report.reachableShare).toBeGreaterThan(0.995);
    expect(recall(space, { k: 10, ef: 64 })).toBeGreaterThan(0.95);
  });

  test('[K53] are learned again where new rows use other directions, and given up where these are many', () => {
    const { space, add } = filled(vectors.slice(0, 1000), COARSE);
    const before = learnedIn(space.handle);
    add(lowRankVectors({ count: 1100, dimension, rank: 24, clusters: 30, seed: 9 }));
    expect(isReduced(space.handle)).toBe(true);
    expect(learnedIn(space.handle)).not.toEqual(before);
    add(clusteredVectors({ count: 2200, dimension, clusters: 900, seed: 3 }).map((vector) => vector.map((value) => value * 30)));
    expect(isReduced(space.handle)).toBe(false);
    expect(space.codes).toBe('in use');
    expect(space.comparedBytes).toBe(dimension);
    expect(checkGraph(space.handle).faults).toEqual([]);
  });

  test('[K31] [K53] are learned again early where many new rows lie in other directions', () => {
    const { space, add } = filled(vectors.slice(0, 1200), COARSE);
    const before = learnedIn(space.handle);
    // Fewer than there were, so that only rows that do not fit make a calibration due.
    add(lowRankVectors({ count: 600, dimension, rank: 24, clusters: 30, seed: 9 }));
    expect(learnedIn(space.handle)).not.toEqual(before);
  });

  test('[K31] [K53] are learned again early where new rows differ in a few more directions, and not where they are like the others', () => {
    const { space, add } = filled(vectors.slice(0, 1000), COARSE);
    const before = learnedIn(space.handle);
    add(vectors.slice(1000, 1200));
    expect(learnedIn(space.handle)).toEqual(before);
    const beside = lowRankVectors({ count: 500, dimension, rank: 8, clusters: 30, seed: 9 });
    add(vectors.slice(1200).map((vector, row) => vector.map((value, i) => value + 0.3 * (beside[row]?.[i] ?? 0))));
    expect(learnedIn(space.handle)).not.toEqual(before);
  });

  test('[K22] [K53] wait, before they are rewritten, until the readers have left that may walk on them', () => {
    const { space, add, indexer } = filled(vectors.slice(0, 1000));
    const early = attachKernel(space.handle);
    expect(early.claimSlot()).toBe(1);
    early.enter();
    add(lowRankVectors({ count: 1200, dimension, rank: 24, clusters: 30, seed: 9 }));
    expect(space.codes).not.toBe('in use');
    const reader = attachReader(space.handle);
    expect(recall(reader, { k: 10, ef: 64 })).toBeGreaterThan(0.9);
    early.leave();
    indexer.link(1);
    expect(isReduced(space.handle)).toBe(true);
  });

  test.each([
    ['nothing but zeros', () => new Float32Array(dimension)],
    ['one vector', () => new Float32Array(dimension).fill(3)],
    ['values beyond all bounds', () => new Float32Array(dimension).fill(3e38)],
    ['denormal values', (row: number) => new Float32Array(dimension).fill(row * 2 ** -149)],
    ['one far component', (row: number) => new Float32Array(dimension).fill(1, row % dimension, (row % dimension) + 1)],
  ])('[K53] of %s lose no answer', (_, vectorOf) => {
    const { space } = filled(Array.from({ length: 1100 }, (_, row) => vectorOf(row)));
    expect(space.search(vectorOf(1), { k: 5, ef: 40 }).rows).toHaveLength(5);
    expect(checkGraph(space.handle).faults).toEqual([]);
  });

  test('[K12] [K30] thousands of equal vectors stay in reach', () => {
    const { space } = filled([...vectors.slice(0, 1000), ...Array.from({ length: 2000 }, () => vectors[5] ?? new Float32Array(dimension))]);
    expect(isReduced(space.handle)).toBe(true);
    const report = checkGraph(space.handle);
    expect(report.faults).toEqual([]);
    expect(report.reachableShare).toBeGreaterThan(0.995);
  });

  describe('of a saved graph', () => {
    const { space, indexer } = shared({ metric: 'euclid' });
    const bytes = graphBytes(indexer, 7);

    test('[K15] come back, and take no room for components that they do not have', () => {
      const loaded = createVectorSpace(options);
      loaded.loadGraph(sourceOf(bytes), { newest: 7 });
      loaded.recall({ fromRow: 0, toRow: 3 });
      for (let row = 0; row < 3; row++) loaded.adopt(row, vectors[row] ?? new Float32Array(dimension), row);
      loaded.finishLoad();
      expect(isReduced(loaded.handle)).toBe(true);
      for (const query of queries) expect(loaded.search(query, { k: 10, ef: 40 })).toEqual(space.search(query, { k: 10, ef: 40 }));
      expect(graphBytes(attachIndexer(loaded.handle), 7)).toEqual(bytes);
      const whole = graphBytes(shared({ metric: 'euclid', quantization: 'int8' }).indexer, 7);
      expect(whole.length - bytes.length).toBeGreaterThan(0.8 * vectors.length * (dimension - reducedBytes));
    });

    test('[K17] that is damaged leave the space as it was', () => {
      const loaded = createVectorSpace(options);
      const damaged = bytes.slice();
      const last = damaged.length - 1;
      damaged[last] = (damaged[last] ?? 0) ^ 1;
      expect(() => loaded.loadGraph(sourceOf(damaged), { newest: 7 })).toThrow(GraphDamagedError);
      expect(isReduced(loaded.handle)).toBe(false);
      for (const [row, vector] of vectors.slice(0, 1100).entries()) loaded.put(row, vector, row);
      const later = attachIndexer(loaded.handle);
      while (loaded.pendingCount > 0) later.link(500);
      expect(recall(loaded, { k: 10, ef: 64 })).toBeGreaterThan(0.95);
    });
  });
});
