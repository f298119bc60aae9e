// SPDX-License-Identifier: Apache-2.0
/**
 * Which probe bound a search of clusters (see `ClusterProbe`) needs to find nearly all. Trials answer by a scan of all rows, and count for each row found which bound would have
 * included its cluster. That depends on the data and the queries, so it is counted per filter, and again now and then.
 */

/** Resolution and maximum of the counted probe bounds, in standard deviations. Beyond the maximum all clusters are searched. */
const STEPS_PER_DEVIATION = 16;
const DEVIATIONS_MAX = 16;
const STEPS = STEPS_PER_DEVIATION * DEVIATIONS_MAX;
/** The number of trials before clusters answer; from then on one search in `TRIED_EVERY` is a trial. */
const TRIALS = 24;
const TRIED_EVERY = 128;
/** Repeated queries count once; after this many trials there are no others. */
const TRIALS_MAX = 96;
/** Once this many trials have been counted, the older ones count half. */
const COUNTED_MAX = 256;
const NEAREST_MAX = 256;
/** Weight of the latest search in the moving average of the share of rows scanned. */
const SHARE_WEIGHT = 1 / 16;

export class ProbeTrial {
  /** Rows that were found, by the least probe bound that includes them. */
  readonly #found = new Float64Array(STEPS + 1);
  /** The nearest row of each query that was counted. */
  readonly #nearest = new Set<number>();
  #searches = 0;
  #tried = 0;
  #counted = 0;
  #share: number | undefined;
  /** The last result of `probeBoundFor`. */
  #last: { readonly wanted: number; readonly probeBound: number } | undefined;

  /** Whether the next search is a trial; called once per search. */
  isDue(): boolean {
    this.#searches++;
    return !this.#isKnown || this.#searches % TRIED_EVERY === 0;
  }

  /** @param probeBounds for each row that was found, nearest first, the least bound that includes it */
  note(rows: readonly number[], probeBounds: readonly number[]): void {
    this.#tried++;
    const [nearest] = rows;
    if (nearest === undefined || this.#nearest.has(nearest)) return;
    this.#last = undefined;
    this.#nearest.add(nearest);
    if (this.#nearest.size > NEAREST_MAX) this.#nearest.clear();
    this.#counted++;
    for (const probeBound of probeBounds) {
      const step = Math.min(STEPS, Math.max(0, Math.ceil(probeBound * STEPS_PER_DEVIATION)));
      this.#found[step] = (this.#found[step] ?? 0) + 1;
    }
    if (this.#counted < COUNTED_MAX) return;
    this.#counted /= 2;
    for (const [step, count] of this.#found.entries()) this.#found[step] = count / 2;
  }

  /** The share of all rows that a search of clusters scanned, or would have scanned. */
  noteShare(share: number): void {
    this.#share = this.#share === undefined ? share : this.#share + (share - this.#share) * SHARE_WEIGHT;
  }

  /** The share of all rows that recent searches scanned. */
  get share(): number {
    return this.#share ?? 1;
  }

  /** The least probe bound that includes this share of the rows found. */
  probeBoundFor(wanted: number): number {
    if (this.#last?.wanted !== wanted) this.#last = { wanted, probeBound: this.#leastProbeBound(wanted) };
    return this.#last.probeBound;
  }

  #leastProbeBound(wanted: number): number {
    let total = 0;
    for (const count of this.#found) total += count;
    let found = 0;
    for (const [step, count] of this.#found.entries()) {
      found += count;
      if (step < STEPS && found >= wanted * total) return step / STEPS_PER_DEVIATION;
    }
    return Number.POSITIVE_INFINITY;
  }

  get #isKnown(): boolean {
    return this.#counted >= TRIALS || this.#tried >= TRIALS_MAX;
  }
}
