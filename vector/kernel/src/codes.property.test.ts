// SPDX-License-Identifier: Apache-2.0
import { roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createVectorSpace, type Metric } from './index.ts';
import { attachKernel } from './kernel.ts';
import { type Calibration, referenceCode, referenceNearness } from './reference.ts';

const metrics: readonly Metric[] = ['dot', 'euclid', 'manhattan'];
const denormal = fc.integer({ min: -1000, max: 1000 }).map((units) => Math.fround(units * 2 ** -149));
const value = fc.oneof(
  { weight: 8, arbitrary: fc.float({ noNaN: true, min: -8, max: 8 }) },
  fc.float(),
  denormal,
  fc.constantFrom(0, -0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN),
);
const calibration: fc.Arbitrary<Calibration> = fc.record({
  scale: fc.oneof(fc.float({ min: 0.5, max: 64, noNaN: true }), fc.constantFrom(Math.fround(1e-30), Math.fround(1e30))),
  offset: fc.oneof(fc.constant(0), fc.float({ min: -4, max: 4, noNaN: true })),
});

/** Rows with these vectors and their codes, and the kernel's distances between them. */
function encoded(metric: Metric, vectors: readonly Float32Array[], { scale, offset }: Calibration) {
  const dimension = vectors[0]?.length ?? 0;
  const space = createVectorSpace({ dimension, metric, m: 4, efConstruct: 8, seed: 1, quantization: 'int8' });
  const { memory } = space.handle;
  const kernel = attachKernel(space.handle);
  new Float32Array(memory.buffer, kernel.calibrationAddress() + 4, 2).set([scale, offset]);
  for (const [row, vector] of vectors.entries()) {
    space.put(row, vector, row);
    kernel.encodeRow(row);
  }
  return {
    codeOf: (row: number) => new Int8Array(memory.buffer, kernel.codeAddress(row), dimension).slice(),
    nearness: (a: number, b: number) => kernel.codeNearness(a, b) >>> 0,
    nearnessOfFour: (from: number, [a, b, c, d]: readonly [number, number, number, number]) =>
      [0, 1, 2, 3].map((lane) => kernel.codeNearnessOfFour(from, a, b, c, d, lane) >>> 0),
  };
}

describe.each(metrics)('%s', (metric) => {
  test('[K20] the kernel and its reference implementation make the same codes, and the same integers of them', () => {
    const dimensions = fc.constantFrom(1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 100, 130);
    const rows = dimensions.chain((dimension) => {
      const vector = fc.array(value, { minLength: dimension, maxLength: dimension }).map((values) => Float32Array.from(values));
      return fc.array(vector, { minLength: 5, maxLength: 5 });
    });
    fc.assert(
      fc.property(rows, calibration, (vectors, any) => {
        // For products the offset is zero.
        const chosen = metric === 'dot' ? { ...any, offset: 0 } : any;
        const codes = vectors.map((vector) => referenceCode(vector, chosen));
        const kernel = encoded(metric, vectors, chosen);
        codes.forEach((code, row) => {
          expect(kernel.codeOf(row)).toEqual(code);
          codes.forEach((other, otherRow) => {
            expect(kernel.nearness(row, otherRow)).toBe(referenceNearness(metric, code, other));
          });
        });
        const [first = new Int8Array(), ...others] = codes;
        expect(kernel.nearnessOfFour(0, [1, 2, 3, 4])).toEqual(others.map((other) => referenceNearness(metric, first, other)));
      }),
      { numRuns: roundsOf({ quick: 33, long: 1000 }) },
    );
  });

  test('[K20] the longest and farthest codes stay within 32 bits', () => {
    const vectors = [-1e9, 1e9, 0].map((far) => new Float32Array(65536).fill(far));
    const chosen = { scale: 1, offset: 0 };
    const kernel = encoded(metric, vectors, chosen);
    const [low = new Int8Array(), high = new Int8Array()] = vectors.map((vector) => referenceCode(vector, chosen));
    expect(kernel.nearness(0, 1)).toBe(referenceNearness(metric, low, high));
    expect(kernel.nearness(0, 0)).toBe(referenceNearness(metric, low, low));
    expect(kernel.nearnessOfFour(1, [0, 1, 0, 2])[0]).toBe(referenceNearness(metric, high, low));
  });
});
