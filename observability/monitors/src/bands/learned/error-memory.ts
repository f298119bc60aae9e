/**
 * What the past errors of a view say of the next one. Two estimates, of which the wider holds:
 *
 * - Student's t around the deviation of the errors. The tolerance enters as a conjugate prior of three errors of its size (Gelman et
 *   al., Bayesian Data Analysis, 3rd edition, section 3.3), so that a series that was constant so far is not held to be constant for
 *   ever; that fades as errors come in.
 * - The empirical quantile of their sizes, carried outwards: what keeps heavy tails and two-sided regimes inside. It leaves out the three
 *   largest, so that two bad deliveries do not set it. Outwards of it, quantiles are taken to grow as a power of the normal ones (1 for a
 *   normal tail, 2 for an exponential one), which two order statistics estimate: a Weibull tail, after L. Gardes and S. Girard, "Comparison
 *   of Weibull tail-coefficient estimators", REVSTAT 4 (2006), with the normal distribution as its reference.
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
/** How far down the second of the two order statistics lies. */
const SECOND_RANK = 8;
const POWER_MAX = 3;
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
    this.#largest = new LargestValues(SECOND_RANK * leftOutOf(capacity) + 1);
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
    const rank = leftOutOf(this.#ranked);
    if (this.#ranked < 2 * rank + 2) return 0;
    const normal = firstQuantile(this.#ranked);
    return this.#largest.at(rank) * (tail.normal / normal) ** this.#power(rank, normal);
  }

  /** Of the normal quantiles, as which those of the errors grow. */
  #power(rank: number, normal: number): number {
    const second = SECOND_RANK * rank;
    if (this.#ranked < 2 * second + 2 || this.#largest.at(second) === 0) return 1;
    const power = Math.log(this.#largest.at(rank) / this.#largest.at(second)) / Math.log(normal / secondQuantile(this.#ranked));
    return Math.min(POWER_MAX, Math.max(1, power));
  }
}

function leftOutOf(errors: number): number {
  return Math.max(LARGEST_LEFT_OUT, Math.floor(SHARE_LEFT_OUT * errors));
}

/** Quantiles for up to so many errors are worked out once. */
const QUANTILES_KEPT = 2000;
const firstQuantile = rankQuantiles(1);
const secondQuantile = rankQuantiles(SECOND_RANK);

/** Where, among so many normal errors, the one would lie that so many times as many exceed as are left out. */
function rankQuantiles(times: number): (errors: number) => number {
  const kept = new Float64Array(QUANTILES_KEPT + 1);
  return (errors) => {
    const known = kept[errors];
    if (known !== undefined && known > 0) return known;
    const quantile = normalTail((times * leftOutOf(errors) + 1) / (errors + 1));
    if (errors <= QUANTILES_KEPT) kept[errors] = quantile;
    return quantile;
  };
}
