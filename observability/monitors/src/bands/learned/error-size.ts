// SPDX-License-Identifier: Apache-2.0
/**
 * How large the errors of a view usually are, of which there are two beliefs. Either they are of one size, larger only where more than usual is
 * expected; or, of an amount, they are a share of what is expected, so that the day of a large batch and a quiet day have their own. What has
 * foretold the errors better has more of the say. (A variance function with its exponent chosen by likelihood; Davidian and Carroll, "Variance
 * Function Estimation", JASA 82, 1987.)
 */

import { hypot } from './hypot.ts';
import type { KeptNumbers } from './kept-numbers.ts';

/** Errors that make a size, counted in a byte; older ones fade. */
const REMEMBERED = 250;
/** Errors from which the beliefs foretell the next. */
const FORETOLD_FROM = 3;
/** Logarithm of the odds of shares before any error, and how sure either belief gets. */
const FIRST_ODDS = -1;
const ODDS_MAX = 8;
/** Where less than this share of the usual is expected, errors are as large as there. */
const LEAST_SHARE = 0.1;
/** Errors of a count below this size are those of counting, the root of it (Poisson), and no share. */
const SMALL_COUNT = 30;
/** Of the errors, Student's t: one that is large says no more than another one. */
const FREEDOM = 4;

export class ErrorSize {
  #errors = 0;
  /** Deviations of the errors over their scales. */
  #even = 0;
  #shares = 0;
  #evenScale = 1;
  /** Undefined where only one size is believed in. */
  #sharesScale: number | undefined;
  #odds = FIRST_ODDS;

  get errors(): number {
    return this.#errors;
  }

  /** How much larger errors are than usual where so much is expected. */
  get scale(): number {
    return this.#evenScale;
  }

  /** At the moment that it last looked at. */
  get deviation(): number {
    const even = this.#even * this.#evenScale;
    if (this.#sharesScale === undefined) return even;
    const belief = 1 / (1 + Math.exp(-this.#odds));
    return hypot(Math.sqrt(1 - belief) * even, Math.sqrt(belief) * this.#shares * this.#sharesScale);
  }

  /** `typical`: size of the values, of an amount. */
  lookAt(expected: number, typical: number | undefined, { isCount = false } = {}): void {
    const isOfOneSize = typical === undefined || typical === 0;
    this.#evenScale = isOfOneSize ? 1 : Math.max(1, Math.abs(expected) / typical);
    const isSmallCount = isCount && typical !== undefined && typical < SMALL_COUNT;
    this.#sharesScale = isOfOneSize || isSmallCount ? undefined : Math.max(Math.abs(expected), LEAST_SHARE * typical);
  }

  /** `least`: the deviation that is there in any case. */
  learn(size: number, least: number): void {
    const shares = this.#sharesScale;
    if (shares !== undefined && this.#errors >= FORETOLD_FROM) {
      const even = hypot(least, this.#even * this.#evenScale);
      this.#compare(logDensity(size, hypot(least, this.#shares * shares)) - logDensity(size, even));
    }
    this.#errors = Math.min(REMEMBERED, this.#errors + 1);
    const rate = 1 / this.#errors;
    const learned = (deviation: number, error: number) => hypot(Math.sqrt(1 - rate) * deviation, Math.sqrt(rate) * error);
    this.#even = learned(this.#even, size / this.#evenScale);
    if (shares !== undefined) this.#shares = learned(this.#shares, size / shares);
  }

  keep(numbers: KeptNumbers): void {
    this.#errors = numbers.byte(this.#errors);
    this.#even = numbers.double(this.#even);
    this.#shares = numbers.double(this.#shares);
    this.#odds = numbers.double(this.#odds);
  }

  #compare(evidence: number): void {
    if (!Number.isFinite(evidence)) return;
    const odds = (1 - 1 / REMEMBERED) * this.#odds + evidence;
    this.#odds = Math.max(-ODDS_MAX, Math.min(ODDS_MAX, odds));
  }
}

function logDensity(size: number, deviation: number): number {
  return -Math.log(deviation) - ((FREEDOM + 1) / 2) * Math.log1p((size / deviation) ** 2 / FREEDOM);
}
