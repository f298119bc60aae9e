// SPDX-License-Identifier: Apache-2.0
/**
 * What a young series measured on the same day of the week before: until the days of the week are known, a batch that comes each Monday is as plausible as
 * that it does not.
 */

import { DAY_MS, dayOfWeek } from './calendar.ts';
import { type KeptNumbers, single } from './kept-numbers.ts';

const YOUNG_MS = 28 * DAY_MS;
const WEEK_MS = 7 * DAY_MS;
/** Scans come a little early or late. */
const NEAR_MS = DAY_MS / 4;
/** As many as a series of two points a day has within a week and a quarter of a day, and some more. */
const POINTS_MAX = 18;
const MINUTE_MS = 60_000;
const POINT_BYTES = 8;

export class FirstWeeks {
  #begunMs: number | undefined;
  /** The latest, oldest first. */
  #points: { readonly timeMs: number; readonly value: number }[] = [];

  add(timeMs: number, value: number): void {
    this.#begunMs ??= timeMs;
    const ageMs = timeMs - this.#begunMs;
    if (ageMs < YOUNG_MS) this.#points.push({ timeMs: this.#begunMs + Math.floor(ageMs / MINUTE_MS) * MINUTE_MS, value: single(value) });
    if (ageMs < YOUNG_MS && this.#points.length <= POINTS_MAX) return;
    const oldestMs = ageMs < YOUNG_MS ? timeMs - WEEK_MS - NEAR_MS : timeMs;
    this.#points = this.#points.filter((point) => point.timeMs > oldestMs);
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

  keep(numbers: KeptNumbers): void {
    this.#begunMs = numbers.time(this.#begunMs);
    const begunMs = this.#begunMs ?? 0;
    this.#points = this.#points.slice(-POINTS_MAX);
    const count = numbers.byte(this.#points.length);
    this.#points.length = count;
    for (let index = 0; index < count; index += 1) {
      const point = this.#points[index];
      const minutes = numbers.count(point === undefined ? 0 : (point.timeMs - begunMs) / MINUTE_MS);
      this.#points[index] = { timeMs: begunMs + minutes * MINUTE_MS, value: numbers.single(point?.value ?? 0) };
    }
    numbers.skip(POINTS_MAX - count, POINT_BYTES);
  }
}
