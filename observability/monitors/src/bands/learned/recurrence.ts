/**
 * Surprises that come back by the calendar: the batch of the first of a month, the year's end, a holiday with a date. What once surprised at such a
 * day may do so again at the next, and only there.
 */
import { DAY_MS, dayOfWeek } from './calendar.ts';

const SURPRISES_MAX = 64;
/** On a weekday this many in a row make a habit; one bad Monday does not. */
const WEEKLY_MIN = 2;
const WEEKS_BACK = 5;

type Surprise = { readonly timeMs: number; readonly value: number };

export class Recurrence {
  readonly #surprises: Surprise[] = [];

  add(timeMs: number, value: number): void {
    this.#surprises.push({ timeMs, value });
    if (this.#surprises.length > SURPRISES_MAX) this.#surprises.shift();
  }

  /** What surprised at earlier days of the same kind. */
  valuesAt(timeMs: number): readonly number[] {
    const monthly = this.#surprises.filter((past) => isSameOfMonth(past.timeMs, timeMs));
    const weekly = this.#surprises.filter((past) => isSameOfWeek(past.timeMs, timeMs));
    return [...monthly, ...(weekly.length >= WEEKLY_MIN ? weekly : [])].map(({ value }) => value);
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
