// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { median, percentile, rateAtRecall, recallOf } from './statistics.ts';

test.each([
  [[5], 0.99, 5],
  [[4, 1, 3, 2], 0.5, 2],
  [[3, 1, 2], 0.5, 2],
  [Array.from({ length: 100 }, (_, index) => index + 1), 0.99, 99],
  [Array.from({ length: 100 }, (_, index) => index + 1), 1, 100],
  [[1, 2], 0, 1],
])('of %o the percentile %d is %d', (values, share, expected) => {
  expect(percentile(values, share)).toBe(expected);
});

test('there is no median of nothing', () => {
  expect(median([])).toBeNaN();
});

describe('recall', () => {
  test('is the mean share of the true nearest that were found', () => {
    const truth = [
      [1, 2],
      [3, 4],
    ];
    expect(
      recallOf(
        [
          [1, 2],
          [3, 9],
        ],
        truth,
        2,
      ),
    ).toBe(0.75);
    expect(recallOf([[], []], truth, 2)).toBe(0);
  });

  test('counts any of the points that lie equally far away, but never more than were wanted', () => {
    expect(recallOf([[1, 5]], [[1, 2, 5]], 2)).toBe(1);
    expect(recallOf([[1, 2, 5]], [[1, 2, 5]], 2)).toBe(1);
  });

  test('looks at the first k of an answer only, and counts an id once', () => {
    expect(recallOf([[9, 8, 1, 2]], [[1, 2]], 2)).toBe(0);
    expect(recallOf([[1, 1]], [[1, 2]], 2)).toBe(0.5);
  });

  test('is whole where fewer points exist than were wanted and all are found', () => {
    expect(recallOf([[7], []], [[7], []], 10)).toBe(1);
  });

  test('misses what a query without an answer should have found', () => {
    expect(recallOf([[1]], [[1], [2]], 1)).toBe(0.5);
  });
});

describe('the rate at a recall', () => {
  const curve = [
    { recall: 0.8, rate: 4000 },
    { recall: 0.9, rate: 1000 },
    { recall: 0.98, rate: 500 },
  ];

  test('is what was measured where the recall was measured', () => {
    expect(rateAtRecall(curve, 0.9)).toBeCloseTo(1000, 6);
  });

  test('lies on the straight line of the logarithm between two measurements', () => {
    expect(rateAtRecall(curve, 0.85)).toBeCloseTo(2000, 6);
    expect(rateAtRecall(curve, 0.94)).toBeCloseTo(Math.sqrt(1000 * 500), 6);
  });

  test('is the first of a curve that begins above', () => {
    expect(rateAtRecall(curve, 0.5)).toBe(4000);
  });

  test('is none of a curve that stays below', () => {
    expect(rateAtRecall(curve, 0.99)).toBeUndefined();
    expect(rateAtRecall([], 0.5)).toBeUndefined();
  });

  test('is taken where the curve first reaches it, though a later point falls back', () => {
    const noisy = [...curve, { recall: 0.97, rate: 400 }, { recall: 0.99, rate: 300 }];
    expect(rateAtRecall(noisy, 0.975)).toBeGreaterThan(500);
  });
});
