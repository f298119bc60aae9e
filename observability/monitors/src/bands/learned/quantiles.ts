// SPDX-License-Identifier: Apache-2.0
/** Quantiles of the normal distribution. */

/**
 * How many standard deviations a normal value exceeds, on either side, with probability `p` (0 < p < 1).
 * Abramowitz & Stegun, Handbook of Mathematical Functions (1964), formula 26.2.23; absolute error below 4.5e-4.
 */
export function normalTail(p: number): number {
  const t = Math.sqrt(-2 * Math.log(p / 2));
  const numerator = 2.515517 + t * (0.802853 + t * 0.010328);
  const denominator = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308));
  return Math.max(0, t - numerator / denominator);
}
