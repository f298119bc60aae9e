// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { DAY_MS, isWeekend } from './calendar.ts';
import { KindsOfDay } from './kinds-of-day.ts';

const HOUR_MS = DAY_MS / 24;
const MONDAY_MS = Date.UTC(2026, 0, 5);
const FRIDAY = 4;
const SATURDAY = 5;
const SUNDAY = 6;
const NEXT_MONDAY = 7;

/** From one day to another, counted from a Monday. */
type Series = { readonly from: number; readonly to: number; readonly stepMs: number; readonly workdaysOnly?: boolean };

test.each([
  ['the first Saturday of a daily series', { from: 0, to: FRIDAY, stepMs: DAY_MS }, SATURDAY, true],
  ['its first Sunday', { from: 0, to: SATURDAY, stepMs: DAY_MS }, SUNDAY, false],
  ['its first Monday after that', { from: 0, to: SUNDAY, stepMs: DAY_MS }, NEXT_MONDAY, false],
  ['the first Monday of one that began on a Saturday', { from: SATURDAY, to: SUNDAY, stepMs: DAY_MS }, NEXT_MONDAY, true],
  ['its first Tuesday', { from: SATURDAY, to: NEXT_MONDAY, stepMs: DAY_MS }, NEXT_MONDAY + 1, false],
  ['a Saturday evening of hourly scans', { from: 0, to: SATURDAY + 0.7, stepMs: HOUR_MS }, SATURDAY + 0.75, true],
  ['the Sunday of hourly scans', { from: 0, to: SATURDAY + 1, stepMs: HOUR_MS }, SUNDAY + 0.1, false],
  ['midnight before a Saturday in a series of minutes', { from: SATURDAY - 0.01, to: SATURDAY, stepMs: 60_000 }, SATURDAY + 0.001, false],
  ['a Saturday of a series that never has any', { from: 0, to: 11, stepMs: DAY_MS, workdaysOnly: true }, 12, false],
])('%s', (_, series: Series, asked, expected) => {
  const { from, to, stepMs, workdaysOnly = false } = series;
  const kinds = new KindsOfDay();
  for (let timeMs = MONDAY_MS + from * DAY_MS; timeMs <= MONDAY_MS + to * DAY_MS; timeMs += stepMs) {
    if (!(workdaysOnly && isWeekend(timeMs))) kinds.add(timeMs);
  }
  expect(kinds.isNews(MONDAY_MS + asked * DAY_MS)).toBe(expected);
});

test('nothing is news to a series without a point', () => {
  expect(new KindsOfDay().isNews(MONDAY_MS)).toBe(false);
});
