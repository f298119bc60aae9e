// SPDX-License-Identifier: Apache-2.0
/** Whether more was found than chance gives. */

/** Of the vectors, how many lie beyond a cut without a fault. */
export const RARE = 0.001;

/** More than `expected` by four deviations of a Poisson number, and three more; `variance` where what is expected was itself counted. */
export function isMoreThanChance(found: number, expected: number, variance = expected): boolean {
  return found > expected + 4 * Math.sqrt(variance) + 3;
}

/** The value of that rank among the values, 0 to 1; the nearest to it where there are few. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.round(share * (sorted.length - 1))] ?? 0;
}
