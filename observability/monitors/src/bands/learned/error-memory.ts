/**
 * What the past errors of a view say of the next one. Two estimates, of which the wider holds:
 *
 * - Student's t around the deviation of the errors. The tolerance enters as a conjugate prior of three errors of its size (Gelman et
 *   al., Bayesian Data Analysis, 3rd edition, section 3.3), so that a series that was constant so far is not held to be constant for
 *   ever; that fades as errors come in.
 * - The empirical quantile of their sizes, carried outwards as a normal tail would go on: what keeps heavy tails and two-sided
 *   regimes inside. It leaves out the three largest, so that two bad deliveries do not set it.
 */
import { normalTail } from './quantiles.ts';
import { SortedWindow } from './sorted-window.ts';
import type { Tail } from './tail.ts';

const PRIOR_ERRORS = 3;
/** Errors that make the deviation; older ones fade. */
const DEVIATION_ERRORS = 120;
/** Errors whose sizes are ranked. */
const RANKED_ERRORS = 2000;
const LARGEST_LEFT_OUT = 3;
const SHARE_LEFT_OUT = 0.005;
/** The deviation of so few errors alone says nothing. */
const OWN_ERRORS_MIN = 3;

export class ErrorMemory {
  #squares = 0;
  #count = 0;
  readonly #sizes: SortedWindow;

  constructor(points: number) {
    this.#sizes = new SortedWindow(Math.min(points, RANKED_ERRORS));
  }

  /** Errors seen, the faded ones left out. */
  get count(): number {
    return this.#count;
  }

  /** Posterior mean of the deviation; `tolerance` is that of the prior. */
  deviation(tolerance: number): number {
    return Math.sqrt((PRIOR_ERRORS * tolerance * tolerance + this.#squares) / (PRIOR_ERRORS + this.#count));
  }

  /** How far from its expectation the next value may lie. */
  halfWidth(tail: Tail, tolerance: number): number {
    const count = Math.round(this.#count);
    const tolerated = tail.student(PRIOR_ERRORS + count) * this.deviation(tolerance);
    const own = count < OWN_ERRORS_MIN ? 0 : tail.student(count) * Math.sqrt(this.#squares / count);
    return Math.max(tolerated, own, this.#empirical(tail));
  }

  /** `size` is that of the error, `counted` what of it may widen the deviation. */
  learn(size: number, counted: number): void {
    const kept = this.#count < DEVIATION_ERRORS ? 1 : 1 - 1 / DEVIATION_ERRORS;
    this.#squares = this.#squares * kept + counted * counted;
    this.#count = this.#count * kept + 1;
    this.#sizes.add(size);
  }

  #empirical(tail: Tail): number {
    const { size } = this.#sizes;
    const leftOut = Math.max(LARGEST_LEFT_OUT, Math.floor(SHARE_LEFT_OUT * size));
    if (size < 2 * leftOut + 2) return 0;
    return (this.#sizes.fromLargest(leftOut) * tail.normal) / rankQuantile(leftOut, size);
  }
}

const rankQuantiles = new Float64Array(RANKED_ERRORS + 1);

/** Where the error that `leftOut` of `size` exceed would lie among normal ones. */
function rankQuantile(leftOut: number, size: number): number {
  if (rankQuantiles[size] === 0) rankQuantiles[size] = normalTail((leftOut + 1) / (size + 1));
  return rankQuantiles[size] ?? 0;
}
