// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createVectorSpace } from './index.ts';
import { attachKernel } from './kernel.ts';
import { directionMax, placeDirections } from './projection-reference.ts';
import { type Reducer, referenceReduced, referenceReducedNearness } from './reduced-reference.ts';

type Form = { readonly metric: 'dot' | 'euclid'; readonly datatype: 'float32' | 'uint8' };

/** Vectors of bytes are their own codes, less 128 each. */
function vectorOf(code: Int8Array, { datatype }: Form): Float32Array | Uint8Array {
  return datatype === 'uint8' ? Uint8Array.from(code, (value) => value + 128) : Float32Array.from(code);
}

/** Rows with these codes, reduced by this reducer, and the kernel's distances between them. */
function reduced(form: Form, codes: readonly Int8Array[], reducer: Reducer) {
  const dimension = codes[0]?.length ?? 0;
  const directions = reducer.directions.length;
  const space = createVectorSpace({ ...form, dimension, m: 4, efConstruct: 8, seed: 1, quantization: 'reduced' });
  for (const [row, code] of codes.entries()) space.put(row, vectorOf(code, form), row);
  const kernel = attachKernel(space.handle);
  const { buffer } = space.handle.memory;
  new Float32Array(buffer, kernel.calibrationAddress() + 4, 2).set([1, 0]);
  // Bytes of a code: projections, and four of the number behind them.
  new Uint32Array(buffer, kernel.findingsAddress(), 1).set([directions + 4]);
  const stride = (dimension + 15) & ~15;
  // With this call the instance learns that codes are reduced.
  expect(kernel.learnedBytes()).toBe(16 + directions * 4 + (directions + 1) * stride + 8);
  const address = kernel.takeLearned() >>> 0;
  kernel.queryAddress();
  const { buffer: grown } = space.handle.memory;
  new Float64Array(grown, address, 2).set([reducer.ratio, reducer.squareUnit]);
  const meanStart = address + 16 + directions * 4;
  // The padding of a vector is zero before 128 is subtracted.
  new Int8Array(grown, meanStart, stride).fill(form.datatype === 'uint8' ? -128 : 0);
  new Int8Array(grown, meanStart, dimension).set(reducer.mean);
  placeDirections(new Uint8Array(grown, meanStart + stride, directions * stride), reducer.directions);
  kernel.setExcesses(address, directions);
  for (const row of codes.keys()) kernel.encodeRow(row);
  return {
    codeOf: (row: number) => ({
      projections: new Int8Array(grown, kernel.codeAddress(row) >>> 0, directions).map((stored) => stored - 64),
      addend: new Int32Array(grown, (kernel.codeAddress(row) >>> 0) + directions, 1)[0],
    }),
    nearness: (a: number, b: number) => kernel.codeNearness(a, b) >>> 0,
    nearnessOfFour: (from: number, [a, b, c, d]: readonly [number, number, number, number]) =>
      [0, 1, 2, 3].map((lane) => kernel.codeNearnessOfFour(from, a, b, c, d, lane) >>> 0),
  };
}

const bytes = (length: number, most: number) =>
  fc.nat().map((seed) => {
    const random = seededRandom(seed);
    return Int8Array.from({ length }, () => random.integer(2 * most + 1) - most);
  });

/** Codes of floats go from -127 to 127, bytes from -128 on. */
function casesFrom(least: number) {
  return fc.tuple(fc.constantFrom(128, 131, 250, 520, 777), fc.constantFrom(60, 124)).chain(([dimension, directions]) =>
    fc.record({
      codes: fc.array(
        fc.oneof(
          bytes(dimension, 127),
          bytes(dimension, 3),
          fc.constantFrom(least, 0, 127).map((value) => new Int8Array(dimension).fill(value)),
        ),
        { minLength: 5, maxLength: 5 },
      ),
      reducer: fc.record({
        ratio: fc.oneof(fc.double({ min: 1e-6, max: 1, noNaN: true }), fc.constantFrom(0.25, 0.5)),
        squareUnit: fc.oneof(fc.double({ min: 1e-6, max: 1, noNaN: true }), fc.constant(1e9)),
        mean: bytes(dimension, 127),
        directions: fc.array(
          fc.oneof(
            bytes(dimension, directionMax),
            fc.constantFrom(directionMax, 0, -directionMax).map((value) => new Int8Array(dimension).fill(value)),
          ),
          { minLength: directions, maxLength: directions },
        ),
      }),
    }),
  );
}

const forms: readonly Form[] = [
  { metric: 'dot', datatype: 'float32' },
  { metric: 'euclid', datatype: 'float32' },
  { metric: 'euclid', datatype: 'uint8' },
];

describe.each(forms)('$metric of $datatype', (form) => {
  const { metric, datatype } = form;
  test('[K52] the kernel and its reference implementation make the same reduced codes, and the same integers of them', () => {
    fc.assert(
      fc.property(casesFrom(datatype === 'uint8' ? -128 : -127), ({ codes, reducer }) => {
        const expectedCodes = codes.map((code) => referenceReduced(metric, code, reducer));
        const kernel = reduced(form, codes, reducer);
        for (const [row, expected] of expectedCodes.entries())
          expect(kernel.codeOf(row)).toEqual({ ...expected, addend: expected.addend + 0 });
        const [first, ...others] = expectedCodes;
        const orders = others.map((other) => first && referenceReducedNearness(metric, first, other));
        expect(kernel.nearnessOfFour(0, [1, 2, 3, 4])).toEqual(orders);
        expect([1, 2, 3, 4].map((row) => kernel.nearness(0, row))).toEqual(orders);
      }),
      { numRuns: roundsOf({ quick: 20, long: 600 }) },
    );
  });
});
