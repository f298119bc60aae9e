// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from './random.ts';

const draws = (seed: number, count: number) => {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => random.next());
};

test('the same seed gives the same run, another seed another', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      expect(draws(seed, 20)).toEqual(draws(seed, 20));
      expect(draws(seed, 20)).not.toEqual(draws(seed + 1, 20));
    }),
  );
});

test('numbers lie in [0, 1), integers below their bound', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 2 ** 32 }), (seed, bound) => {
      const random = seededRandom(seed);
      for (let draw = 0; draw < 50; draw++) {
        const next = random.next();
        expect(next >= 0 && next < 1).toBe(true);
        const integer = random.integer(bound);
        expect(Number.isInteger(integer) && integer >= 0 && integer < bound).toBe(true);
      }
    }),
  );
});

test('draws are spread evenly', () => {
  const counts = Array<number>(10).fill(0);
  const random = seededRandom(7);
  for (let draw = 0; draw < 100_000; draw++) {
    const bin = random.integer(10);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  // Expected 10,000 each; the seed is fixed, and five standard deviations are 474.
  for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(474);
});
