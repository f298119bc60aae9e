// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { DAY_MS } from './calendar.ts';
import { FirstWeeks } from './first-weeks.ts';

const MONDAY_MS = Date.UTC(2026, 0, 5, 2);

function valuesAt(day: number): readonly number[] {
  const weeks = new FirstWeeks();
  for (let past = 0; past < day; past += 1) weeks.add(MONDAY_MS + past * DAY_MS, past);
  return weeks.valuesAt(MONDAY_MS + day * DAY_MS);
}

test.each([
  ['of the first week nothing', 6, []],
  ['of the second week what was a week before', 7, [0]],
  ['of the fourth week too', 27, [20]],
  ['after four weeks nothing', 28, []],
])('%s', (_, day, expected) => {
  expect(valuesAt(day)).toEqual(expected);
});

test.each([
  ['a day of the week that a series begins with is new until it came', 3, true],
  ['the last of its first seven days too', 6, true],
  ['one that it came to is not', 7, false],
  ['nor is any after a week', 20, false],
])('%s', (_, day, expected) => {
  const weeks = new FirstWeeks();
  for (let past = 0; past < day; past += 1) weeks.add(MONDAY_MS + past * DAY_MS, past);
  expect(weeks.isNewDay(MONDAY_MS + day * DAY_MS)).toBe(expected);
});
