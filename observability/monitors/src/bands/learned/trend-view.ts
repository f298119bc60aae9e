// SPDX-License-Identifier: Apache-2.0
/** Expects that a series goes on rising or falling as it did: Holt's linear method (C. C. Holt 1957). */
import type { Pace } from './pace.ts';
import { MOVED_VARIANCE, type View } from './view.ts';

/** The level remembers about three points, so that a line is followed without lag. */
const LEVEL_HASTE = 1.2;
/** Share of what the level learns that the slope learns. */
export const SLOPE_SHARE = 0.2;

export function createTrendView(pace: Pace, memory: { readonly points: number; readonly days: number }): View {
  let level = 0;
  let slope = 0;
  /** Of the sum of both, of the slope, and what they have in common. */
  let variance = 0;
  let slopeVariance = 0;
  let covariance = 0;
  return {
    expect: () => level + slope,
    variance: () => variance,
    learn: ({ value, isSurprise }) => {
      const error = value - (level + slope);
      const rate = pace.rate(memory);
      const levelRate = Math.min(1, LEVEL_HASTE * rate);
      const slopeRate = pace.points > 0 && !isSurprise ? SLOPE_SHARE * rate : 0;
      level += slope + levelRate * error;
      slope += slopeRate * error;
      // Both move by shares of an error that has the variance of the value and of what was expected.
      const levelSlope = (1 - levelRate) * covariance - (1 - levelRate) * slopeRate * variance + levelRate * slopeRate;
      const levelVariance = (1 - levelRate) ** 2 * variance + levelRate ** 2;
      slopeVariance += slopeRate ** 2 * (variance + 1) - 2 * slopeRate * covariance;
      variance = levelVariance + 2 * levelSlope + slopeVariance;
      covariance = levelSlope + slopeVariance;
    },
    moveTo: (value) => {
      level = value;
      variance = MOVED_VARIANCE + slopeVariance;
      covariance = slopeVariance;
    },
    keep: (numbers) => {
      level = numbers.double(level);
      slope = numbers.double(slope);
      variance = numbers.double(variance);
      slopeVariance = numbers.double(slopeVariance);
      covariance = numbers.double(covariance);
    },
  };
}
