/**
 * What the past errors of a view say of the next one. Two estimates, of which the wider holds:
 *
 * - Student's t around the deviation of the errors. The tolerance enters as a conjugate prior of three errors of its size (Gelman et
 *   al., Bayesian Data Analysis, 3rd edition, section 3.3), so that a series that was constant so far is not held to be constant for
 *   ever; that fades as errors come in.
 * - The empirical quantile of their sizes, carried outwards as a normal tail would go on: what keeps heavy tails and two-sided
 *   regimes inside. It leaves out the three largest, so that two bad deliveries do not set it.
 */
import { assert } from '@sextant/foundation-std';
import { LargestValues } from './largest-values.ts';
import { normalTail } from './quantiles.ts';
import type { Tail } from './tail.ts';

const PRIOR_ERRORS = 3;
/** Errors that make the deviation; older ones fade. */
const DEVIATION_ERRORS = 250;
const LARGEST_LEFT_OUT = 3;
const SHARE_LEFT_OUT = 0.005;
/** The deviation of so few errors alone says nothing. */
const OWN_ERRORS_MIN = 3;

export class ErrorMemory {
  #squares = 0;
  #count = 0;
  #ranked = 0;
  readonly #capacity: number;
  readonly #largest: LargestValues;

  /** `capacity`: the most errors that it will learn. */
  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#largest = new LargestValues(leftOutOf(capacity) + 1);
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

  /** Size of an error: as it is `ranked` among the others, and as it is `counted` in the deviation. */
  learn({ ranked, counted }: { readonly ranked: number; readonly counted: number }): void {
    assert(this.#ranked < this.#capacity, 'an error memory learns no more errors than it was made for');
    const kept = this.#count < DEVIATION_ERRORS ? 1 : 1 - 1 / DEVIATION_ERRORS;
    this.#squares = this.#squares * kept + counted * counted;
    this.#count = this.#count * kept + 1;
    this.#largest.add(ranked);
    this.#ranked += 1;
  }

  #empirical(tail: Tail): number {
    const leftOut = leftOutOf(this.#ranked);
    if (this.#ranked < 2 * leftOut + 2) return 0;
    return (this.#largest.at(leftOut) * tail.normal) / rankQuantile(leftOut, this.#ranked);
  }
}

function leftOutOf(errors: number): number {
  return Math.max(LARGEST_LEFT_OUT, Math.floor(SHARE_LEFT_OUT * errors));
}

/** Quantiles for up to so many errors are worked out once. */
const QUANTILES_KEPT = 2000;
const rankQuantiles = new Float64Array(QUANTILES_KEPT + 1);

/** Where the error that `leftOut` of `errors` exceed would lie among normal ones. */
function rankQuantile(leftOut: number, errors: number): number {
  const kept = rankQuantiles[errors];
  if (kept !== undefined && kept > 0) return kept;
  const quantile = normalTail((leftOut + 1) / (errors + 1));
  if (errors <= QUANTILES_KEPT) rankQuantiles[errors] = quantile;
  return quantile;
}
