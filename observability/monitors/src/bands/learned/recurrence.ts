// SPDX-License-Identifier: Apache-2.0
/**
 * Surprises that come back by the calendar: the batch of the first of a month, the year's end, a holiday with a date. What once surprised at such a
 * day may do so again at the next, and only there. What keeps surprising without a rule, and is over by the next scan, is a burst that belongs to the
 * series; only upwards, for a value that is too low may be data that is missing, however often that happens.
 */
import { DAY_MS, dayOfWeek } from './calendar.ts';
import { type KeptNumbers, single } from './kept-numbers.ts';

const SURPRISES_MAX = 40;
const MINUTE_MS = 60_000;
/** On a weekday this many in a row make a habit; one bad Monday does not. */
const WEEKLY_MIN = 2;
const WEEKS_BACK = 5;
/** So many bursts within so many scans are a habit, until there is none for as long; it expects those of twice as long. */
const BURSTS_MIN = 3;
const HABIT_SCANS = 180;

/** `scan`: its number in the series. */
type Surprise = { readonly timeMs: number; readonly value: number; readonly scan: number; readonly isAbove: boolean };

export class Recurrence {
  #surprises: Surprise[] = [];

  add({ timeMs, value, ...surprise }: Surprise): void {
    this.#surprises.push({ ...surprise, timeMs: Math.floor(timeMs / MINUTE_MS) * MINUTE_MS, value: single(value) });
    if (this.#surprises.length > SURPRISES_MAX) this.#surprises.shift();
  }

  /** What surprised at earlier days of the same kind, and bursts that may come at any; `scan` is the number of the next one. */
  valuesAt(timeMs: number, scan: number): readonly number[] {
    if (this.#surprises.length === 0) return [];
    const monthly = this.#surprises.filter((past) => isSameOfMonth(past.timeMs, timeMs));
    const weekly = this.#surprises.filter((past) => isSameOfWeek(past.timeMs, timeMs));
    return [...monthly, ...(weekly.length >= WEEKLY_MIN ? weekly : []), ...this.#burstsBefore(scan)].map(({ value }) => value);
  }

  keep(numbers: KeptNumbers): void {
    const count = numbers.byte(this.#surprises.length);
    this.#surprises = Array.from({ length: SURPRISES_MAX }, (_, index) => {
      const past = this.#surprises[index];
      const timeMs = numbers.count((past?.timeMs ?? 0) / MINUTE_MS) * MINUTE_MS;
      const value = numbers.single(past?.value ?? 0);
      // The last bit says on which side it was.
      const kept = numbers.count(past === undefined ? 0 : 2 * past.scan + Number(past.isAbove));
      return { timeMs, value, scan: Math.floor(kept / 2), isAbove: kept % 2 === 1 };
    }).slice(0, count);
  }

  #burstsBefore(scan: number): readonly Surprise[] {
    const bursts = this.#surprises.filter(
      (past, index) =>
        past.isAbove &&
        past.scan < scan - 1 &&
        this.#surprises[index + 1]?.scan !== past.scan + 1 &&
        this.#surprises[index - 1]?.scan !== past.scan - 1,
    );
    const isHabit = bursts.some(
      ({ scan: last }, index) => last - (bursts[index - BURSTS_MIN + 1]?.scan ?? Number.NEGATIVE_INFINITY) <= HABIT_SCANS,
    );
    const isOver = scan - (bursts.at(-1)?.scan ?? Number.NEGATIVE_INFINITY) > HABIT_SCANS;
    return isHabit && !isOver ? bursts.filter((past) => scan - past.scan <= 2 * HABIT_SCANS) : [];
  }
}

/** The same day counted from the beginning or the end of its month, in another month. */
function isSameOfMonth(oneMs: number, otherMs: number): boolean {
  const one = new Date(oneMs);
  const other = new Date(otherMs);
  if (otherMs - oneMs < 20 * DAY_MS) return false;
  return one.getUTCDate() === other.getUTCDate() || daysLeft(one) === daysLeft(other);
}

function daysLeft(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate() - date.getUTCDate();
}

function isSameOfWeek(oneMs: number, otherMs: number): boolean {
  return dayOfWeek(oneMs) === dayOfWeek(otherMs) && otherMs - oneMs <= WEEKS_BACK * 7 * DAY_MS;
}
