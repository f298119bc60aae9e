import { describe, expect, test } from 'vitest';
import { normalTail, studentTail } from './quantiles.ts';
import { chancePerSeries, FAMILY_ALARM_CHANCE, tailOf } from './tail.ts';

/** Two-sided quantiles, from tables and computed to more digits with other programs. */
test.each([
  [0.3173105, 1],
  [0.05, 1.959964],
  [0.001, 3.290527],
  [1e-6, 4.891638],
])('a normal value exceeds with probability %d the quantile %d', (p, expected) => {
  expect(normalTail(p)).toBeCloseTo(expected, 2);
});

test.each([
  [0.05, 3, 3.182446],
  [0.001, 4, 8.610302],
  [0.001, 10, 4.586894],
  [0.05, 30, 2.042272],
  [0.001, 120, 3.373454],
  [0.01, 5, 4.032143],
])('an estimated one with probability %d and %i degrees of freedom %d', (p, freedom, expected) => {
  expect(studentTail(p, freedom) / expected).toBeCloseTo(1, 2);
});

test('fewer degrees of freedom never give a nearer quantile', () => {
  for (const p of [0.001, 1e-5, 1e-7]) {
    const quantiles = Array.from({ length: 300 }, (_, index) => tailOf(p).student(index + 3));
    expect(quantiles).toEqual(quantiles.toSorted((a, b) => b - a));
    expect(quantiles.at(-1)).toBeGreaterThan(normalTail(p) - 0.001);
  }
});

describe('the chance of a false alarm', () => {
  test.each([1, 7, 100, 2000])('somewhere in a family of %i is always the same', (familySize) => {
    expect(1 - (1 - chancePerSeries(familySize)) ** familySize).toBeCloseTo(FAMILY_ALARM_CHANCE, 9);
  });

  test('of an empty family is that of a single series', () => {
    expect(chancePerSeries(0)).toBe(chancePerSeries(1));
  });
});
