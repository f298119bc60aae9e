/**
 * How far groups have to be taken to reach (see `GroupLook`), so that a search by them finds nearly all. A look at every row, which answers meanwhile, says for each row that it
 * found what it would have taken. That depends on the data and on where queries are, so it is counted for each filter, and goes on being counted now and then.
 */

/** Reaches are told apart by so much, up to so far: beyond it every group is looked at. */
const STEPS_PER_DEVIATION = 16;
const DEVIATIONS_MAX = 16;
const STEPS = STEPS_PER_DEVIATION * DEVIATIONS_MAX;
/** Searches that go both ways before groups answer, and from then on one of so many. */
const TRIALS = 24;
const TRIED_EVERY = 128;
/** Where the same few queries come again and again, they count once, and after so many trials they are all there is. */
const TRIALS_MAX = 96;
/** When as many trials have been counted, the older ones count half. */
const COUNTED_MAX = 256;
const NEAREST_MAX = 256;
/** Of the shares of rows that searches looked at, the last one counts so much. */
const SHARE_WEIGHT = 1 / 16;

export class GroupTrial {
  /** Rows that were found, by the reach that has them. */
  readonly #found = new Float64Array(STEPS + 1);
  /** Rows that were nearest to a query that was counted. */
  readonly #nearest = new Set<number>();
  #searches = 0;
  #tried = 0;
  #counted = 0;
  #share: number | undefined;
  /** What was asked last. */
  #reach: { readonly wanted: number; readonly reach: number } | undefined;

  /** Whether the next search is to go both ways; to be asked once for each. */
  isDue(): boolean {
    this.#searches++;
    return !this.#isKnown || this.#searches % TRIED_EVERY === 0;
  }

  /** @param reaches for each row that was found, nearest first, what it takes to have it */
  note(rows: readonly number[], reaches: readonly number[]): void {
    this.#tried++;
    const [nearest] = rows;
    if (nearest === undefined || this.#nearest.has(nearest)) return;
    this.#reach = undefined;
    this.#nearest.add(nearest);
    if (this.#nearest.size > NEAREST_MAX) this.#nearest.clear();
    this.#counted++;
    for (const reach of reaches) {
      const step = Math.min(STEPS, Math.max(0, Math.ceil(reach * STEPS_PER_DEVIATION)));
      this.#found[step] = (this.#found[step] ?? 0) + 1;
    }
    if (this.#counted < COUNTED_MAX) return;
    this.#counted /= 2;
    for (const [step, count] of this.#found.entries()) this.#found[step] = count / 2;
  }

  /** The share of all rows that was looked at, or would have been. */
  noteShare(share: number): void {
    this.#share = this.#share === undefined ? share : this.#share + (share - this.#share) * SHARE_WEIGHT;
  }

  /** What searches have looked at lately, of all rows. */
  get share(): number {
    return this.#share ?? 1;
  }

  /** The least reach that has so much of what was found. */
  reachFor(wanted: number): number {
    if (this.#reach?.wanted !== wanted) this.#reach = { wanted, reach: this.#leastReach(wanted) };
    return this.#reach.reach;
  }

  #leastReach(wanted: number): number {
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
