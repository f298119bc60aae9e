// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { distributionBasedFusion, type Ranked, reciprocalRankFusion } from './fusion.ts';

function ranking(...entries: readonly (readonly [string, number])[]): readonly Ranked<string>[] {
  return entries.map(([key, score]) => ({ key, score, item: key }));
}

function scores(points: readonly Ranked<string>[]): readonly (readonly [string, number])[] {
  return points.map(({ key, score }) => [key, Number(score.toFixed(6))]);
}

describe('reciprocal rank fusion', () => {
  const dense = ranking(['a', 0.9], ['b', 0.8], ['c', 0.1]);
  const words = ranking(['c', 12], ['a', 3]);

  test('sums 1 / (position + k)', () => {
    // a: 1/2 + 1/3, c: 1/4 + 1/2, b: 1/3
    expect(scores(reciprocalRankFusion([dense, words], { k: 2 }))).toEqual([
      ['a', 0.833333],
      ['c', 0.75],
      ['b', 0.333333],
    ]);
  });

  test('weighs a ranking by stretching its positions', () => {
    // With k 60: a: 1/(1/3 + 59) + 1/(2 + 59), c: 1/(3/3 + 59) + 1/(1 + 59), b: 1/(2/3 + 59)
    expect(scores(reciprocalRankFusion([dense, words], { k: 60, weights: [3, 1] }))).toEqual([
      ['c', 0.033333],
      ['a', 0.033247],
      ['b', 0.01676],
    ]);
  });

  test('a weight of nothing leaves a ranking without a say', () => {
    expect(scores(reciprocalRankFusion([dense, words], { k: 2, weights: [0, 1] }))).toEqual([
      ['c', 0.5],
      ['a', 0.333333],
      ['b', 0],
    ]);
  });
});

describe('distribution-based fusion', () => {
  test('spreads scores between the mean less and plus three deviations', () => {
    // Mean 2, deviation of the sample 1: 1 -> (1 - (2 - 3)) / 6, 2 -> 1/2, 3 -> 4/6.
    expect(scores(distributionBasedFusion([ranking(['a', 3], ['b', 2], ['c', 1])], [true]))).toEqual([
      ['a', 0.666667],
      ['b', 0.5],
      ['c', 0.333333],
    ]);
  });

  test('turns a ranking of distances round', () => {
    expect(scores(distributionBasedFusion([ranking(['a', 1], ['b', 2], ['c', 3])], [false]))).toEqual([
      ['a', 0.666667],
      ['b', 0.5],
      ['c', 0.333333],
    ]);
  });

  test('scores that do not differ are in the middle', () => {
    const one = ranking(['a', 7]);
    const equal = ranking(['b', 2], ['a', 2]);
    expect(scores(distributionBasedFusion([one, equal], [true, true]))).toEqual([
      ['a', 1],
      ['b', 0.5],
    ]);
  });

  test('of no rankings is nothing', () => {
    expect(distributionBasedFusion([[], []], [true, true])).toEqual([]);
  });
});
