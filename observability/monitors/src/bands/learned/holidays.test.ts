import { expect, test } from 'vitest';
import { mayBeHoliday } from './holidays.ts';

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
