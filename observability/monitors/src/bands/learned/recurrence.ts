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

const NO_SURPRISES: DataView = new DataView(new ArrayBuffer(0));

/** `scan`: its number in the series. */
type Surprise = { readonly timeMs: number; readonly value: number; readonly scan: number; readonly isAbove: boolean };
/** Counted from the beginning of the month and from its end. */
type DayOfMonth = { readonly date: number; readonly daysLeft: number };

export class Recurrence {
  readonly #burstsMin: number;
  /** Oldest first, as they are kept: the minute, the value, and 21 bits for the scan, five for either count of days, one for the side. */
  #surprises = NO_SURPRISES;

  constructor({ isOfThings }: { readonly isOfThings: boolean }) {
    this.#burstsMin = isOfThings ? BURSTS_MIN.things : BURSTS_MIN.others;
  }

  add({ timeMs, value, scan, isAbove }: Surprise): void {
    const { date, daysLeft } = dayOfMonth(timeMs);
    const from = this.#count < SURPRISES_MAX ? 0 : SURPRISE_BYTES;
    const { buffer, byteOffset, byteLength } = this.#surprises;
    const surprises = new Uint8Array(byteLength - from + SURPRISE_BYTES);
    surprises.set(new Uint8Array(buffer, byteOffset + from, byteLength - from));
    this.#surprises = new DataView(surprises.buffer);
    const at = byteLength - from;
    this.#surprises.setUint32(at, Math.floor(timeMs / MINUTE_MS));
    this.#surprises.setFloat32(at + 4, single(value));
    this.#surprises.setUint32(at + 8, ((Math.min(SCAN_MAX, scan) << 11) | (date << 6) | (daysLeft << 1) | Number(isAbove)) >>> 0);
  }

  /** What surprised at earlier days of the same kind, and bursts that may come at any; `scan` is the number of the next one. */
  valuesAt(timeMs: number, scan: number): readonly number[] {
    const values: number[] = [];
    const count = this.#count;
    if (count === 0) return values;
    const { date, daysLeft } = dayOfMonth(timeMs);
    const weekly: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const pastMs = this.#timeMs(index);
      const packed = this.#packed(index);
      const isSameOfMonth = ((packed >>> 6) & 31) === date || ((packed >>> 1) & 31) === daysLeft;
      if (isSameOfMonth && timeMs - pastMs >= MONTH_MS) values.push(this.#value(index));
      if (isSameOfWeek(pastMs, timeMs)) weekly.push(this.#value(index));
    }
    if (weekly.length >= WEEKLY_MIN) values.push(...weekly);
    for (const burst of this.#burstsBefore(scan)) values.push(this.#value(burst));
    return values;
  }

  keep(numbers: KeptNumbers): void {
    this.#surprises = numbers.records(this.#surprises, { bytes: SURPRISE_BYTES, most: SURPRISES_MAX });
  }

  get #count(): number {
    return this.#surprises.byteLength / SURPRISE_BYTES;
  }

  #timeMs(index: number): number {
    return this.#surprises.getUint32(index * SURPRISE_BYTES) * MINUTE_MS;
  }

  #value(index: number): number {
    return this.#surprises.getFloat32(index * SURPRISE_BYTES + 4);
  }

  #packed(index: number): number {
    return this.#surprises.getUint32(index * SURPRISE_BYTES + 8);
  }

  /** Undefined before the first one and after the last. */
  #scan(index: number): number | undefined {
    return index >= 0 && index < this.#count ? this.#packed(index) >>> 11 : undefined;
  }

  /** Their places among the surprises. */
  #burstsBefore(scan: number): readonly number[] {
    const bursts: number[] = [];
    let isHabit = false;
    let last = Number.NEGATIVE_INFINITY;
    for (let index = 0; index < this.#count; index += 1) {
      const packed = this.#packed(index);
      const own = packed >>> 11;
      if ((packed & 1) === 0 || own >= scan - 1 || this.#scan(index + 1) === own + 1 || this.#scan(index - 1) === own - 1) continue;
      bursts.push(index);
      const first = bursts[bursts.length - this.#burstsMin];
      if (first !== undefined && own - (this.#packed(first) >>> 11) <= HABIT_SCANS) isHabit = true;
      last = own;
    }
    const isOver = scan - last > HABIT_SCANS;
    return isHabit && !isOver ? bursts.filter((burst) => scan - (this.#packed(burst) >>> 11) <= 2 * HABIT_SCANS) : [];
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
