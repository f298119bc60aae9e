// SPDX-License-Identifier: Apache-2.0
/**
 * What a young series measured on the same day of the week before: until the days of the week are known, a batch that comes each Monday is as plausible as
 * that it does not.
 */

import { DAY_MS, dayOfWeek } from './calendar.ts';

const YOUNG_MS = 28 * DAY_MS;
const WEEK_MS = 7 * DAY_MS;
/** Scans come a little early or late. */
const NEAR_MS = DAY_MS / 4;

export class FirstWeeks {
  #begunMs: number | undefined;
  readonly #points: { readonly timeMs: number; readonly value: number }[] = [];

  add(timeMs: number, value: number): void {
    this.#begunMs ??= timeMs;
    if (timeMs - this.#begunMs < YOUNG_MS) this.#points.push({ timeMs, value });
  }

  /** Whether the series has not come to that day of the week. */
  isNewDay(timeMs: number): boolean {
    if (this.#begunMs === undefined || timeMs - this.#begunMs >= WEEK_MS) return false;
    return this.#points.every((past) => dayOfWeek(past.timeMs) !== dayOfWeek(timeMs));
  }

  valuesAt(timeMs: number): readonly number[] {
    if (this.#begunMs === undefined || timeMs - this.#begunMs >= YOUNG_MS) return [];
    return this.#points.filter((past) => Math.abs(timeMs - past.timeMs - WEEK_MS) < NEAR_MS).map(({ value }) => value);
  }
}
