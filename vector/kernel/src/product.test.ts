// SPDX-License-Identifier: Apache-2.0
import { isLongRun } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { clusteredVectors } from './clustered-vectors.ts';
import { sharedSpaces } from './filled-space.ts';
import { graphBytes, sourceOf } from './graph-bytes.ts';
import { checkGraph } from './graph-check.ts';
import {
  attachIndexer,
  attachReader,
  createVectorSpace,
  GraphDamagedError,
  type Metric,
  type Quantization,
  type SpaceIndexer,
  type SpaceReader,
  type SpaceWriter,
  type VectorSpaceOptions,
} from './index.ts';
import { attachKernel } from './kernel.ts';
import { referenceNearest } from './reference.ts';

const dimension = 32;
const options: VectorSpaceOptions = { dimension, metric: 'euclid', m: 8, efConstruct: 60, seed: 1, quantization: 'product-x16' };
const kinds: readonly Quantization[] = ['product-x4', 'product-x8', 'product-x16', 'product-x32', 'product-x64'];

function putAll(space: SpaceWriter, vectors: readonly Float32Array[]): void {
  const start = space.rowBound;
  for (const [i, vector] of vectors.entries()) space.put(start + i, vector, start + i);
}

function settle(indexer: SpaceIndexer): void {
  while (indexer.link(500) > 0 || indexer.isCalibrating) indexer.reclaim();
}

function filled(vectors: readonly Float32Array[], other: Partial<VectorSpaceOptions> = {}) {
  const space = createVectorSpace({ ...options, ...other });
  const indexer = attachIndexer(space.handle);
  putAll(space, vectors);
  settle(indexer);
  return { space, indexer };
}

function recall(space: SpaceReader, queries: readonly Float32Array[], { k, ef } = { k: 10, ef: 64 }): number {
  let found = 0;
  for (const query of queries) {
    const truth = new Set(space.scan(query, { k, fromRow: 0, toRow: space.rowBound }).rows);
    found += space.search(query, { k, ef }).rows.filter((row) => truth.has(row)).length;
  }
  return found / (queries.length * k);
}

const vectors = clusteredVectors({ count: 1500, dimension, clusters: 20, seed: 2 });
const queries = clusteredVectors({ count: 60, dimension, clusters: 20, seed: 2 });

const spaces = sharedSpaces();
/** Of all vectors, for tests that change nothing. */
const shared = (other: Partial<VectorSpaceOptions> = {}) => spaces({ ...options, ...other }, vectors);

const recalls = new Map<Metric, number>();

function recallOnVectors(metric: Metric): number {
  const known = recalls.get(metric) ?? recall(shared({ metric, quantization: 'none' }).space, queries);
  recalls.set(metric, known);
  return known;
}

/** With which codes and numbers each length is tried. */
const forms = isLongRun()
  ? (['product-x4', 'product-x64'] as const).flatMap((quantization) =>
      (['float32', 'float16'] as const).map((datatype) => [quantization, datatype] as const),
    )
  : ([
      ['product-x4', 'float16'],
      ['product-x64', 'float32'],
    ] as const);

describe('product codes', () => {
  test.each(kinds.map((quantization, i) => [quantization, 32 >> i] as const))(
    'of kind %s take %i bytes for 32 components',
    (quantization, bytes) => {
      const { space } = filled(vectors.slice(0, 2), { quantization });
      const kernel = attachKernel(space.handle);
      expect(kernel.codeAddress(1) - kernel.codeAddress(0)).toBe(bytes);
    },
  );

  test.each(['dot', 'euclid', 'manhattan'] as const)(
    '[K1] [K3] [K21] choose candidates only: distances and order are those of the vectors, by %s',
    (metric) => {
      const { space } = shared({ metric, quantization: 'product-x8' });
      expect(space.codes).toBe('in use');
      for (const query of queries.slice(0, 10)) {
        expect(space.search(query, { k: 10, ef: vectors.length, rescored: vectors.length })).toEqual(
          referenceNearest(metric, query, new Map(vectors.entries()), 10),
        );
      }
    },
  );

  test.each([
    ['dot', 'product-x4'],
    ['euclid', 'product-x8'],
    ['manhattan', 'product-x16'],
    ['euclid', 'product-x16'],
    ['dot', 'product-x32'],
    ['manhattan', 'product-x64'],
  ] as const)('[K7] [K38] find nearly what a walk on the vectors finds, by %s and %s', (metric, quantization) => {
    const onCodes = recall(shared({ metric, quantization }).space, queries);
    expect(onCodes).toBeGreaterThan(recallOnVectors(metric) - 0.03);
  });

  test.each([1, 5, 15, 16, 17, 40])('[K7] [K38] serve vectors of %i components, of halves too', (components) => {
    const short = vectors
      .slice(0, 1100)
      .map((vector) => Float32Array.from({ length: components }, (_, i) => (vector[i % dimension] ?? 0) * (1 + i)));
    for (const [quantization, datatype] of forms) {
      const stored = short.map((vector) => (datatype === 'float16' ? new Float16Array(vector) : vector));
      const space = createVectorSpace({ ...options, efConstruct: 30, dimension: components, quantization, datatype });
      const indexer = attachIndexer(space.handle);
      for (const [row, vector] of stored.entries()) space.put(row, vector, row);
      settle(indexer);
      expect(['in use', 'given up']).toContain(space.codes);
      let found = 0;
      for (const query of stored.slice(0, 50)) {
        const truth = new Set(space.scan(query, { k: 10, fromRow: 0, toRow: space.rowBound }).rows);
        found += space.search(query, { k: 10, ef: 100 }).rows.filter((row) => truth.has(row)).length;
      }
      expect(found / 500).toBeGreaterThan(0.95);
    }
  });

  test('[K25] quantized flat scans and filtered walks choose by them', () => {
    const { space } = shared({ quantization: 'product-x8' });
    const filter = new Uint32Array(Math.ceil(vectors.length / 32)).fill(0x11111111);
    for (const query of queries.slice(0, 20)) {
      const range = { k: 10, fromRow: 0, toRow: space.rowBound, filter };
      const truth = new Set(space.scan(query, range).rows);
      expect(space.scanQuantized(query, range).rows.filter((row) => truth.has(row)).length).toBeGreaterThanOrEqual(9);
      const found = space.search(query, { k: 10, ef: 100, filter }).rows;
      expect(found.every((row) => row % 4 === 0)).toBe(true);
      expect(found.filter((row) => truth.has(row)).length).toBeGreaterThanOrEqual(8);
    }
  });

  test('[K38] are learned in steps, between which rows are linked, put and found', () => {
    const space = createVectorSpace(options);
    const indexer = attachIndexer(space.handle);
    putAll(space, vectors.slice(0, 1200));
    let steps = 0;
    do {
      expect(indexer.link(16)).toBe(space.pendingCount === 0 ? 0 : 16);
      if (steps < 20) putAll(space, vectors.slice(1200 + steps, 1201 + steps));
      const { rows } = space.search(vectors[1200] ?? new Float32Array(dimension), { k: 1, ef: 50 });
      expect(rows).toEqual(Uint32Array.of(1200));
      steps++;
    } while (indexer.isCalibrating);
    expect(steps).toBeGreaterThan(3);
    expect(space.codes).toBe('in use');
  });

  test('[K22] [K38] are changed only when the readers have left that may walk on them', () => {
    const { space, indexer } = filled(vectors.slice(0, 1000));
    const kernel = attachKernel(space.handle);
    const before = kernel.learnedAddress();
    const early = attachKernel(space.handle);
    expect(early.claimSlot()).toBe(1);
    early.enter();
    // Far from the vectors that the centroids were learned from.
    putAll(
      space,
      vectors.map((vector) => vector.map((value) => value * 4)),
    );
    for (let step = 0; step < 30; step++) indexer.link(500);
    expect(kernel.learnedAddress()).toBe(before);
    expect(space.codes).not.toBe('in use');
    expect(recall(attachReader(space.handle), queries.slice(0, 10))).toBeGreaterThan(0.9);
    early.leave();
    settle(indexer);
    expect(kernel.learnedAddress()).not.toBe(before);
    expect(space.codes).toBe('in use');
  });

  test('[K38] are learned again where they fit new rows worse', () => {
    const { space, indexer } = filled(vectors.slice(0, 1100));
    const kernel = attachKernel(space.handle);
    const before = kernel.learnedAddress();
    const others = clusteredVectors({ count: 1500, dimension, clusters: 50, seed: 77 });
    putAll(space, others);
    settle(indexer);
    expect(kernel.learnedAddress()).not.toBe(before);
    expect(recall(space, others.slice(0, 50))).toBeGreaterThan(0.95);
    expect(checkGraph(space.handle).faults).toEqual([]);
  });

  test('[K23] [K38] are given up where they cannot tell neighbours apart, and the vectors serve', () => {
    // The differences are far below one step of a byte, because a few components are very large.
    const hard = vectors.map((vector, row) => vector.map((value, i) => (i < 3 ? ((row >> i) % 2 === 0 ? -1000 : 1000) : value)));
    const { space } = filled(hard, { quantization: 'product-x4' });
    expect(space.codes).toBe('given up');
    expect(recall(space, hard.slice(0, 100))).toBeGreaterThan(0.97);
  });

  test.each([
    ['nothing but zeros', () => new Float32Array(dimension)],
    ['infinite values', () => new Float32Array(dimension).fill(Number.POSITIVE_INFINITY)],
    ['denormal values', (row: number) => new Float32Array(dimension).fill(row * 2 ** -149)],
  ])('[K23] are not made of %s', (_, vectorOf) => {
    const { space } = filled(Array.from({ length: 1200 }, (_, row) => vectorOf(row)));
    expect(space.codes).toBe('given up');
    expect(space.search(vectorOf(1), { k: 5, ef: 30 }).rows).toHaveLength(5);
  });

  test('[K12] thousands of equal vectors are all found', () => {
    const { space } = filled([...vectors.slice(0, 500), ...Array.from({ length: 2000 }, () => vectors[0] ?? new Float32Array(dimension))]);
    expect(space.search(vectors[0] ?? new Float32Array(dimension), { k: 1500, ef: 1500 }).distances.every((d) => d === 0)).toBe(true);
    expect(checkGraph(space.handle).faults).toEqual([]);
  });
});

describe('a saved graph', () => {
  function loaded(bytes: Uint8Array, other: Partial<VectorSpaceOptions> = {}) {
    const space = createVectorSpace({ ...options, ...other });
    space.loadGraph(sourceOf(bytes), { newest: 0 });
    return { space, indexer: attachIndexer(space.handle) };
  }

  test('[K15] [K39] brings the centroids and the codes, which are in use at once', () => {
    const { space: original, indexer: originalIndexer } = shared();
    const saved = graphBytes(originalIndexer);
    const { space, indexer } = loaded(saved);
    space.recall({ fromRow: 100, toRow: 200 });
    for (let row = 100; row < 200; row++) space.adopt(row, vectors[row] ?? new Float32Array(dimension), row);
    space.finishLoad();
    expect(space.codes).toBe('in use');
    expect(indexer.isCalibrating).toBe(false);
    for (const query of queries) expect(space.search(query, { k: 10, ef: 40 })).toEqual(original.search(query, { k: 10, ef: 40 }));
    expect(graphBytes(indexer)).toEqual(saved);
  });

  test('[K15] [K39] that was saved while codes were written has them written to the end', () => {
    const space = createVectorSpace(options);
    const early = attachIndexer(space.handle);
    putAll(space, vectors);
    do early.link(500);
    while (attachKernel(space.handle).learnedAddress() === 0);
    const { space: copy, indexer } = loaded(graphBytes(early));
    copy.finishLoad();
    expect(copy.codes).toBe('learning');
    settle(indexer);
    expect(copy.codes).toBe('in use');
    expect(recall(copy, queries)).toBeGreaterThan(0.95);
  });

  test('[K17] [K39] of another compression does not fit', () => {
    const saved = graphBytes(shared().indexer);
    expect(() => loaded(saved, { quantization: 'product-x8' })).toThrow(GraphDamagedError);
    // A bit of the last centroid.
    saved[saved.length - 1] = (saved.at(-1) ?? 0) ^ 1;
    expect(() => loaded(saved)).toThrow(GraphDamagedError);
  });
});

test('[K18] [K39] a space without room for centroids is linked and searched by its vectors', () => {
  const space = createVectorSpace({ ...options, bytesMax: 2 ** 22 });
  const indexer = attachIndexer(space.handle);
  const [first, later] = [vectors.slice(0, 900), vectors.slice(900, 1500)];
  putAll(space, [...first, ...later]);
  for (let row = 900; row < 1500; row++) space.remove(row);
  settle(indexer);
  const found = () => space.search(vectors[1000] ?? new Float32Array(dimension), { k: 1, ef: 50 }).rows;
  expect(found()).not.toEqual(Uint32Array.of(1000));
  // Other pieces take all free memory.
  for (let bytes = 2 ** 21; bytes >= 16; bytes /= 2) while (attachKernel(space.handle).inputAddress(bytes) !== 0);
  for (const [i, vector] of later.entries()) space.put(900 + i, vector, 2000 + i);
  settle(indexer);
  expect(space.pendingCount).toBe(0);
  expect(space.codes).toBe('given up');
  expect(attachKernel(space.handle).learnedAddress()).toBe(0);
  expect(found()).toEqual(Uint32Array.of(1000));
});
