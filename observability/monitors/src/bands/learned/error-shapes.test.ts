// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { type ErrorShape, lognormalShape, mirrored, placeOf, SCALE_RATIO, STEPS_PER_SCALE, studentShape } from './error-shapes.ts';

type Side = ErrorShape['above'];

/** In the tables, between two places along a line. */
function at(table: Float64Array, place: number): number {
  const whole = Math.floor(place);
  return (table[whole] ?? 0) * (whole + 1 - place) + (table[whole + 1] ?? 0) * (place - whole);
}

const logChanceAt = ({ chance }: Side, place: number) => at(chance, place);
const logDensityAt = ({ density }: Side, place: number) => at(density, place);

/** From tables of the distribution, both sides together. */
test.each([
  [4, 8.6103, 0.001],
  [4, 2.7764, 0.05],
  [8, 5.0413, 0.001],
  [40, 3.551, 0.001],
  [40, 2.0211, 0.05],
])('with %i degrees of freedom %f is exceeded with a chance of %f', (freedom, size, chance) => {
  expect(Math.exp(logChanceAt(studentShape(freedom).above, placeOf(size))) / chance).toBeCloseTo(1, 1);
});

test('the usual size is the unit of a shape', () => {
  const [own, doubled] = [studentShape(4).above, studentShape(4, 2).above];
  expect(logChanceAt(doubled, placeOf(6))).toBeCloseTo(logChanceAt(own, placeOf(3)), 3);
});

/** The logarithm is normal: the chances are those of so many of its deviations. */
test.each([
  [0.3, 3],
  [0.6, 2],
  [0.6, 5],
])('a lognormal error with a spread of %f exceeds a size as its logarithm does', (spread, deviations) => {
  const mean = Math.exp(spread ** 2 / 2);
  const size = (Math.exp(spread * deviations) - mean) / (mean * Math.sqrt(Math.expm1(spread ** 2)));
  const chance = Math.exp(logChanceAt(lognormalShape(spread).above, placeOf(size))) / 2;
  const normal: { readonly [deviations: number]: number } = { 2: 0.02275, 3: 0.00135, 5: 2.867e-7 };
  expect(chance / (normal[deviations] ?? 0)).toBeCloseTo(1, 1);
});

test('below, a lognormal error ends where its value would be 0', () => {
  const { below } = lognormalShape(0.6);
  expect(logChanceAt(below, placeOf(1))).toBeGreaterThan(-10);
  expect(logChanceAt(below, placeOf(3))).toBeLessThan(-70);
  expect(mirrored(lognormalShape(0.6)).above).toEqual(below);
});

test('the density of a side is what the chance loses', () => {
  for (const { above, below } of [studentShape(4), studentShape(200), lognormalShape(0.3), lognormalShape(0.6)]) {
    for (const side of [above, below]) {
      const lost = Math.exp(logChanceAt(side, placeOf(1))) - Math.exp(logChanceAt(side, placeOf(1.05)));
      expect(lost / (0.05 * Math.exp(logDensityAt(side, placeOf(1.025))))).toBeCloseTo(1, 1);
    }
  }
});

test('a scale of the grid is so many places', () => {
  expect(placeOf(5) - 3 * STEPS_PER_SCALE).toBeCloseTo(placeOf(5 / SCALE_RATIO ** 3), 9);
});
