import { expect, test } from 'vitest';
import { median, percentile } from './statistics.ts';

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
