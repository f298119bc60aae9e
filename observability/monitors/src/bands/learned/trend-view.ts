// SPDX-License-Identifier: Apache-2.0
/** Expects that a series goes on rising or falling as it did: Holt's linear method (C. C. Holt 1957). */
import type { KeptNumbers } from './kept-numbers.ts';
import type { Pace } from './pace.ts';
import { MOVED_VARIANCE, type View, type ViewedPoint } from './view.ts';

/** The level remembers about three points, so that a line is followed without lag. */
const LEVEL_HASTE = 1.2;
/** Share of what the level learns that the slope learns. */
export const SLOPE_SHARE = 0.2;

export class TrendView implements View {
  readonly #pace: Pace;
  readonly #memory: { readonly points: number; readonly days: number };
  #level = 0;
  #slope = 0;
  /** Of the sum of both, of the slope, and what they have in common. */
  #variance = 0;
  #slopeVariance = 0;
  #covariance = 0;

  constructor(pace: Pace, memory: { readonly points: number; readonly days: number }) {
    this.#pace = pace;
    this.#memory = memory;
  }

  expect(): number {
    return this.#level + this.#slope;
  }

  variance(): number {
    return this.#variance;
  }

  learn({ value, isSurprise }: ViewedPoint): void {
    const error = value - (this.#level + this.#slope);
    const rate = this.#pace.rate(this.#memory);
    const levelRate = Math.min(1, LEVEL_HASTE * rate);
    const slopeRate = this.#pace.points > 0 && !isSurprise ? SLOPE_SHARE * rate : 0;
    this.#level += this.#slope + levelRate * error;
    this.#slope += slopeRate * error;
    // Both move by shares of an error that has the variance of the value and of what was expected.
    const levelSlope = (1 - levelRate) * this.#covariance - (1 - levelRate) * slopeRate * this.#variance + levelRate * slopeRate;
    const levelVariance = (1 - levelRate) ** 2 * this.#variance + levelRate ** 2;
    this.#slopeVariance += slopeRate ** 2 * (this.#variance + 1) - 2 * slopeRate * this.#covariance;
    this.#variance = levelVariance + 2 * levelSlope + this.#slopeVariance;
    this.#covariance = levelSlope + this.#slopeVariance;
  }

  moveTo(value: number): void {
    this.#level = value;
    this.#variance = MOVED_VARIANCE + this.#slopeVariance;
    this.#covariance = this.#slopeVariance;
  }

  keep(numbers: KeptNumbers): void {
    this.#level = numbers.double(this.#level);
    this.#slope = numbers.double(this.#slope);
    this.#variance = numbers.double(this.#variance);
    this.#slopeVariance = numbers.double(this.#slopeVariance);
    this.#covariance = numbers.double(this.#covariance);
  }
}
