// SPDX-License-Identifier: Apache-2.0
/**
 * Several values in a row that are off on one side, each of which alone is plausible: the sums of the latest errors, over a few lengths, as a moving
 * window of a likelihood ratio (Lai, "Sequential changepoint detection in quality control and dynamical systems", JRSS B 57, 1995). One error
 * counts so much at most that no single value raises a sum.
 */

import type { KeptNumbers } from './kept-numbers.ts';
import { normalTail } from './quantiles.ts';

const LENGTHS = [2, 3, 4, 6] as const;
const LONGEST = 6;
const ERROR_MAX = 3;
const ERROR_BYTES = 4;
/** Of the chance that a value may be called wrong, the share of each sum: the sums come on top of what judges single values. */
const SHARE = 1 / 16;
const CORRELATION_MAX = 0.8;
/** Standard errors of a skewness that may be chance. */
const SKEWED_ERRORS = 1;
/** Errors before their size is known well enough. */
const ERRORS_MIN = 10;

export class Streak {
  /** Oldest first. */
  #latest: number[] = [];
  #errors = 0;
  #squares = 0;
  #products = 0;
  #cubes = 0;

  /** How far the next error may lie on either side. */
  reach(chance: number): { readonly above: number; readonly below: number } {
    return { above: this.#reach(chance, 1), below: this.#reach(chance, -1) };
  }

  learn(error: number): void {
    this.#errors += 1;
    this.#latest.push(Math.fround(Math.max(-ERROR_MAX, Math.min(ERROR_MAX, error))));
    if (this.#latest.length < LONGEST) return;
    // Those that a shift may have made say nothing of how much neighbours are alike.
    const left = this.#latest.shift() ?? 0;
    this.#squares += left * left;
    this.#products += left * (this.#latest[0] ?? 0);
    this.#cubes += left ** 3;
  }

  /** The series has moved, and what was off is not any more. */
  restart(): void {
    this.#latest = [];
  }

  keep(numbers: KeptNumbers): void {
    this.#errors = numbers.double(this.#errors);
    this.#squares = numbers.double(this.#squares);
    this.#products = numbers.double(this.#products);
    this.#cubes = numbers.double(this.#cubes);
    const count = numbers.byte(this.#latest.length);
    this.#latest.length = count;
    for (let index = 0; index < count; index += 1) this.#latest[index] = numbers.single(this.#latest[index] ?? 0);
    numbers.skip(LONGEST - 1 - count, ERROR_BYTES);
  }

  /** Neighbours that are alike make sums larger. */
  get #longRun(): number {
    const correlation = Math.min(CORRELATION_MAX, Math.max(0, this.#products / Math.max(1, this.#squares)));
    return Math.sqrt((1 + correlation) / (1 - correlation));
  }

  /** Of the errors to that side, as far as it is no chance; their size is one. */
  #skewness(sign: number): number {
    const errors = Math.max(1, this.#errors);
    return Math.max(0, (sign * this.#cubes) / errors - SKEWED_ERRORS * Math.sqrt(6 / errors));
  }

  #reach(chance: number, sign: number): number {
    let reach = Number.POSITIVE_INFINITY;
    if (this.#errors < ERRORS_MIN) return reach;
    const quantile = normalTail(SHARE * chance);
    // What a skewed error adds to a quantile of a sum of so many (Cornish and Fisher 1938).
    const skewed = (this.#skewness(sign) * (quantile * quantile - 1)) / 6;
    let sum = 0;
    let summed = 0;
    for (const length of LENGTHS) {
      if (this.#latest.length < length - 1) break;
      for (; summed < length - 1; summed += 1) sum += sign * (this.#latest[this.#latest.length - 1 - summed] ?? 0);
      const left = Math.max(0, this.#longRun * (quantile * Math.sqrt(length) + skewed) - sum);
      if (left < ERROR_MAX) reach = Math.min(reach, left);
    }
    return reach;
  }
}
