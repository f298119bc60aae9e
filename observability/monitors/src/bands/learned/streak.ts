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
/** Errors before their size is known well enough. */
const ERRORS_MIN = 10;

export class Streak {
  /** Oldest first. */
  #latest: number[] = [];
  #errors = 0;
  #squares = 0;
  #products = 0;

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
  }

  /** The series has moved, and what was off is not any more. */
  restart(): void {
    this.#latest = [];
  }

  keep(numbers: KeptNumbers): void {
    this.#errors = numbers.double(this.#errors);
    this.#squares = numbers.double(this.#squares);
    this.#products = numbers.double(this.#products);
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

  #reach(chance: number, sign: number): number {
    let reach = Number.POSITIVE_INFINITY;
    if (this.#errors < ERRORS_MIN) return reach;
    const limit = normalTail(SHARE * chance) * this.#longRun;
    let sum = 0;
    let summed = 0;
    for (const length of LENGTHS) {
      if (this.#latest.length < length - 1) break;
      for (; summed < length - 1; summed += 1) sum += sign * (this.#latest[this.#latest.length - 1 - summed] ?? 0);
      const left = Math.max(0, limit * Math.sqrt(length) - sum);
      if (left < ERROR_MAX) reach = Math.min(reach, left);
    }
    return reach;
  }
}
