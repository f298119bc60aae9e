// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MaxSim } from './max-sim.ts';
import type { Components, Metric } from './vector-space.ts';

const METRICS: readonly Metric[] = ['dot', 'cosine', 'euclid', 'manhattan'];

function naive(metric: Metric, query: readonly number[][], vectors: readonly number[][]): number {
  const unit = (vector: readonly number[]) => vector.map((x) => x / (Math.hypot(...vector) || 1));
  if (metric === 'cosine') return naive('dot', query.map(unit), vectors.map(unit));
  const distance = (a: readonly number[], b: readonly number[]): number => {
    if (metric === 'dot') return -a.reduce((sum, x, at) => sum + x * (b[at] ?? 0), 0);
    const differences = a.map((x, at) => Math.abs(x - (b[at] ?? 0)));
    return differences.reduce((sum, x) => sum + (metric === 'euclid' ? x * x : x), 0);
  };
  return query.reduce((sum, a) => sum + Math.min(...vectors.map((b) => distance(a, b))), 0);
}

const bytes = fc.integer({ min: 0, max: 255 });
const lists = fc.integer({ min: 1, max: 37 }).chain((dimension) => {
  const list = fc.array(fc.array(bytes, { minLength: dimension, maxLength: dimension }), { minLength: 1, maxLength: 11 });
  return fc.record({ dimension: fc.constant(dimension), query: list, other: list, vectors: list });
});

test.each(METRICS)('by %s the distance is the sum over the query of the least distances, for every datatype', (metric) => {
  fc.assert(
    fc.property(lists, fc.constantFrom(Float32Array, Float16Array, Uint8Array), ({ dimension, query, other, vectors }, Kind) => {
      const joined = (list: readonly number[][]): Components => Kind.from(list.flat());
      const [one, two] = [new MaxSim(joined(query), { dimension, metric }), new MaxSim(joined(other), { dimension, metric })];
      const near = (value: number) => expect.closeTo(value, Math.abs(value) > 1000 ? 0 : 3);
      // Interleaved, as searches that yield to each other are.
      for (const [measure, list] of [
        [one, query],
        [two, other],
        [one, query],
      ] as const) {
        expect(measure.distanceTo(joined(vectors))).toEqual(near(naive(metric, list, vectors)));
      }
      const half = Math.floor(query.length / 2);
      const parts = one.distanceTo(joined(vectors), [0, half]) + one.distanceTo(joined(vectors), [half, query.length]);
      expect(parts).toEqual(near(naive(metric, query, vectors)));
    }),
  );
});

test('lists that outgrow the memory of the module are measured too', () => {
  const dimension = 1024;
  const query = Float32Array.from({ length: 256 * dimension }, (_, at) => (at % dimension === 3 ? 1 : 0));
  const vectors = Float32Array.from({ length: 1024 * dimension }, (_, at) => (at % dimension === 3 ? 2 : 0));
  expect(new MaxSim(query, { dimension, metric: 'dot' }).distanceTo(vectors)).toBe(-512);
});
