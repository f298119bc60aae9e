// SPDX-License-Identifier: Apache-2.0
/** What a list of durations says. */

/** The smallest value that a share of all values does not exceed (nearest rank). @param sorted ascending, not empty */
export function percentile(sorted: readonly number[], share: number): number {
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  const value = sorted[rank - 1];
  if (value === undefined) throw new RangeError('there are no values');
  return value;
}
