// SPDX-License-Identifier: Apache-2.0
/** Days on which nobody works: fixed dates, and weekdays of a month, as several countries have them. */

import { DAY_MS } from './family.ts';

const FIXED = ['01-01', '05-01', '07-04', '11-11', '12-25', '12-26'];
/** The nth such weekday (0 is Sunday) of a month counted from 0; the last one of it where n is 0. */
const MOVING = [
  { month: 0, weekday: 1, nth: 3 },
  { month: 4, weekday: 1, nth: 0 },
  { month: 8, weekday: 1, nth: 1 },
  { month: 10, weekday: 4, nth: 4 },
] as const;

export function isHoliday(timeMs: number): boolean {
  const date = new Date(timeMs);
  if (FIXED.includes(date.toISOString().slice(5, 10))) return true;
  const isLast = new Date(timeMs + 7 * DAY_MS).getUTCMonth() !== date.getUTCMonth();
  const nth = Math.ceil(date.getUTCDate() / 7);
  return MOVING.some(
    (rule) => rule.month === date.getUTCMonth() && rule.weekday === date.getUTCDay() && (rule.nth === 0 ? isLast : rule.nth === nth),
  );
}
