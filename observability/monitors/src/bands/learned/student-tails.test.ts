// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { FREEDOMS, logChanceAt, logDensityAt, placeOf, SCALE_RATIO } from './student-tails.ts';

/** From tables of the distribution, both sides together. */
test.each([
  [4, 8.6103, 0.001],
  [4, 2.7764, 0.05],
  [8, 5.0413, 0.001],
  [40, 3.551, 0.001],
  [40, 2.0211, 0.05],
])('with %i degrees of freedom %f is exceeded with a chance of %f', (freedom, size, chance) => {
  expect(Math.exp(logChanceAt(indexOf(freedom), placeOf(size))) / chance).toBeCloseTo(1, 1);
});

test('the density of a side is half of what the chance loses', () => {
  for (const freedom of FREEDOMS.keys()) {
    const lost = Math.exp(logChanceAt(freedom, placeOf(2))) - Math.exp(logChanceAt(freedom, placeOf(2.1)));
    expect(lost / (0.1 * Math.exp(logDensityAt(freedom, placeOf(2.05))))).toBeCloseTo(1, 1);
  }
});

test('a scale of the grid divides the size', () => {
  expect(logChanceAt(0, placeOf(5), 3)).toBeCloseTo(logChanceAt(0, placeOf(5 / SCALE_RATIO ** 3)), 9);
});

function indexOf(freedom: number): number {
  // Any number may be asked for.
  return (FREEDOMS as readonly number[]).indexOf(freedom);
}
