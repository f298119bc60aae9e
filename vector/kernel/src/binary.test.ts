// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { clusteredVectors } from './clustered-vectors.ts';
import { fillSpace, recallOf, sharedSpaces } from './filled-space.ts';
import { graphBytes, sourceOf } from './graph-bytes.ts';
import { checkGraph } from './graph-check.ts';
import { attachIndexer, attachReader, createVectorSpace, GraphDamagedError, type VectorSpaceOptions } from './index.ts';
import { attachKernel } from './kernel.ts';
import { referenceNearest } from './reference.ts';

const dimension = 96;
const options: VectorSpaceOptions = { dimension, metric: 'euclid', m: 8, efConstruct: 60, seed: 1, quantization: 'binary' };
const kinds = ['binary', 'binary-1.5', 'binary-2'] as const;
const searchOptions = { k: 10, ef: 64 };

const vectors = clusteredVectors({ count: 1500, dimension, clusters: 20, seed: 2 });
const queries = clusteredVectors({ count: 60, dimension, clusters: 20, seed: 2 });

const filled = (points = vectors, other: Partial<VectorSpaceOptions> = {}) => fillSpace({ ...options, ...other }, points);
const spaces = sharedSpaces();
/** Of all vectors, for tests that change nothing. */
const shared = (other: Partial<VectorSpaceOptions> = {}) => spaces({ ...options, ...other }, vectors).space;

describe('binary codes', () => {
  test.each([
    ['binary', 28],
    ['binary-1.5', 36],
    ['binary-2', 44],
  ] as const)('of kind %s take %i bytes for 96 components', (quantization, bytes) => {
    const { space } = filled(vectors.slice(0, 2), { quantization });
    const kernel = attachKernel(space.handle);
    expect(kernel.codeAddress(1) - kernel.codeAddress(0)).toBe(bytes);
  });

  test.each(['dot', 'euclid'] as const)(
    '[K1] [K3] [K21] choose candidates only: distances and order are those of the vectors, by %s',
    (metric) => {
      const space = shared({ metric });
      expect(space.codes).toBe('in use');
      for (const query of queries.slice(0, 10)) {
        expect(space.search(query, { k: 10, ef: 1500, rescored: 1500 })).toEqual(
          referenceNearest(metric, query, new Map(vectors.entries()), 10),
        );
      }
    },
  );

  test.each([
    ['dot', ['binary-1.5']],
    ['euclid', kinds],
  ] as const)('[K7] [K51] find nearly what a walk on the vectors finds, by %s', (metric, tried) => {
    const onVectors = recallOf(shared({ metric, quantization: 'none' }), queries, searchOptions);
    for (const quantization of tried) {
      const space = shared({ metric, quantization });
      expect(space.codes).toBe('in use');
      expect(recallOf(space, queries, searchOptions)).toBeGreaterThan(onVectors - 0.03);
    }
  });

  test('[K51] take fewer rows to be measured for each that is wanted, the more bits they have', () => {
    const measured = kinds.map((quantization) => attachKernel(shared({ quantization }).handle).oversampling());
    expect(measured).toEqual(measured.toSorted((a, b) => b - a));
    expect(measured.at(-1)).toBeLessThan(measured[0] ?? 0);
  });

  test.each([1, 4, 8] as const)('[K51] are compared with queries of %i bits for each component', (queryBits) => {
    const { space } = filled(vectors, { queryBits });
    expect(space.codes).toBe('in use');
    expect(recallOf(space, queries, searchOptions)).toBeGreaterThan(0.95);
  });

  test.each([1, 5, 64, 130])('[K7] [K51] serve vectors of %i components, of halves too', (components) => {
    const short = vectors
      .slice(0, 1100)
      .map((vector) => Float32Array.from({ length: components }, (_, i) => (vector[i % dimension] ?? 0) * (1 + i)));
    for (const datatype of ['float32', 'float16'] as const) {
      const stored = short.map((vector) => (datatype === 'float16' ? new Float16Array(vector) : vector));
      const space = createVectorSpace({ ...options, efConstruct: 30, dimension: components, datatype });
      const indexer = attachIndexer(space.handle);
      for (const [row, vector] of stored.entries()) space.put(row, vector, row);
      while (indexer.link(500) > 0 || indexer.isCalibrating) indexer.reclaim();
      expect(['in use', 'given up']).toContain(space.codes);
      let found = 0;
      for (const query of stored.slice(0, 50)) {
        const truth = space.scan(query, { k: 10, fromRow: 0, toRow: space.rowBound }).rows;
        found += space.search(query, { k: 10, ef: 100 }).rows.filter((row) => truth.includes(row)).length;
      }
      expect(found / 500).toBeGreaterThan(0.95);
    }
  });

  test('[K51] are those of one byte for each component by manhattan, which turning does not keep', () => {
    const { space } = filled(vectors, { metric: 'manhattan' });
    const kernel = attachKernel(space.handle);
    expect(kernel.codeAddress(1) - kernel.codeAddress(0)).toBe(128);
    expect(space.codes).toBe('in use');
  });

  test('[K25] quantized flat scans and filtered walks choose by them', () => {
    const space = shared();
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

  test('[K22] [K51] are changed only when the readers have left that may walk on them', () => {
    const { space, indexer } = filled(vectors.slice(0, 1000));
    const kernel = attachKernel(space.handle);
    const before = kernel.learnedAddress();
    const early = attachKernel(space.handle);
    expect(early.claimSlot()).toBe(1);
    early.enter();
    // Far from the centre that was learned.
    for (const [i, vector] of vectors.slice(1000).entries()) {
      space.put(
        1000 + i,
        vector.map((value) => value + 0.3),
        i,
      );
    }
    for (let step = 0; step < 30; step++) indexer.link(500);
    expect(kernel.learnedAddress()).toBe(before);
    expect(space.codes).not.toBe('in use');
    expect(recallOf(attachReader(space.handle), queries.slice(0, 10), searchOptions)).toBeGreaterThan(0.9);
    early.leave();
    while (indexer.link(500) > 0 || indexer.isCalibrating) indexer.reclaim();
    expect(kernel.learnedAddress()).not.toBe(before);
    expect(space.codes).toBe('in use');
  });

  test('[K31] [K51] are made again soon, where rows come that lie far out', () => {
    const { space, add } = filled(vectors.slice(0, 1300));
    const kernel = attachKernel(space.handle);
    const before = kernel.learnedAddress();
    add(vectors.slice(1300));
    expect(kernel.learnedAddress()).toBe(before);
    const far = vectors.slice(1100).map((vector) => vector.map((value) => value + 1));
    add(far);
    expect(kernel.learnedAddress()).not.toBe(before);
    expect(recallOf(space, far.slice(0, 50), searchOptions)).toBeGreaterThan(0.95);
    expect(checkGraph(space.handle).faults).toEqual([]);
  });

  test('[K23] [K51] are tried again when rows have doubled, although the centre stays', () => {
    // Groups of eleven equal vectors, far apart: the nearest ten of a row are its own group.
    const around = (middle: number, i: number, size: number) =>
      (vectors[middle] ?? new Float32Array(dimension)).map((value, c) => value + ((((i * 31 + c * 17) * (i + c)) % 13) - 6) * size);
    const { space, add } = filled(Array.from({ length: 1100 }, (_, row) => around(Math.floor(row / 11), row, 0.004)));
    const kernel = attachKernel(space.handle);
    const codebook = kernel.learnedAddress();
    expect(space.codes).toBe('in use');
    const before = kernel.oversampling();
    // Hundreds of vectors at some of the places.
    add(Array.from({ length: 1400 }, (_, i) => around(i % 4, i, 0.004)));
    expect(kernel.learnedAddress()).toBe(codebook);
    expect(space.codes === 'given up' || kernel.oversampling() > before).toBe(true);
  });

  test('[K23] [K51] are given up where they cannot tell neighbours apart, and the vectors serve', () => {
    // These differ from each other far less than from the centre.
    const hard = vectors.map((vector, row) => vector.map((value, i) => (i < 3 ? ((row >> i) % 2 === 0 ? -1000 : 1000) : value)));
    const { space } = filled(hard);
    expect(space.codes).toBe('given up');
    expect(recallOf(space, hard.slice(0, 100), searchOptions)).toBeGreaterThan(0.97);
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

  test.each(['kept', 'released'] as const)('[K12] thousands of equal vectors are all found, %s', (kept) => {
    const [first = new Float32Array(dimension)] = vectors;
    const { space } = filled([...vectors, ...Array.from({ length: 3000 }, () => first)], { efConstruct: 24, vectors: kept });
    const reader = attachReader(space.handle, { vector: (row) => (row < vectors.length ? vectors[row] : first), vectors: () => [] });
    expect(space.codes).toBe('in use');
    expect(reader.search(first, { k: 2500, ef: 2500 }).distances.every((distance) => distance === 0)).toBe(true);
    expect(checkGraph(space.handle).faults).toEqual([]);
  });
});

describe('a saved graph', () => {
  function loaded(bytes: Uint8Array, other: Partial<VectorSpaceOptions> = {}) {
    const space = createVectorSpace({ ...options, ...other });
    space.loadGraph(sourceOf(bytes), { newest: 0 });
    return { space, indexer: attachIndexer(space.handle) };
  }

  test('[K15] [K51] brings the centre and the codes, which are in use at once', () => {
    const original = spaces(options, vectors);
    const saved = graphBytes(original.indexer);
    const { space, indexer } = loaded(saved);
    space.recall({ fromRow: 100, toRow: 200 });
    for (let row = 100; row < 200; row++) space.adopt(row, vectors[row] ?? new Float32Array(dimension), row);
    space.finishLoad();
    expect(space.codes).toBe('in use');
    for (const query of queries) expect(space.search(query, searchOptions)).toEqual(original.space.search(query, searchOptions));
    expect(graphBytes(indexer)).toEqual(saved);
  });

  test('[K15] [K51] that was saved while codes were written has them written to the end', () => {
    const space = createVectorSpace(options);
    const early = attachIndexer(space.handle);
    for (const [row, vector] of vectors.entries()) space.put(row, vector, row);
    do early.link(500);
    while (attachKernel(space.handle).learnedAddress() === 0);
    const { space: copy, indexer } = loaded(graphBytes(early));
    copy.finishLoad();
    expect(copy.codes).toBe('learning');
    while (indexer.link(500) > 0 || indexer.isCalibrating) indexer.reclaim();
    expect(copy.codes).toBe('in use');
    expect(recallOf(copy, queries, searchOptions)).toBeGreaterThan(0.95);
  });

  test('[K17] [K51] of another number of bits does not fit, nor does one whose centre was changed', () => {
    const saved = graphBytes(spaces(options, vectors).indexer);
    expect(() => loaded(saved, { quantization: 'binary-2' })).toThrow(GraphDamagedError);
    saved[saved.length - 1] = (saved.at(-1) ?? 0) ^ 1;
    expect(() => loaded(saved)).toThrow(GraphDamagedError);
  });
});
