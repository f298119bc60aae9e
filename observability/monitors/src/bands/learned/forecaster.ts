// SPDX-License-Identifier: Apache-2.0
/** A view with the memory of its own errors: an expectation that knows how far to trust itself. */

import type { SeriesTraits } from '../band.ts';
import { ErrorSize } from './error-size.ts';
import { hypot } from './hypot.ts';
import type { KeptNumbers } from './kept-numbers.ts';
import { toleratedDeviation } from './tolerance.ts';
import type { View } from './view.ts';

/** Errors before it is listened to. */
const ERRORS_MIN = 3;
/** How uncertain a deviation of one error is, as a share of it. */
const CAUTION = 3;
/**
 * The tolerance enters as so many errors of its size, so that a series that was constant so far is not held to be constant for ever (a conjugate prior;
 * Gelman et al., Bayesian Data Analysis, 3rd edition, section 3.3).
 */
export const PRIOR_ERRORS = 3;
/** A surprise widens the band, and moves the expectation, by no more than so many deviations. */
const WIDENING_MAX = 2;
const MOVING_MAX = 4;

export class Forecaster {
  readonly #view: View;
  readonly #traits: SeriesTraits;
  readonly #size = new ErrorSize();
  #expected: number | undefined;
  #tolerance = 0;
  /** How much larger errors are for what is uncertain in the view. */
  #factor = 1;
  /** Of its errors, at the moment that it last looked at. */
  #deviation = 0;

  constructor(view: View, traits: SeriesTraits) {
    this.#view = view;
    this.#traits = traits;
  }

  /** What it expected of the moment that it last looked at. */
  get expected(): number {
    return this.#expected ?? Number.NaN;
  }

  /** That it has made, as far as they are remembered. */
  get errors(): number {
    return this.#size.errors;
  }

  /** Deviation of its errors; infinite while it has nothing to say. */
  get deviation(): number {
    return this.#expected === undefined || this.#size.errors < ERRORS_MIN ? Number.POSITIVE_INFINITY : this.#deviation;
  }

  /** The deviation that it may have as well, seen so few errors: what it is weighed by. */
  get cautiousDeviation(): number {
    return this.deviation * (1 + CAUTION / Math.sqrt(Math.max(1, this.#size.errors)));
  }

  /** `typical`: size of the values, where their errors grow with it. */
  lookAt(timeMs: number, { isCount, typical }: { readonly isCount: boolean; readonly typical: number | undefined }): void {
    const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = this.#traits;
    const expected = this.#view.expect(timeMs);
    this.#expected = expected === undefined ? undefined : Math.min(maximum, Math.max(minimum, expected));
    this.#size.lookAt(this.#expected ?? 0, typical, { isCount });
    this.#tolerance = toleratedDeviation(this.#expected ?? 0, this.#traits, isCount);
    this.#factor = this.#expected === undefined ? 1 : Math.sqrt(1 + this.#view.variance(timeMs));
    this.#deviation = hypot(this.#leastDeviation, this.#factor * this.#size.deviation);
  }

  /** Learns the value of the moment that it last looked at. */
  learn(timeMs: number, value: number, isSurprise: boolean): void {
    if (this.#expected === undefined) {
      this.#view.learn({ timeMs, value, isSurprise, scale: 1 });
      return;
    }
    const error = value - this.#expected;
    const size = Math.abs(error);
    const deviation = this.#deviation;
    const { scale } = this.#size;
    this.#size.learn((isSurprise ? Math.min(size, WIDENING_MAX * deviation) : size) / this.#factor, this.#leastDeviation);
    const moving = isSurprise ? Math.min(size, MOVING_MAX * deviation) : size;
    this.#view.learn({ timeMs, value: this.#expected + Math.sign(error) * moving, isSurprise, scale });
  }

  /** A first value, of which there was nothing to expect. */
  begin(timeMs: number, value: number): void {
    this.#view.moveTo(value, timeMs);
    this.#view.learn({ timeMs, value, isSurprise: false, scale: 1 });
  }

  moveTo(value: number, timeMs: number): void {
    this.#view.moveTo(value, timeMs);
  }

  keep(numbers: KeptNumbers): void {
    this.#view.keep(numbers);
    this.#size.keep(numbers);
  }

  get #leastDeviation(): number {
    return this.#tolerance * Math.sqrt(PRIOR_ERRORS / (PRIOR_ERRORS + this.#size.errors));
  }
}
