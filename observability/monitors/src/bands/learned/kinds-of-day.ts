// SPDX-License-Identifier: Apache-2.0
/**
 * Most tables are quieter at weekends. The first weekend of a series, or its first weekday after one, is no news: until a whole day of that kind
 * has passed, nothing can be said.
 */
import { DAY_MS, isWeekend } from './calendar.ts';
import type { KeptNumbers } from './kept-numbers.ts';

/** By then both kinds have been seen, if they are measured at all. */
const BOTH_SEEN_MS = 8 * DAY_MS;

export class KindsOfDay {
  #begunMs: number | undefined;
  #firstWeekendMs: number | undefined;
  #firstWorkdayMs: number | undefined;

  /** Whether the kind of that day is new to a series that has seen a day of the other kind. */
  isNews(timeMs: number): boolean {
    if (this.#begunMs === undefined) return false;
    const ageMs = timeMs - this.#begunMs;
    if (ageMs < DAY_MS || ageMs > BOTH_SEEN_MS) return false;
    const firstMs = isWeekend(timeMs) ? this.#firstWeekendMs : this.#firstWorkdayMs;
    return firstMs === undefined || (firstMs !== this.#begunMs && timeMs - firstMs < DAY_MS);
  }

  add(timeMs: number): void {
    this.#begunMs ??= timeMs;
    if (isWeekend(timeMs)) this.#firstWeekendMs ??= timeMs;
    else this.#firstWorkdayMs ??= timeMs;
  }

  keep(numbers: KeptNumbers): void {
    this.#begunMs = numbers.time(this.#begunMs);
    this.#firstWeekendMs = numbers.time(this.#firstWeekendMs);
    this.#firstWorkdayMs = numbers.time(this.#firstWorkdayMs);
  }
}
