// SPDX-License-Identifier: Apache-2.0
/**
 * Surprises that come back by the calendar: the batch of the first of a month, the year's end, a holiday with a date. What once surprised at such a
 * day may do so again at the next, and only there. What keeps surprising without a rule, and is over by the next scan, is a burst that belongs to the
 * series; only upwards, for a value that is too low may be data that is missing, however often that happens.
 */
import { DAY_MS, dayOfWeek } from './calendar.ts';
import { type KeptNumbers, single } from './kept-numbers.ts';

const SURPRISES_MAX = 40;
const SURPRISE_BYTES = 12;
const SCAN_MAX = 2 ** 21 - 1;
const MINUTE_MS = 60_000;
/** Earlier ones on the same day of a month are of the same month. */
const MONTH_MS = 20 * DAY_MS;
/** On a weekday this many in a row make a habit; one bad Monday does not. */
const WEEKLY_MIN = 2;
const WEEKS_BACK = 5;
/** So many bursts within so many scans (of numbers of things more, for a burst of rows may be a load that came twice) are a habit, until there is none for as long; it expects those of twice as long. */
const BURSTS_MIN = { things: 3, others: 2 };
const HABIT_SCANS = 180;

/** `scan`: its number in the series. */
type Surprise = { readonly timeMs: number; readonly value: number; readonly scan: number; readonly isAbove: boolean };
/** With its day of the month, counted from the beginning and from the end. */
type Past = Surprise & DayOfMonth;
type DayOfMonth = { readonly date: number; readonly daysLeft: number };

export class Recurrence {
  readonly #burstsMin: number;
  #surprises: Past[] = [];

  constructor({ isOfThings }: { readonly isOfThings: boolean }) {
    this.#burstsMin = isOfThings ? BURSTS_MIN.things : BURSTS_MIN.others;
  }

  add({ timeMs, value, scan, isAbove }: Surprise): void {
    const minuteMs = Math.floor(timeMs / MINUTE_MS) * MINUTE_MS;
    this.#surprises.push({ timeMs: minuteMs, value: single(value), scan: Math.min(SCAN_MAX, scan), isAbove, ...dayOfMonth(timeMs) });
    if (this.#surprises.length > SURPRISES_MAX) this.#surprises.shift();
  }

  /** What surprised at earlier days of the same kind, and bursts that may come at any; `scan` is the number of the next one. */
  valuesAt(timeMs: number, scan: number): readonly number[] {
    if (this.#surprises.length === 0) return [];
    const { date, daysLeft } = dayOfMonth(timeMs);
    const monthly = this.#surprises.filter(
      (past) => timeMs - past.timeMs >= MONTH_MS && (past.date === date || past.daysLeft === daysLeft),
    );
    const weekly = this.#surprises.filter((past) => isSameOfWeek(past.timeMs, timeMs));
    return [...monthly, ...(weekly.length >= WEEKLY_MIN ? weekly : []), ...this.#burstsBefore(scan)].map(({ value }) => value);
  }

  keep(numbers: KeptNumbers): void {
    const count = numbers.byte(this.#surprises.length);
    this.#surprises.length = count;
    for (let index = 0; index < count; index += 1) {
      const past = this.#surprises[index];
      const timeMs = numbers.count((past?.timeMs ?? 0) / MINUTE_MS) * MINUTE_MS;
      const value = numbers.single(past?.value ?? 0);
      // 21 bits for the scan, five for either count of days, one for the side.
      const packed = numbers.count(
        past === undefined ? 0 : ((past.scan << 11) | (past.date << 6) | (past.daysLeft << 1) | Number(past.isAbove)) >>> 0,
      );
      this.#surprises[index] = {
        timeMs,
        value,
        scan: packed >>> 11,
        date: (packed >>> 6) & 31,
        daysLeft: (packed >>> 1) & 31,
        isAbove: (packed & 1) === 1,
      };
    }
    numbers.skip(SURPRISES_MAX - count, SURPRISE_BYTES);
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
      ({ scan: last }, index) => last - (bursts[index - this.#burstsMin + 1]?.scan ?? Number.NEGATIVE_INFINITY) <= HABIT_SCANS,
    );
    const isOver = scan - (bursts.at(-1)?.scan ?? Number.NEGATIVE_INFINITY) > HABIT_SCANS;
    return isHabit && !isOver ? bursts.filter((past) => scan - past.scan <= 2 * HABIT_SCANS) : [];
  }
}

function dayOfMonth(timeMs: number): DayOfMonth {
  const day = new Date(timeMs);
  const date = day.getUTCDate();
  return { date, daysLeft: new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate() - date };
}

function isSameOfWeek(oneMs: number, otherMs: number): boolean {
  return dayOfWeek(oneMs) === dayOfWeek(otherMs) && otherMs - oneMs <= WEEKS_BACK * 7 * DAY_MS;
}
