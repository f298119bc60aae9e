// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { normalTail } from './quantiles.ts';
import { chancePerSeries, FAMILY_ALARM_CHANCE } from './tail.ts';

/** Two-sided quantiles, from tables and computed to more digits with other programs. */
test.each([
  [0.3173105, 1],
  [0.05, 1.959964],
  [0.001, 3.290527],
  [1e-6, 4.891638],
])('a normal value exceeds with probability %d the quantile %d', (p, expected) => {
  expect(normalTail(p)).toBeCloseTo(expected, 2);
});

describe('the chance of a false alarm', () => {
  test.each([1, 7, 100, 2000])('somewhere in a family of %i is always the same', (familySize) => {
    expect(1 - (1 - chancePerSeries(familySize)) ** familySize).toBeCloseTo(FAMILY_ALARM_CHANCE, 9);
  });

  test('of an empty family is that of a single series', () => {
    expect(chancePerSeries(0)).toBe(chancePerSeries(1));
  });
});
