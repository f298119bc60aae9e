// SPDX-License-Identifier: Apache-2.0
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

/** One figure for each that the runs have, out of those of all of them: their median, their least. */
export function ofEachFigure<Name extends string>(
  runs: readonly { readonly [name in Name]: number }[],
  of: (values: readonly number[]) => number,
): { readonly [name in Name]: number } {
  // Each of them, and no other, which the types of `keys` and `fromEntries` do not say.
  const figures = Object.keys(runs[0] ?? {}).map((name) => [name, of(runs.map((run) => run[name as Name]))]);
  return Object.fromEntries(figures) as { readonly [name in Name]: number };
}

/**
 * recall@k: the share of the true nearest that the answers hold, the mean of all queries.
 * @param truth the ids of the `k` nearest by query, or fewer where fewer exist; where points lie as far away as the k-th, theirs too
 */
export function recallOf(answers: readonly ArrayLike<number>[], truth: readonly (readonly number[])[], k: number): number {
  let sum = 0;
  for (const [query, nearest] of truth.entries()) {
    const wanted = Math.min(k, nearest.length);
    const answer = new Set(Array.from(answers[query] ?? []).slice(0, k));
    const found = nearest.reduce((hits, id) => hits + Number(answer.has(id)), 0);
    sum += wanted === 0 ? 1 : Math.min(found, wanted) / wanted;
  }
  return sum / truth.length;
}

/** What was measured at one ef. */
export type RatePoint = { readonly recall: number; readonly rate: number };

/**
 * The rate at a wanted recall, so that two curves can be compared at one recall. Between the two neighbouring points that enclose it the
 * logarithm of the rate is taken as linear. Nothing is extrapolated: a curve that begins above the wanted recall gives the rate of its
 * beginning, one that never reaches it none.
 * @param curve from the smallest ef to the largest
 */
export function rateAtRecall(curve: readonly RatePoint[], wanted: number): number | undefined {
  const reached = curve.findIndex(({ recall }) => recall >= wanted);
  const after = curve[reached];
  const before = curve[reached - 1];
  if (after === undefined || before === undefined) return after?.rate;
  const way = (wanted - before.recall) / (after.recall - before.recall);
  return Math.exp(Math.log(before.rate) * (1 - way) + Math.log(after.rate) * way);
}
