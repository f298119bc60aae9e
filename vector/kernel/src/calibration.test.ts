// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { roundsOf } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { clusteredVectors } from './clustered-vectors.ts';
import { fillSpace, recallOf } from './filled-space.ts';
import { checkGraph } from './graph-check.ts';
import { attachReader, type SpaceReader, type VectorSpaceHandle, type VectorSpaceOptions } from './index.ts';
import { attachKernel } from './kernel.ts';
import { referenceNearest } from './reference.ts';

const dimension = 32;
const options: VectorSpaceOptions = { dimension, metric: 'euclid', m: 8, efConstruct: 60, seed: 1 };

function scaleOf(handle: VectorSpaceHandle): number {
  const [scale = 0] = new Float32Array(handle.memory.buffer, attachKernel(handle).calibrationAddress() + 4, 1);
  return scale;
}

function codesInUse(handle: VectorSpaceHandle): boolean {
  return attachKernel(handle).codesInUse() !== 0;
}

function filled(vectors: readonly Float32Array[], other: Partial<VectorSpaceOptions> = {}) {
  return fillSpace({ ...options, ...other }, vectors);
}

function recall(space: SpaceReader, queries: readonly Float32Array[], { k, ef } = { k: 10, ef: 64 }): number {
  return recallOf(space, queries, { k, ef });
}

describe('codes', () => {
  test('are used from a thousand rows on, by default where the dimension is 24 or more', () => {
    const vectors = clusteredVectors({ count: 1500, dimension, clusters: 20, seed: 1 });
    const { space, add } = filled(vectors.slice(0, 999));
    expect(codesInUse(space.handle)).toBe(false);
    add(vectors.slice(999));
    expect(codesInUse(space.handle)).toBe(true);
    expect(codesInUse(filled(vectors, { quantization: 'none' }).space.handle)).toBe(false);
    const short = vectors.map((vector) => vector.slice(0, 23));
    expect(codesInUse(filled(short, { dimension: 23 }).space.handle)).toBe(false);
    expect(codesInUse(filled(short, { dimension: 23, quantization: 'int8' }).space.handle)).toBe(true);
  });

  test.each(['dot', 'euclid', 'manhattan'] as const)(
    '[K1] [K3] [K21] choose candidates only: distances and order are those of the vectors, by %s',
    (metric) => {
      const vectors = clusteredVectors({ count: 2000, dimension, clusters: 20, seed: 2 });
      // So many links that each row is reached.
      const { space } = filled(vectors, { metric, m: 16 });
      expect(codesInUse(space.handle)).toBe(true);
      for (const query of clusteredVectors({ count: 30, dimension, clusters: 20, seed: 3 })) {
        const found = space.search(query, { k: 10, ef: 2000 });
        expect(found).toEqual(referenceNearest(metric, query, new Map(vectors.entries()), 10));
      }
    },
  );

  test('[K7] [K21] find what a walk on the vectors finds with the same ef', () => {
    const vectors = clusteredVectors({ count: roundsOf({ quick: 2000, long: 6000 }), dimension, clusters: 60, seed: 8 });
    const queries = clusteredVectors({ count: 200, dimension, clusters: 60, seed: 9 });
    const [onCodes, onVectors] = (['int8', 'none'] as const).map(
      (quantization) => filled(vectors, { metric: 'dot', m: 16, quantization }).space,
    );
    for (const [k, ef] of [
      [1, 16],
      [10, 10],
      [10, 64],
      [100, 128],
    ] as const) {
      const [found = 0, wanted = 0] = [onCodes, onVectors].map((space) => (space ? recall(space, queries, { k, ef }) : 0));
      expect(found).toBeGreaterThan(wanted - 0.01);
    }
  });

  test('[K4] [K21] rows that wait are ranked among the others by their vectors', () => {
    const vectors = clusteredVectors({ count: 2000, dimension, clusters: 20, seed: 2 });
    const { space } = filled(vectors.slice(0, 1500));
    for (const [row, vector] of vectors.entries()) if (row >= 1500) space.put(row, vector, row);
    const query = vectors[1700] ?? new Float32Array(dimension);
    expect(space.search(query, { k: 10, ef: 2000 })).toEqual(referenceNearest('euclid', query, new Map(vectors.entries()), 10));
  });

  test('[K23] follow the data to another scale', () => {
    const vectors = clusteredVectors({ count: 4000, dimension, clusters: 40, seed: 4 });
    const { space, add } = filled(vectors.slice(0, 1000));
    const before = scaleOf(space.handle);
    const large = vectors.slice(1000).map((vector) => vector.map((value) => value * 50 + 7));
    add(large);
    expect(codesInUse(space.handle)).toBe(true);
    expect(scaleOf(space.handle)).toBeLessThan(before / 10);
    expect(recall(space, large.slice(0, 100))).toBeGreaterThan(0.97);
    expect(checkGraph(space.handle).faults).toEqual([]);
  });

  test.each([
    ['larger', 100],
    ['smaller', 0.01],
  ])('[K31] follow vectors that are much %s before as many have come as there were', (_, factor) => {
    const vectors = clusteredVectors({ count: 3000, dimension, clusters: 40, seed: 4 });
    const { space, add } = filled(vectors.slice(0, 2000), { metric: 'dot', efConstruct: 12 });
    const before = scaleOf(space.handle);
    for (let row = 0; row < 2000; row++) space.remove(row);
    add(vectors.slice(2000).map((vector) => vector.map((value) => value * factor)));
    expect(codesInUse(space.handle)).toBe(true);
    expect(Math.abs(Math.log10(before / scaleOf(space.handle)))).toBeGreaterThan(1.5);
  });

  test('[K23] are given up where they cannot tell neighbours apart, and the vectors serve', () => {
    const random = seededRandom(5);
    // The differences are far below one step of a code, because a few components are very large.
    const vectors = clusteredVectors({ count: 1200, dimension, clusters: 30, seed: 6 }).map((vector) =>
      vector.map((value, i) => (i < 4 ? (random.next() < 0.5 ? -1000 : 1000) : value)),
    );
    const { space } = filled(vectors);
    expect(codesInUse(space.handle)).toBe(false);
    expect(recall(space, vectors.slice(0, 100))).toBeGreaterThan(0.97);
  });

  test('reach as far as a quantile says', () => {
    const vectors = clusteredVectors({ count: 1100, dimension, clusters: 20, seed: 4 });
    const components = vectors.flatMap((vector) => [...vector]);
    const mean = components.reduce((sum, value) => sum + value, 0) / components.length;
    const deviations = components.map((value) => Math.abs(value - mean)).sort((a, b) => a - b);
    // Half of all components are clipped by the first.
    for (const [quantile, areUsed] of [
      [0.5, false],
      [0.9, undefined],
      [0.99, true],
      [1, undefined],
    ] as const) {
      const { space } = filled(vectors, { quantile, efConstruct: 12 });
      if (areUsed !== undefined) expect(codesInUse(space.handle)).toBe(areUsed);
      const reach = deviations[Math.ceil(quantile * deviations.length) - 1] ?? 0;
      expect(127 / scaleOf(space.handle)).toBeCloseTo(reach, 2);
    }
  });

  test.each([
    ['nothing but zeros', () => new Float32Array(dimension)],
    ['values beyond all bounds', () => new Float32Array(dimension).fill(3e38)],
    ['infinite values', () => new Float32Array(dimension).fill(Number.POSITIVE_INFINITY)],
    ['denormal values', (row: number) => new Float32Array(dimension).fill(row * 2 ** -149)],
  ])('[K23] are not made of %s', (_, vectorOf) => {
    const { space } = filled(Array.from({ length: 1200 }, (_, row) => vectorOf(row)));
    expect(codesInUse(space.handle)).toBe(false);
    expect(space.search(vectorOf(1), { k: 5, ef: 30 }).rows).toHaveLength(5);
    expect(checkGraph(space.handle).faults).toEqual([]);
  });

  test('[K22] wait, before they are rewritten, until the readers have left that may walk on them', () => {
    const vectors = clusteredVectors({ count: 2100, dimension, clusters: 20, seed: 7 });
    const { space, add, indexer } = filled(vectors.slice(0, 1000));
    const before = scaleOf(space.handle);
    const early = attachKernel(space.handle);
    expect(early.claimSlot()).toBe(1);
    early.enter();
    add(vectors.slice(1000).map((vector) => vector.map((value) => value * 4)));
    expect(scaleOf(space.handle)).toBe(before);
    // A reader that begins now compares vectors.
    expect(codesInUse(space.handle)).toBe(false);
    const reader = attachReader(space.handle);
    expect(recall(reader, vectors.slice(0, 20))).toBeGreaterThan(0.9);
    early.leave();
    indexer.link(1);
    expect(codesInUse(space.handle)).toBe(true);
    expect(scaleOf(space.handle)).toBeLessThan(before / 2);
  });
});
