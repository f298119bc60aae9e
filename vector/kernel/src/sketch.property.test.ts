import { seededRandom } from '@sextant/foundation-std';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createVectorSpace } from './index.ts';
import { attachKernel } from './kernel.ts';
import { directionMax, placeDirections } from './projection-twin.ts';
import { type Sketcher, twinSketch, twinSketchNearness } from './sketch-twin.ts';

const directions = 56;

/** Rows that hold these codes, sketched by this sketcher, and what the kernel says of them. */
function sketched(metric: 'dot' | 'euclid', codes: readonly Int8Array[], sketcher: Sketcher) {
  const dimension = codes[0]?.length ?? 0;
  const space = createVectorSpace({ dimension, metric, m: 4, efConstruct: 8, seed: 1, quantization: 'bits' });
  for (const [row, code] of codes.entries()) space.put(row, Float32Array.from(code), row);
  const kernel = attachKernel(space.handle);
  const address = kernel.takeLearned() >>> 0;
  const { buffer } = space.handle.memory;
  new Float32Array(buffer, kernel.calibrationAddress() + 4, 2).set([1, 0]);
  new Float64Array(buffer, address, 2).set([sketcher.ratio, sketcher.squareUnit]);
  const stride = (dimension + 15) & ~15;
  const meanStart = address + 16 + directions * 4;
  new Int8Array(buffer, meanStart, dimension).set(sketcher.mean);
  placeDirections(new Uint8Array(buffer, meanStart + stride, directions * stride), sketcher.directions);
  kernel.setExcesses(address, directions);
  for (const row of codes.keys()) {
    kernel.encodeRow(row);
    kernel.sketchRow(row);
  }
  return {
    sketchOf: (row: number) => ({
      projections: new Int8Array(buffer, kernel.sketchAddress(row) >>> 0, directions).slice(),
      addend: new Int32Array(buffer, (kernel.sketchAddress(row) >>> 0) + directions, 1)[0],
    }),
    nearnessOfFour: (from: number, [a, b, c, d]: readonly [number, number, number, number]) =>
      [0, 1, 2, 3].map((lane) => kernel.sketchNearnessOfFour(from, a, b, c, d, lane) >>> 0),
  };
}

const bytes = (length: number, most: number) =>
  fc.nat().map((seed) => {
    const random = seededRandom(seed);
    return Int8Array.from({ length }, () => random.integer(2 * most + 1) - most);
  });

const cases = fc.constantFrom(512, 513, 515, 519, 520, 777).chain((dimension) =>
  fc.record({
    // Codes reach from -127 to 127.
    codes: fc.array(
      fc.oneof(
        bytes(dimension, 127),
        bytes(dimension, 3),
        fc.constantFrom(-127, 0, 127).map((value) => new Int8Array(dimension).fill(value)),
      ),
      {
        minLength: 5,
        maxLength: 5,
      },
    ),
    sketcher: fc.record({
      ratio: fc.oneof(fc.double({ min: 1e-6, max: 1, noNaN: true }), fc.constantFrom(0.25, 0.5)),
      squareUnit: fc.oneof(fc.double({ min: 1e-6, max: 1, noNaN: true }), fc.constant(1e9)),
      mean: bytes(dimension, 127),
      directions: fc.array(
        fc.oneof(
          bytes(dimension, directionMax),
          fc.constantFrom(directionMax, 0, -directionMax).map((value) => new Int8Array(dimension).fill(value)),
        ),
        {
          minLength: directions,
          maxLength: directions,
        },
      ),
    }),
  }),
);

describe.each(['dot', 'euclid'] as const)('%s', (metric) => {
  test('[K26] the kernel and its twin make the same sketches, and the same integers of them', () => {
    fc.assert(
      fc.property(cases, ({ codes, sketcher }) => {
        const twins = codes.map((code) => twinSketch(metric, code, sketcher));
        const kernel = sketched(metric, codes, sketcher);
        for (const [row, twin] of twins.entries()) expect(kernel.sketchOf(row)).toEqual({ ...twin, addend: twin.addend + 0 });
        const [first, ...others] = twins;
        expect(kernel.nearnessOfFour(0, [1, 2, 3, 4])).toEqual(others.map((other) => first && twinSketchNearness(metric, first, other)));
      }),
      { numRuns: 60 },
    );
  });
});
