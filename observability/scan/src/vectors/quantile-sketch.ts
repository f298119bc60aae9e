// SPDX-License-Identifier: Apache-2.0
/**
 * Quantiles of numbers of zero or more in bounded memory: buckets whose bounds grow by a constant factor, so that every answer is within 0.1 %
 * of a value of that rank. DDSketch: Masson, Rim, Lee, "DDSketch: A Fast and Fully-Mergeable Quantile Sketch with Relative-Error Guarantees",
 * PVLDB 12(12), 2019.
 */
export type QuantileSketch = {
  readonly add: (value: number) => void;
  /** The value below which this share (0 to 1) of the values lies; null without values. */
  readonly quantile: (share: number) => number | null;
};

/** How far an answer may be from the truth, as a share of it. */
export const RELATIVE_ACCURACY = 0.001;
const GROWTH = (1 + RELATIVE_ACCURACY) / (1 - RELATIVE_ACCURACY);
const LOG_GROWTH = Math.log(GROWTH);
/** Below is zero. From here to 1e30 there are fewer than 70,000 buckets, which is the bound of memory. */
const SMALLEST = 1e-30;
const LARGEST = 1e30;

export function quantileSketch(): QuantileSketch {
  const buckets = new Map<number, number>();
  let zeros = 0;
  let count = 0;
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  return {
    add: (value) => {
      count += 1;
      least = Math.min(least, value);
      most = Math.max(most, value);
      if (value < SMALLEST) {
        zeros += 1;
        return;
      }
      const bucket = Math.ceil(Math.log(Math.min(value, LARGEST)) / LOG_GROWTH);
      buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
    },
    quantile: (share) => {
      if (count === 0) return null;
      const rank = share * (count - 1);
      let seen = zeros;
      if (seen > rank) return least < SMALLEST ? least : 0;
      for (const bucket of [...buckets.keys()].sort((first, second) => first - second)) {
        seen += buckets.get(bucket) ?? 0;
        // The middle of a bucket is as far from either end, measured as a share; what was seen bounds it.
        if (seen > rank) return Math.min(most, Math.max(least, (2 * GROWTH ** bucket) / (GROWTH + 1)));
      }
      return most;
    },
  };
}
