import { expect, test } from 'vitest';
import { Recurrence } from './recurrence.ts';

const at = (text: string) => Date.parse(`${text}T02:00:00.000Z`);

function surprisedAt(...days: readonly string[]): Recurrence {
  const recurrence = new Recurrence();
  for (const day of days) recurrence.add(at(day), 5000);
  return recurrence;
}

test.each([
  ['the first of the month', ['2026-01-01'], '2026-02-01', true],
  ['the end of a longer month', ['2026-01-31'], '2026-02-28', true],
  ['the day after', ['2026-01-01'], '2026-02-02', false],
  ['the same date a year later', ['2025-12-25'], '2026-12-25', true],
  ['one bad Monday', ['2026-01-05'], '2026-01-12', false],
  ['two Mondays', ['2026-01-05', '2026-01-12'], '2026-01-19', true],
  ['two Mondays long ago', ['2026-01-05', '2026-01-12'], '2026-04-06', false],
])('%s', (_, days, day, expected) => {
  expect(surprisedAt(...days).valuesAt(at(day)).length > 0).toBe(expected);
});
