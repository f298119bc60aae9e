/**
 * Days on which offices are closed in some larger country, by rules that hold for every year. Which country a series lives in is not known, so a day says
 * no more than that a workday may look like a Sunday. (Sources: the public holidays of the United States, the United Kingdom, Germany, France, Spain,
 * Italy and Canada, as their laws name them in 2026.)
 */

import { DAY_MS, isWeekend } from './calendar.ts';

const FIXED: ReadonlySet<string> = new Set(
  '01-01 01-02 01-06 04-25 05-01 05-08 06-02 06-19 07-01 07-04 07-14 08-15 10-03 10-12 10-31 11-01 11-11 12-06 12-08 12-24 12-25 12-26 12-31'.split(
    ' ',
  ),
);
/** Days from Easter Sunday: Maundy Thursday to Easter Monday, Ascension, Whit Monday, Corpus Christi. */
const FROM_EASTER: ReadonlySet<number> = new Set([-3, -2, 1, 39, 50, 60]);
/** The nth such weekday (0 is Sunday) of a month (from 0); the last one where n is 0. */
const MOVING = [
  { month: 0, weekday: 1, nth: 3 },
  { month: 1, weekday: 1, nth: 3 },
  { month: 4, weekday: 1, nth: 1 },
  { month: 4, weekday: 1, nth: 0 },
  { month: 7, weekday: 1, nth: 1 },
  { month: 7, weekday: 1, nth: 0 },
  { month: 8, weekday: 1, nth: 1 },
  { month: 9, weekday: 1, nth: 2 },
  { month: 10, weekday: 4, nth: 4 },
  { month: 10, weekday: 5, nth: 4 },
] as const;

/** Whether a workday may be quiet: it is a holiday somewhere, or makes up for one at a weekend, or the scan of an early hour measures the day before. */
export function mayBeHoliday(timeMs: number): boolean {
  if (isWeekend(timeMs)) return false;
  return isHoliday(timeMs) || isHoliday(timeMs - DAY_MS) || isObserved(timeMs);
}

/** One on a Saturday is observed on the Friday before, one on a Sunday on the Monday after. */
function isObserved(timeMs: number): boolean {
  const weekday = new Date(timeMs).getUTCDay();
  return weekday === 5 && isHoliday(timeMs + DAY_MS);
}

function isHoliday(timeMs: number): boolean {
  const date = new Date(timeMs);
  if (FIXED.has(date.toISOString().slice(5, 10))) return true;
  const midnightMs = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  if (FROM_EASTER.has((midnightMs - easterOf(date.getUTCFullYear())) / DAY_MS)) return true;
  const isLast = new Date(timeMs + 7 * DAY_MS).getUTCMonth() !== date.getUTCMonth();
  const nth = Math.ceil(date.getUTCDate() / 7);
  return MOVING.some(
    (rule) => rule.month === date.getUTCMonth() && rule.weekday === date.getUTCDay() && (rule.nth === 0 ? isLast : rule.nth === nth),
  );
}

/** The anonymous Gregorian algorithm (J. Meeus, Astronomical Algorithms, 1991, chapter 8). */
function easterOf(year: number): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const inCentury = year % 100;
  const skipped = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - skipped + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(inCentury / 4) - epact - (inCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const day = epact + weekday - 7 * late + 114;
  return Date.UTC(year, Math.floor(day / 31) - 1, (day % 31) + 1);
}
