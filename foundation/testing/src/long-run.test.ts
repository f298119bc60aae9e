// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { isLongRun, LONG_VARIABLE, roundsOf } from './long-run.ts';

test.each([
  [undefined, false],
  ['', false],
  ['0', false],
  ['1', true],
])('the variable with the value %j asks for long sizes: %s', (value, expected) => {
  expect(isLongRun({ [LONG_VARIABLE]: value })).toBe(expected);
});

test.each(['yes', 'true', '10'])('the value "%s" is refused', (value) => {
  expect(() => isLongRun({ [LONG_VARIABLE]: value })).toThrow(LONG_VARIABLE);
});

test('a test has its quick size, and in the long run its long one or ten times as much', () => {
  expect(roundsOf({ quick: 30 }, {})).toBe(30);
  expect(roundsOf({ quick: 30, long: 1000 }, {})).toBe(30);
  expect(roundsOf({ quick: 30 }, { [LONG_VARIABLE]: '1' })).toBe(300);
  expect(roundsOf({ quick: 30, long: 1000 }, { [LONG_VARIABLE]: '1' })).toBe(1000);
});
