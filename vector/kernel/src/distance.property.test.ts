// SPDX-License-Identifier: Apache-2.0
import { roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Components, createVectorSpace, type Datatype, type Metric } from './index.ts';
import { referenceDistance, widened } from './reference.ts';

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

function kernelDistance(metric: Metric, a: Components, b: Components, datatype: Datatype = 'float32'): number | undefined {
  const space = createVectorSpace({ dimension: a.length, metric, datatype, m: 4, efConstruct: 8, seed: 1 });
  space.put(0, a, 1);
  return space.scan(b, { k: 1, fromRow: 0, toRow: 1 }).distances[0];
}

describe.each(metrics)('%s', (metric) => {
  test('[K1] the kernel and its reference implementation compute the same distance', () => {
    const dimensions = fc.constantFrom(1, 2, 3, 4, 5, 15, 16, 17, 20, 31, 127, 128, 130);
    const pairs = dimensions.chain((dimension) => {
      const vector = fc.array(value, { minLength: dimension, maxLength: dimension }).map((values) => Float32Array.from(values));
      return fc.tuple(vector, vector);
    });
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        expect(kernelDistance(metric, a, b)).toBe(referenceDistance(metric, b, a));
        expect(kernelDistance(metric, a, a)).toBe(referenceDistance(metric, a, a));
      }),
      { numRuns: roundsOf({ quick: 12, long: 1500 }) },
    );
  });

  test('[K1] the longest vectors', () => {
    const a = Float32Array.from({ length: 65536 }, (_, i) => Math.sin(i));
    const b = Float32Array.from({ length: 65536 }, (_, i) => Math.cos(i * 3));
    expect(kernelDistance(metric, a, b)).toBe(referenceDistance(metric, b, a));
  });

  test('[K1] sums too large for a float32 are infinite, never "not a number"', () => {
    const large = Float32Array.from([3e38, -3e38, 3e38, 3e38, 3e38]);
    const mixed = Float32Array.from([-3e38, -3e38, 3e38, -3e38, 1]);
    const distance = kernelDistance(metric, large, mixed);
    expect(distance).toBe(referenceDistance(metric, mixed, large));
    expect(distance).toBe(Number.POSITIVE_INFINITY);
  });
});

/** Every float16, including denormals. */
const half = fc
  .nat(0xffff)
  .map((bits) => new Float16Array(Uint16Array.of(bits).buffer)[0] ?? 0)
  .filter(Number.isFinite);

describe.each(metrics)('float16 %s', (metric) => {
  test('[K33] halves are measured as the float32 values that they are', () => {
    const dimensions = fc.constantFrom(1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 127, 130);
    const usual = fc.float({ noNaN: true, min: -8, max: 8 });
    const pairs = dimensions.chain((dimension) => {
      const vector = fc
        .array(fc.oneof({ weight: 6, arbitrary: usual }, half), { minLength: dimension, maxLength: dimension })
        .map((values) => Float16Array.from(values));
      return fc.tuple(vector, vector);
    });
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        expect(kernelDistance(metric, a, b, 'float16')).toBe(referenceDistance(metric, b, a));
        expect(kernelDistance(metric, a, b, 'float16')).toBe(referenceDistance(metric, Float32Array.from(b), Float32Array.from(a)));
      }),
      { numRuns: roundsOf({ quick: 12, long: 1500 }) },
    );
  });

  test('[K33] each of the 65,536 halves', () => {
    // As numbers, of which one alone is "not a number".
    const all = new Float16Array(Uint16Array.from({ length: 65536 }, (_, bits) => bits).buffer).map((value) => value);
    const finite = all.map((value) => (Number.isFinite(value) ? value : 1));
    expect(kernelDistance(metric, finite, finite, 'float16')).toBe(referenceDistance(metric, finite, finite));
    // One component each, so that none hides behind another.
    const space = createVectorSpace({ dimension: 1, metric, datatype: 'float16', m: 0, efConstruct: 8, seed: 1 });
    for (const [row, value] of all.entries()) space.put(row, Float16Array.of(value), 1);
    const { rows, distances } = space.scan(Float16Array.of(1), { k: 65536, fromRow: 0, toRow: 65536 });
    // All at once: one by one it takes longer than all else here.
    const wide = widened(all);
    const expected = (row: number) => referenceDistance(metric, Float32Array.of(1), wide.subarray(row, row + 1));
    const differing = [...rows].filter((row, i) => !Object.is(distances[i], expected(row)));
    expect([rows.length, differing]).toEqual([65536, []]);
  });
});

describe.each<Metric>(['dot', 'euclid', 'manhattan', 'cosine'])('uint8 %s', (metric) => {
  test('[K33] bytes are measured without rounding', () => {
    const dimensions = fc.constantFrom(1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 127, 130);
    const pairs = dimensions.chain((dimension) => {
      const byte = fc.oneof(fc.nat(255), fc.constantFrom(0, 255));
      const vector = fc.array(byte, { minLength: dimension, maxLength: dimension }).map((values) => Uint8Array.from(values));
      return fc.tuple(vector, vector);
    });
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        expect(kernelDistance(metric, a, b, 'uint8')).toBe(referenceDistance(metric, b, a));
        expect(kernelDistance(metric, a, a, 'uint8')).toBe(referenceDistance(metric, a, a));
      }),
      { numRuns: roundsOf({ quick: 12, long: 1500 }) },
    );
  });

  test('[K33] the longest and largest vectors, and those of zeros', () => {
    const [none, most] = [new Uint8Array(65536), new Uint8Array(65536).fill(255)];
    for (const a of [none, most]) {
      for (const b of [none, most]) expect(kernelDistance(metric, a, b, 'uint8')).toBe(referenceDistance(metric, a, b));
    }
  });
});

test('a vector of another datatype is refused', () => {
  const space = createVectorSpace({ dimension: 2, metric: 'dot', datatype: 'float16', m: 4, efConstruct: 8, seed: 1 });
  expect(() => space.put(0, Float32Array.of(1, 2), 1)).toThrow('datatype');
  expect(() => createVectorSpace({ dimension: 2, metric: 'cosine', m: 4, efConstruct: 8, seed: 1 })).toThrow('cosine is for bytes');
});
