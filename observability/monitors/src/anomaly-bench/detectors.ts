// SPDX-License-Identifier: Apache-2.0
/** What the benchmark compares: each detector reads a series point by point, and scores a point before it learns it. */

export type Detector = {
  readonly name: string;
  /** Begins a series; the returned function scores the next point, 0 or higher. */
  readonly begin: () => (timeMs: number, value: number) => number;
};

/** Never speaks: the zero of the benchmark's scale. */
export const nullDetector: Detector = { name: 'null', begin: () => () => 0 };

/** Distance from the mean of the 14 points before, in their standard deviations: what dashboards ship with. */
export const zScoreDetector: Detector = {
  name: 'z-score of 14 points',
  begin: () => {
    const past: number[] = [];
    return (_, value) => {
      const score = past.length < Z_POINTS ? 0 : zScore(past, value);
      past.push(value);
      if (past.length > Z_POINTS) past.shift();
      return score;
    };
  },
};

const Z_POINTS = 14;
/** Where 14 points were all equal, any other value. */
const SURPRISE_MAX = 1000;

function zScore(past: readonly number[], value: number): number {
  const mean = past.reduce((sum, each) => sum + each, 0) / past.length;
  const deviation = Math.sqrt(past.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (past.length - 1));
  const distance = Math.abs(value - mean);
  return distance === 0 ? 0 : Math.min(SURPRISE_MAX, distance / deviation);
}
