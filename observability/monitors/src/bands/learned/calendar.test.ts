// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { isClockDay } from './calendar.ts';

/** Of 2026, by the IANA time zone database. */
test.each([
  ['2026-03-08', true, 'New York'],
  ['2026-03-29', true, 'Berlin'],
  ['2026-04-05', true, 'Sydney'],
  ['2026-09-06', true, 'Santiago'],
  ['2026-09-27', true, 'Auckland'],
  ['2026-10-04', true, 'Sydney'],
  ['2026-10-25', true, 'Berlin'],
  ['2026-11-01', true, 'New York'],
  ['2026-03-15', false, 'nobody'],
  ['2026-03-30', false, 'nobody: a Monday'],
  ['2026-06-28', false, 'nobody'],
])('on %s clocks have changed: %s (%s)', (day, expected) => {
  expect(isClockDay(Date.parse(`${day}T05:00:00Z`))).toBe(expected);
});
