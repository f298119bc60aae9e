/** The value below which `share` (0 to 1) of the values lie, by the nearest rank. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] ?? Number.NaN;
}

/** The middle value; of an even number of values the lower of the two in the middle, so that it is one that was measured. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}
