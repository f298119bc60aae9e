import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createVectorSpace, type Metric } from './index.ts';
import { twinDistance } from './twin.ts';

const metrics: readonly Metric[] = ['dot', 'euclid', 'manhattan'];
const finite = fc.float({ noNaN: true, noDefaultInfinity: true });
const denormal = fc.integer({ min: -1000, max: 1000 }).map((units) => Math.fround(units * 2 ** -149));
const value = fc.oneof(
  { weight: 6, arbitrary: fc.float({ noNaN: true, min: -8, max: 8 }) },
  finite,
  denormal,
  fc.constant(0),
  fc.constant(-0),
);

function kernelDistance(metric: Metric, a: Float32Array, b: Float32Array): number | undefined {
  const space = createVectorSpace({ dimension: a.length, metric, m: 4, efConstruct: 8, seed: 1 });
  space.put(0, a, 1);
  return space.scan(b, { k: 1, fromRow: 0, toRow: 1 }).distances[0];
}

describe.each(metrics)('%s', (metric) => {
  test('[K1] the kernel and its twin compute the same distance', () => {
    const dimensions = fc.constantFrom(1, 2, 3, 4, 5, 15, 16, 17, 20, 31, 127, 128, 130);
    const pairs = dimensions.chain((dimension) => {
      const vector = fc.array(value, { minLength: dimension, maxLength: dimension }).map((values) => Float32Array.from(values));
      return fc.tuple(vector, vector);
    });
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        expect(kernelDistance(metric, a, b)).toBe(twinDistance(metric, b, a));
        expect(kernelDistance(metric, a, a)).toBe(twinDistance(metric, a, a));
      }),
      { numRuns: 150 },
    );
  });

  test('[K1] the longest vectors', () => {
    const a = Float32Array.from({ length: 65536 }, (_, i) => Math.sin(i));
    const b = Float32Array.from({ length: 65536 }, (_, i) => Math.cos(i * 3));
    expect(kernelDistance(metric, a, b)).toBe(twinDistance(metric, b, a));
  });

  test('[K1] sums too large for a float32 are infinite, never "not a number"', () => {
    const large = Float32Array.from([3e38, -3e38, 3e38, 3e38, 3e38]);
    const mixed = Float32Array.from([-3e38, -3e38, 3e38, -3e38, 1]);
    const distance = kernelDistance(metric, large, mixed);
    expect(distance).toBe(twinDistance(metric, mixed, large));
    expect(distance).toBe(Number.POSITIVE_INFINITY);
  });
});
