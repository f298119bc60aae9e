// SPDX-License-Identifier: Apache-2.0
/** Where in the day and the week a moment lies, in UTC. */
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Series measured at most this often are daily ones: of the calendar only the day of the week is theirs. */
export const DAILY_SPACING_MS = DAY_MS / 2;

const SUNDAY = 3;
/** Days that repeat weekly. */
export const DAYS = 7;
export const HOURS = 24;

/** 0 is Thursday, the day of the epoch. */
export function dayOfWeek(timeMs: number): number {
  return modulo(Math.floor(timeMs / DAY_MS), DAYS);
}

export function daysSinceSunday(timeMs: number): number {
  return modulo(dayOfWeek(timeMs) - SUNDAY, DAYS);
}

export function hourOfDay(timeMs: number): number {
  return modulo(Math.floor(timeMs / HOUR_MS), HOURS);
}

export function isWeekend(timeMs: number): boolean {
  const day = dayOfWeek(timeMs);
  return day === 2 || day === 3;
}

/** Not by `%`, which is slow for numbers of this size. */
function modulo(value: number, divisor: number): number {
  return value - divisor * Math.floor(value / divisor);
}

/** Months (from 0) in which local clocks change, nearly always in the night to a Sunday (IANA time zone database, releases since 2007). */
const CLOCK_MONTHS: ReadonlySet<number> = new Set([2, 3, 8, 9, 10]);
const CLOCK_DAYS = 2;
/** Sundays of a month (from 0) in whose night many clocks change: Europe, North America, Australia and New Zealand, Chile; the last one where it is -1. */
const CLOCK_SUNDAYS: ReadonlyMap<number, readonly number[]> = new Map([
  [2, [2, -1]],
  [3, [1]],
  [8, [1, -1]],
  [9, [1, -1]],
  [10, [1]],
]);

/** Whether it is a day in whose night many clocks have changed, by an hour. */
export function isClockDay(timeMs: number): boolean {
  if (daysSinceSunday(timeMs) !== 0) return false;
  const date = new Date(timeMs);
  const sundays = CLOCK_SUNDAYS.get(date.getUTCMonth()) ?? [];
  const isLast = new Date(timeMs + DAYS * DAY_MS).getUTCMonth() !== date.getUTCMonth();
  return sundays.includes(Math.ceil(date.getUTCDate() / DAYS)) || (isLast && sundays.includes(-1));
}

/** Whether a local clock may have changed within the two days before. */
export function mayFollowClockChange(timeMs: number): boolean {
  const days = daysSinceSunday(timeMs);
  return days < CLOCK_DAYS && CLOCK_MONTHS.has(new Date(timeMs - days * DAY_MS).getUTCMonth());
}
