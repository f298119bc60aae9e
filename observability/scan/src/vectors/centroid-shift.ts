import { euclideanNorm } from './vector-statistics.ts';

export type CentroidShift = {
  /** 1 - cosine of the angle, 0 to 2; null where a centroid is zero, which has no direction. */
  readonly cosine: number | null;
  /** Length of the difference. */
  readonly euclid: number;
};

/** How far the mean of the vectors moved since the previous scan; undefined where the two cannot be compared. */
export function centroidShift(before: readonly number[] | undefined, after: readonly number[] | undefined): CentroidShift | undefined {
  if (before === undefined || after === undefined || before.length !== after.length) return undefined;
  const lengths = euclideanNorm(Float64Array.from(before)) * euclideanNorm(Float64Array.from(after));
  const product = before.reduce((sum, component, index) => sum + component * (after[index] ?? 0), 0);
  const euclid = euclideanNorm(Float64Array.from(before, (component, index) => component - (after[index] ?? 0)));
  // Rounding may carry the cosine of two equal directions past 1.
  return { cosine: lengths === 0 ? null : 1 - Math.min(1, Math.max(-1, product / lengths)), euclid };
}
