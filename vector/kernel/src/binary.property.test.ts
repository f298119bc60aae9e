// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ReferenceCode,
  referenceBetween,
  referenceBinaryCode,
  referenceBinaryPoint,
  referenceEstimate,
  referenceRotate,
} from './binary-reference.ts';
import { createVectorSpace } from './index.ts';
import { attachKernel } from './kernel.ts';
import { referenceDistanceOf } from './reference.ts';

const metrics = ['dot', 'euclid'] as const;
const kinds = ['binary', 'binary-1.5', 'binary-2'] as const;
const headerBytes = 12;

/** Arbitrary components, small integers of which many are equal, and zeros. */
const component = fc.oneof(fc.float({ min: -1e6, max: 1e6, noNaN: true }), fc.integer({ min: -2, max: 2 }), fc.constant(0));
const dimensions = fc.oneof(fc.integer({ min: 1, max: 330 }), fc.constantFrom(64, 128, 192, 768));
const vectorsOf = (dimension: number, count: number) =>
  fc.array(
    fc.array(component, { minLength: dimension, maxLength: dimension }).map((values) => Float32Array.from(values)),
    { minLength: count, maxLength: count },
  );
const seed = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const shape = dimensions.chain((dimension) => fc.record({ vectors: vectorsOf(dimension, 3), seed }));

/** A space whose first two rows have codes of a given codebook. */
function coded(metric: 'dot' | 'euclid', kind: (typeof kinds)[number], vectors: readonly Float32Array[], seed: number) {
  const dimension = vectors[0]?.length ?? 0;
  const space = createVectorSpace({ dimension, metric, m: 4, efConstruct: 8, seed: 1, quantization: kind });
  const kernel = attachKernel(space.handle);
  const memory = () => space.handle.memory.buffer;
  const padded = Math.ceil(dimension / 64) * 64;
  const centre = new Float32Array(padded);
  centre.set(vectors[2] ?? []);
  const codebook = kernel.takeLearned() >>> 0;
  new Float32Array(memory(), codebook + 16, padded).set(centre);
  kernel.finishBinaryCodebook(codebook, seed);
  kernel.queryAddress();
  for (const row of [0, 1]) {
    space.put(row, vectors[row] ?? new Float32Array(dimension), row);
    kernel.encodeRow(row);
  }
  return { kernel, memory, codebook, padded, referenceCodebook: { seed, centre } };
}

function codeAt(memory: ArrayBufferLike, address: number, signCount: number, secondCount: number): ReferenceCode {
  const view = new DataView(memory, address);
  const signsFrom = (first: number, count: number) =>
    Array.from({ length: count }, (_, i) => ((view.getUint8(first + (i >> 3)) >> (i & 7)) & 1) * 2 - 1);
  return {
    addend: view.getFloat32(0, true),
    factor: view.getFloat32(4, true),
    length: view.getFloat32(8, true),
    signs: signsFrom(headerBytes, signCount),
    seconds: signsFrom(headerBytes + signCount / 8, secondCount),
  };
}

const secondsOf = (kind: (typeof kinds)[number], padded: number) => Math.floor(((padded / 64) * kinds.indexOf(kind)) / 2) * 64;

describe.each(metrics)('by %s', (metric) => {
  test.each(kinds)(
    '[K50] the kernel and its reference implementation make the same codes and points of kind %s, and find them equally near',
    (kind) => {
      fc.assert(
        fc.property(shape, fc.constantFrom(4, 8), ({ vectors, seed }, bits) => {
          const { kernel, memory, codebook, padded, referenceCodebook } = coded(metric, kind, vectors, seed);
          const [from = new Float32Array(), to = new Float32Array()] = vectors;
          const secondCount = secondsOf(kind, padded);
          const [a, b] = [from, to].map((vector) => referenceBinaryCode(metric, vector, referenceCodebook, secondCount));
          const [at, bt] = [kernel.codeAddress(0) >>> 0, kernel.codeAddress(1) >>> 0];
          expect(codeAt(memory(), at, padded, secondCount)).toEqual(a);
          expect(codeAt(memory(), bt, padded, secondCount)).toEqual(b);
          if (a === undefined || b === undefined) return;
          expect(referenceDistanceOf(kernel.binaryOrder(at, bt))).toBe(referenceBetween(a, b) + 0);

          const point = kernel.inputAddress(1 << 20) >>> 0;
          kernel.layOutBinary(kernel.vectorAddress(0), codebook, point, bits);
          kernel.setLaidOut(point, at);
          const expected = referenceBinaryPoint(metric, from, referenceCodebook, bits);
          expect(referenceDistanceOf(kernel.binaryOrder(point, bt))).toBe(referenceEstimate(expected, b));
          expect(referenceDistanceOf(kernel.binaryOrder(point, point))).toBe(referenceEstimate(expected, a));
        }),
        { numRuns: roundsOf({ quick: 25 }) },
      );
    },
  );
});

test('[K50] turning keeps lengths and products', () => {
  const random = seededRandom(3);
  const space = createVectorSpace({ dimension: 4, metric: 'dot', m: 4, efConstruct: 8, seed: 1 });
  const kernel = attachKernel(space.handle);
  for (const count of [64, 128, 192, 320, 768, 1024, 1536]) {
    const address = kernel.inputAddress(count * 4) >>> 0;
    const [a, b] = [1, 2].map(() => Float32Array.from({ length: count }, () => random.next() - 0.5));
    const rotated = [a, b].map((vector = new Float32Array()) => {
      new Float32Array(space.handle.memory.buffer, address, count).set(vector);
      kernel.rotate(address, count, 77);
      const values = new Float32Array(space.handle.memory.buffer, address, count).slice();
      const expected = vector.slice();
      referenceRotate(expected, 77);
      expect(values).toEqual(expected);
      return values;
    });
    const product = (x: Float32Array = new Float32Array(), y: Float32Array = new Float32Array()) =>
      x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
    expect(product(rotated[0], rotated[1])).toBeCloseTo(product(a, b), 3);
    expect(product(rotated[0], rotated[0])).toBeCloseTo(product(a, a), 3);
  }
});

test.each(kinds)('[K50] the estimates of codes of kind %s are not biased, and err by little more than the paper says', (kind) => {
  const dimension = 256;
  const random = seededRandom(9);
  const draw = () => Float32Array.from({ length: dimension }, () => random.next() + random.next() + random.next() - 1.5);
  const codebook = { seed: 5, centre: new Float32Array(dimension) };
  const secondCount = secondsOf(kind, dimension);
  const errors: number[] = [];
  let expected = 0;
  for (let i = 0; i < 400; i++) {
    const [stored, query] = [draw(), draw()];
    const code = referenceBinaryCode('euclid', stored, codebook, secondCount);
    const point = referenceBinaryPoint('euclid', query, codebook, 8);
    const distance = stored.reduce((sum, value, j) => sum + (value - (query[j] ?? 0)) ** 2, 0);
    // The cosine of x and r: by theorem 3.2 of the paper it determines the spread of the estimate.
    const x = [...code.signs].map((sign, j) => 2 * sign + (code.seconds[j] ?? 0));
    const lengthOfX = Math.hypot(...x);
    const cosine = code.length / Math.sqrt(2) / ((code.factor / 2) * lengthOfX);
    const spread = 2 * (code.length / Math.sqrt(2)) * Math.hypot(...query) * Math.sqrt((1 / cosine ** 2 - 1) / (dimension - 1));
    errors.push((referenceEstimate(point, code) - distance) / spread);
    expected++;
  }
  const mean = errors.reduce((sum, error) => sum + error, 0) / expected;
  const deviation = Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / expected);
  expect(Math.abs(mean)).toBeLessThan(0.2);
  expect(deviation).toBeGreaterThan(0.7);
  expect(deviation).toBeLessThan(1.2);
});
