// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { DAY_MS, isWeekend } from './calendar.ts';
import { LocalHolidays, mayBeHoliday } from './holidays.ts';

test.each([
  ['2026-12-25', true, 'Christmas'],
  ['2026-04-06', true, 'Easter Monday'],
  ['2027-03-29', true, 'Easter Monday of another year'],
  ['2026-05-14', true, 'Ascension'],
  ['2026-11-26', true, 'the fourth Thursday of November'],
  ['2026-05-25', true, 'the last Monday of May'],
  ['2026-07-03', true, 'the Friday before a holiday on a Saturday'],
  ['2028-01-03', true, 'the Monday after a holiday on a Sunday'],
  ['2026-01-07', true, 'a scan of the morning after'],
  ['2026-07-18', false, 'a Saturday'],
  ['2026-03-18', false, 'a Wednesday of March'],
  ['2026-11-19', false, 'the third Thursday of November'],
])('%s: %s, %s', (day, expected) => {
  expect(mayBeHoliday(Date.parse(`${day}T02:00:00Z`))).toBe(expected);
});

describe('a series', () => {
  const at = (day: string): number => Date.parse(`${day}T02:00:00Z`);
  const workdaysOf = (year: number): readonly number[] =>
    Array.from({ length: 365 }, (_, day) => at(`${year}-01-01`) + day * DAY_MS).filter((timeMs) => !isWeekend(timeMs));

  /** After a year in which it was as quiet as on Sundays on these days alone. */
  function afterAYear(quiet: readonly string[]): LocalHolidays {
    const holidays = new LocalHolidays();
    for (const timeMs of workdaysOf(2026)) holidays.learn(timeMs, quiet.includes(new Date(timeMs).toISOString().slice(0, 10)));
    return holidays;
  }

  const excusedOf = (holidays: LocalHolidays): number => workdaysOf(2027).filter((timeMs) => holidays.mayBe(timeMs)).length;
  const AMERICAN = ['2026-01-01', '2026-01-19', '2026-05-25', '2026-09-07', '2026-11-26', '2026-12-25'];
  const GERMAN = ['2026-01-01', '2026-04-03', '2026-04-06', '2026-05-01', '2026-05-14', '2026-05-25', '2026-12-25'];
  const dayAfter = (day: string): string => new Date(at(day) + DAY_MS).toISOString().slice(0, 10);

  test('of which nothing is known may rest on the holidays of any country', () => {
    expect(excusedOf(new LocalHolidays())).toBeGreaterThan(40);
  });

  test('that works on every holiday is excused on none', () => {
    expect(excusedOf(afterAYear([]))).toBe(0);
  });

  test('that was quiet now and then, and not on holidays, is excused on none', () => {
    expect(excusedOf(afterAYear(['2026-02-11', '2026-03-18', '2026-06-24', '2026-09-16']))).toBe(0);
  });

  test('that rests on the holidays of one country is excused on these alone', () => {
    const american = afterAYear(AMERICAN);
    for (const day of ['2027-05-31', '2027-07-05', '2027-09-06', '2027-11-25', '2027-12-24']) expect(american.mayBe(at(day))).toBe(true);
    for (const day of ['2027-03-30', '2027-05-06', '2027-05-17', '2027-07-14', '2027-08-30']) expect(american.mayBe(at(day))).toBe(false);
    expect(excusedOf(american)).toBeLessThan(30);
  });

  test('that is measured in the early hours rests on the day after', () => {
    const german = afterAYear(GERMAN.map(dayAfter));
    for (const day of ['2027-03-30', '2027-05-07', '2027-05-18']) expect(german.mayBe(at(day))).toBe(true);
    for (const day of ['2027-01-19', '2027-05-04', '2027-09-07', '2027-11-25']) expect(german.mayBe(at(day))).toBe(false);
  });
});
