// SPDX-License-Identifier: Apache-2.0
import { euclideanNorm } from './vector-statistics.ts';

export type CentroidShift = {
  /** 1 - cosine of the angle, 0 to 2; null where a centroid is zero, which has no direction. */
  readonly cosine: number | null;
  /** Length of the difference. */
  readonly euclid: number;
};

/** One scan that went wrong among them moves their median little; and a change that stays is what is usual three scans later. */
const REMEMBERED = 5;

/** What is usual of the latest centroids: their median, component by component; undefined where there is none. */
export function usualCentroid(recent: readonly (readonly number[])[]): readonly number[] | undefined {
  return recent[0]?.map((_, axis) => median(recent.map((centroid) => centroid[axis] ?? 0)));
}

/** The latest centroids with the newest among them; those of another dimension are forgotten. */
export function rememberedCentroids(recent: readonly (readonly number[])[], newest: readonly number[]): readonly (readonly number[])[] {
  return [...recent.filter(({ length }) => length === newest.length), newest].slice(-REMEMBERED);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
}

/** How far the mean of the vectors is from where it was before; undefined where the two cannot be compared. */
export function centroidShift(before: readonly number[] | undefined, after: readonly number[] | undefined): CentroidShift | undefined {
  if (before === undefined || after === undefined || before.length !== after.length) return undefined;
  const lengths = euclideanNorm(Float64Array.from(before)) * euclideanNorm(Float64Array.from(after));
  const product = before.reduce((sum, component, index) => sum + component * (after[index] ?? 0), 0);
  const euclid = euclideanNorm(Float64Array.from(before, (component, index) => component - (after[index] ?? 0)));
  // Rounding may carry the cosine of two equal directions past 1.
  return { cosine: lengths === 0 ? null : 1 - Math.min(1, Math.max(-1, product / lengths)), euclid };
}
