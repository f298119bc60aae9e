// SPDX-License-Identifier: Apache-2.0
/**
 * The long reference of a daily series, as sums: means by weekday, and the errors of the values around them, each foretold by the values before it
 * (recursive residuals, whose squares add up to those around the means; Brown, Durbin and Evans, JRSS B 37, 1975).
 */
import { DAYS, dayOfWeek } from './calendar.ts';
import type { KeptNumbers } from './kept-numbers.ts';

/** Three values of each weekday, and one more: with fewer the errors of a random walk can hardly be told from those around a level. */
const COUNT_MIN = 22;
/** Of the slope, in its standard errors. */
const SLOPE_MAX = 3.5;
/** Of neighbouring errors, with a part of its standard error, 1 / sqrt(n) of independent ones (Bartlett 1946): a random walk of few values may look like noise. */
const CORRELATION_MAX = 0.3;
const CORRELATION_ERRORS = 0.3;

/** What values are expected, and the deviation of the long run around that. */
export type Level = { readonly expect: (timeMs: number) => number; readonly deviation: number };

export class DriftReference {
  #count = 0;
  readonly #means = new Float64Array(DAYS);
  readonly #counts = new Uint32Array(DAYS);
  /** Sums of the places of the values of each weekday, and of places times values less the first one. */
  readonly #places = new Float64Array(DAYS);
  #placed = 0;
  #first = 0;
  /** Of the errors and of neighbours. */
  #squares = 0;
  #products = 0;
  #error = 0;

  get count(): number {
    return this.#count;
  }

  /** `day`: of the week. */
  add(day: number, value: number): void {
    if (this.#count === 0) this.#first = value;
    const before = this.#counts[day] ?? 0;
    const distance = value - (this.#means[day] ?? 0);
    const error = before === 0 ? 0 : distance * Math.sqrt(before / (before + 1));
    this.#squares += error * error;
    this.#products += error * this.#error;
    this.#error = error;
    this.#counts[day] = before + 1;
    this.#means[day] = (this.#means[day] ?? 0) + distance / (before + 1);
    this.#places[day] = (this.#places[day] ?? 0) + this.#count;
    this.#placed += this.#count * (value - this.#first);
    this.#count += 1;
  }

  /** Undefined where it is short, or the series has no level to drift from. */
  level(): Level | undefined {
    const count = this.#count;
    let freedom = count;
    for (const each of this.#counts) if (each > 0) freedom -= 1;
    if (count < COUNT_MIN || freedom < 1) return undefined;
    const correlation = this.#squares === 0 ? 0 : this.#products / this.#squares;
    if (correlation + CORRELATION_ERRORS / Math.sqrt(freedom) > CORRELATION_MAX || this.#isSloped()) return undefined;
    // Neighbours that are alike make sums larger: the deviation is that of the long run.
    const longRun = Math.sqrt((1 + Math.max(0, correlation)) / (1 - Math.max(0, correlation)));
    let sum = 0;
    for (let day = 0; day < DAYS; day += 1) sum += (this.#means[day] ?? 0) * (this.#counts[day] ?? 0);
    const mean = sum / count;
    return {
      expect: (timeMs) => {
        const day = dayOfWeek(timeMs);
        return this.#counts[day] === 0 ? mean : (this.#means[day] ?? 0);
      },
      deviation: longRun * Math.sqrt(this.#squares / freedom) * Math.sqrt(1 + DAYS / count),
    };
  }

  clear(): void {
    this.#count = 0;
    this.#means.fill(0);
    this.#counts.fill(0);
    this.#places.fill(0);
    this.#placed = 0;
    this.#squares = 0;
    this.#products = 0;
    this.#error = 0;
  }

  keep(numbers: KeptNumbers): void {
    this.#count = numbers.double(this.#count);
    numbers.doubles(this.#means);
    numbers.counts(this.#counts);
    numbers.doubles(this.#places);
    this.#placed = numbers.double(this.#placed);
    this.#first = numbers.double(this.#first);
    this.#squares = numbers.double(this.#squares);
    this.#products = numbers.double(this.#products);
    this.#error = numbers.double(this.#error);
  }

  /** Whether what is left of the values rises or falls with their places. */
  #isSloped(): boolean {
    const count = this.#count;
    let explained = 0;
    for (let day = 0; day < DAYS; day += 1) explained += (this.#places[day] ?? 0) * ((this.#means[day] ?? 0) - this.#first);
    const products = this.#placed - explained;
    const places = (count * (count * count - 1)) / 12;
    const slope = products / places;
    const left = Math.max(0, this.#squares - slope * products);
    return Math.abs(slope) > SLOPE_MAX * Math.sqrt(left / Math.max(1, count - 2) / places);
  }
}
