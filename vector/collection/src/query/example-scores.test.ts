// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { averageVector, bestScore, contextScore, discoverScore, feedbackWeights, sumScores } from './example-scores.ts';

describe('best score', () => {
  test('is that of the best positive example, between a half and one', () => {
    // 0.5 * (1 / (1 + 1) + 1)
    expect(bestScore([0.25, 1], [0.5])).toBeCloseTo(0.75, 12);
  });
  test('is negative where a negative example is nearer', () => {
    expect(bestScore([0.25], [1])).toBeCloseTo(-0.75, 12);
  });
  test('needs no examples of one of the kinds', () => {
    expect(bestScore([], [1])).toBeCloseTo(-0.75, 12);
    expect(bestScore([1], [])).toBeCloseTo(0.75, 12);
  });
});

test('sum of scores', () => {
  expect(sumScores([1, 0.5], [0.25])).toBe(1.25);
});

test('the average goes from the negative examples past the positive ones', () => {
  expect([
    ...averageVector(
      [
        [1, 0],
        [3, 2],
      ],
      [],
    ),
  ]).toEqual([2, 1]);
  // 2 + 2 - 1, 1 + 1 - 4
  expect([
    ...averageVector(
      [
        [1, 0],
        [3, 2],
      ],
      [[1, 4]],
    ),
  ]).toEqual([3, -2]);
});

test('discovery counts pairs first, and the target decides among equals', () => {
  const right = { positive: 0.5, negative: 0.1 };
  const wrong = { positive: 0.1, negative: 0.5 };
  const even = { positive: 0.3, negative: 0.3 };
  // 1 - 1 + 0 + 1, then 0.5 * (1 / (1 + 1) + 1)
  expect(discoverScore(1, [right, wrong, even, right])).toBeCloseTo(1.75, 12);
  expect(discoverScore(-1, [wrong])).toBeCloseTo(-0.75, 12);
});

test('context takes off for the wrong side only', () => {
  expect(contextScore([{ positive: 0.5, negative: 0.25 }])).toBe(0);
  // -0.25 - 2^-23, through x / (1 + |x|)
  const x = -0.25 - 2 ** -23;
  expect(contextScore([{ positive: 0.25, negative: 0.5 }])).toBeCloseTo(x / (1 - x), 12);
});

test('of each two judged examples the better counts for, and the other against, the more the farther they are apart', () => {
  expect(feedbackWeights([1, 0, 0.5], { b: 2, c: 4 })).toEqual([5, -5, 0]);
  expect(feedbackWeights([1, 0, 0.5], { b: 0, c: 1 })).toEqual([2, -2, 0]);
  expect(feedbackWeights([1, 1], { b: 1, c: 1 })).toEqual([0, 0]);
  expect(feedbackWeights([], { b: 1, c: 1 })).toEqual([]);
});
