// SPDX-License-Identifier: Apache-2.0
/**
 * How many things may come where few do: numbers that are mostly 0 have hardly any errors to learn from, and the next larger one is rare, but no surprise.
 * Their rate is learned as that of a Poisson process, and the numbers that it foretells follow a negative binomial distribution (Gelman et al., Bayesian
 * Data Analysis, 3rd edition, section 2.6; the prior is that of Jeffreys).
 */
import type { KeptNumbers } from './kept-numbers.ts';

/** Numbers that are remembered; older ones fade. */
const REMEMBERED = 250;
/** With a larger mean the errors are many, and of many sizes. */
const MEAN_MAX = 2;
const PRIOR = 0.5;
const COUNT_MAX = 100;

export class SparseCounts {
  #scans = 0;
  #sum = 0;

  add(value: number): void {
    const kept = this.#scans < REMEMBERED ? 1 : 1 - 1 / REMEMBERED;
    this.#scans = kept * this.#scans + 1;
    this.#sum = kept * this.#sum + Math.max(0, value);
  }

  /** The largest number that is not rarer on its side; undefined where numbers are not few. */
  largestAt(chance: number): number | undefined {
    if (this.#scans === 0 || this.#sum > MEAN_MAX * this.#scans) return undefined;
    const shape = this.#sum + PRIOR;
    const other = 1 / (this.#scans + 1);
    let term = (1 - other) ** shape;
    let beyond = 1 - term;
    let count = 0;
    while (beyond > chance && count < COUNT_MAX) {
      count += 1;
      term *= ((shape + count - 1) / count) * other;
      beyond -= term;
    }
    return count;
  }

  keep(numbers: KeptNumbers): void {
    this.#scans = numbers.double(this.#scans);
    this.#sum = numbers.double(this.#sum);
  }
}
