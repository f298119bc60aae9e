import { expect, test } from 'vitest';
import { isWithin } from './lasso.ts';

test.each([
  [[0.5, 0.5], true],
  [[1.5, 0.5], true],
  [[1.5, 1.5], false],
  [[-0.1, 0.5], false],
] as const)('%j within an L: %s', (point, expected) => {
  const corners = [
    [0, 0],
    [2, 0],
    [2, 1],
    [1, 1],
    [1, 2],
    [0, 2],
  ] as const;
  expect(isWithin(corners, point)).toBe(expected);
  expect(isWithin(corners.toReversed(), point)).toBe(expected);
});
