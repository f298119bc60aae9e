// SPDX-License-Identifier: Apache-2.0
import { roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createVectorSpace, type Metric } from './index.ts';
import { attachKernel } from './kernel.ts';
import { referenceNearest, referenceProductCode, referenceProductNearness, referenceTrain } from './product-reference.ts';

const metrics: readonly Metric[] = ['dot', 'euclid', 'manhattan'];
const widths = [1, 2, 4, 8, 16] as const;

/** Arbitrary bytes, or few different ones, so that many are equal. */
const byte = fc.oneof(fc.integer({ min: -128, max: 127 }), fc.constantFrom(-128, -1, 0, 1, 127));
const bytes = (length: number) => fc.array(byte, { minLength: length, maxLength: length }).map((values) => Int8Array.from(values));
const points = (width: number, count: fc.IntegerConstraints) =>
  fc.integer(count).chain((length) => fc.array(bytes(width), { minLength: length, maxLength: length }));

/** The kernel's functions over memory that nothing else uses. */
function bare(metric: Metric, bytesNeeded = 1 << 20) {
  const space = createVectorSpace({ dimension: 4, metric, m: 4, efConstruct: 8, seed: 1 });
  const kernel = attachKernel(space.handle);
  const start = kernel.inputAddress(bytesNeeded) >>> 0;
  const memory = () => new Int8Array(space.handle.memory.buffer);
  return {
    kernel,
    start,
    write: (at: number, values: readonly Int8Array[]) => {
      let end = at;
      for (const value of values) {
        memory().set(value, end);
        end += value.length;
      }
      return end;
    },
    read: (at: number, length: number) => memory().slice(at, at + length),
  };
}

describe.each(widths)('sub-vectors of %i components', (width) => {
  const { kernel, start, write, read } = bare('euclid');

  test('[K37] the kernel and its reference implementation find the same centroid, the first of equals', () => {
    fc.assert(
      fc.property(points(width, { min: 256, max: 256 }), bytes(width), (codebook, point) => {
        const place = write(start, codebook);
        write(place, [point]);
        expect(kernel.nearestCentroid(width, place, start)).toBe(referenceNearest(point, codebook));
      }),
      { numRuns: roundsOf({ quick: 12, long: 1200 }) },
    );
  });

  test('[K37] the kernel and its reference implementation learn the same centroids', () => {
    fc.assert(
      fc.property(points(width, { min: 1, max: roundsOf({ quick: 320, long: 700 }) }), (sample) => {
        const place = write(start, sample);
        kernel.train(width, start, sample.length, place, place + 256 * width);
        expect([...read(place, 256 * width)]).toEqual(referenceTrain(sample).flatMap((centroid) => [...centroid]));
      }),
      { numRuns: roundsOf({ quick: 3, long: 180 }) },
    );
  });

  test.each(metrics)('[K37] the kernel and its reference implementation agree on how near a point is to a code, by %s', (metric) => {
    const { kernel, start, write } = bare(metric);
    const shape = fc.integer({ min: 1, max: 5 }).chain((sixteens) => {
      const places = (sixteens * 16) / width;
      const codebook = points(width, { min: 256, max: 256 });
      return fc.record({
        codebooks: fc.array(codebook, { minLength: places, maxLength: places }),
        pair: points(sixteens * 16, { min: 2, max: 2 }),
      });
    });
    fc.assert(
      fc.property(shape, ({ codebooks, pair: [from = new Int8Array(), to = new Int8Array()] }) => {
        const { code } = referenceProductCode(to, codebooks);
        const point = write(start, codebooks.flat());
        const codeAt = write(point, [from]);
        write(codeAt, [Int8Array.from(code)]);
        expect(kernel.productOrder(width, start, point, codeAt, code.length) >>> 0).toBe(
          referenceProductNearness(metric, from, code, codebooks),
        );
      }),
      { numRuns: roundsOf({ quick: 2, long: 150 }) },
    );
  });
});

test('[K37] the farthest points of the largest dimension stay within 32 bits', () => {
  const width = 16;
  const length = 65_536;
  const places = length / width;
  const { kernel, start, write } = bare('euclid', places * 256 * width + length + places);
  const lowest = new Int8Array(width).fill(-128);
  for (let place = 0; place < places; place++) write(start + place * 256 * width, [lowest]);
  const from = new Int8Array(length).fill(127);
  const code = new Int8Array(places);
  const point = start + places * 256 * width;
  write(point, [from, code]);
  const codebooks = Array.from({ length: places }, () => [lowest]);
  expect(kernel.productOrder(width, start, point, point + length, places) >>> 0).toBe(
    referenceProductNearness('euclid', from, [...code], codebooks),
  );
});
