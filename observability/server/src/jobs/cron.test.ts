// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { cronProblem, nextRun } from './cron.ts';

const at = (time: string) => Date.parse(time);

describe('the next run, in UTC', () => {
  test.each([
    ['0 6 * * *', '2025-03-30T05:59:59.000Z', '2025-03-30T06:00:00.000Z'],
    ['0 6 * * *', '2025-03-30T06:00:00.000Z', '2025-03-31T06:00:00.000Z'],
    ['*/15 * * * *', '2025-01-01T00:01:00.000Z', '2025-01-01T00:15:00.000Z'],
    ['0 0 29 2 *', '2025-01-01T00:00:00.000Z', '2028-02-29T00:00:00.000Z'],
    ['30 9 * * 1', '2025-01-01T00:00:00.000Z', '2025-01-06T09:30:00.000Z'],
    ['0 0 30 2 *', '2025-01-01T00:00:00.000Z', null],
  ])('of %j after %s', (expression, after, expected) => {
    expect(nextRun(expression, at(after))).toBe(expected);
  });
});

describe('is no schedule', () => {
  test.each(['', 'hourly', '* * * *', '* * * * * *', '60 * * * *', '* 24 * * *', 'a b c d e'])('%j', (expression) => {
    expect(cronProblem(expression)).toMatch(/expected five fields/);
  });
});

test('a schedule has no problem', () => {
  expect(cronProblem('5 4 * * sun')).toBeUndefined();
});
