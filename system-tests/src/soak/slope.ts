// SPDX-License-Identifier: Apache-2.0
/**
 * Whether a series of measurements grows. The slope is the median of the slopes between all pairs (Theil 1950; Sen 1968, "Estimates of the regression
 * coefficient based on Kendall's tau", Journal of the American Statistical Association 63, 1379-1389), which a third of outliers does not move; its
 * confidence interval is Sen's, by the variance of Kendall's statistic.
 */
export type Slope = { readonly perStep: number; readonly low: number; readonly high: number };

/** The quantile of the normal distribution for an interval that holds the true slope 99 times in 100. */
const Z_99 = 2.576;

/** @param values measured at even distances; three or more */
export function slopeOf(values: readonly number[]): Slope {
  const n = values.length;
  const slopes = values
    .flatMap((value, i) => values.slice(i + 1).map((later, step) => (later - value) / (step + 1)))
    .toSorted((a, b) => a - b);
  const width = Z_99 * Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18);
  const at = (place: number) => slopes[Math.min(slopes.length - 1, Math.max(0, place))] ?? Number.NaN;
  const middle = (slopes.length - 1) / 2;
  return {
    perStep: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    low: at(Math.floor((slopes.length - width) / 2)),
    high: at(Math.ceil((slopes.length + width) / 2)),
  };
}
