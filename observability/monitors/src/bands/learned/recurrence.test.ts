// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { Recurrence } from './recurrence.ts';

const at = (text: string) => Date.parse(`${text}T02:00:00.000Z`);

const scanOf = (day: string) => Math.round((at(day) - at('2024-01-01')) / 86_400_000);

function surprisedAt(...days: readonly string[]): Recurrence {
  const recurrence = new Recurrence({ isOfThings: true });
  for (const day of days) recurrence.add({ timeMs: at(day), value: 5000, scan: scanOf(day), isAbove: false });
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
  expect(surprisedAt(...days).valuesAt(at(day), scanOf(day)).length > 0).toBe(expected);
});

test.each([
  ['three bursts', [10, 50, 90], true, 120, [10, 50, 90]],
  ['two bursts', [10, 50], true, 120, []],
  ['bursts that have become rarer', [10, 50, 90, 230], true, 360, [10, 50, 90, 230]],
  ['bursts that never were a habit', [10, 110, 230], true, 240, []],
  ['three drops, which may be data that is missing', [10, 50, 90], false, 120, []],
  ['three scans in a row, which are one event', [88, 89, 90], true, 120, []],
  ['bursts long ago', [10, 50, 90], true, 300, []],
])('%s at any day', (_, scans, isAbove, scan, expected) => {
  const recurrence = new Recurrence({ isOfThings: true });
  // Times apart from each other by no rule of the calendar.
  const timeOf = (past: number) => at('2026-01-01') + past * 86_400_000;
  for (const past of scans) recurrence.add({ timeMs: timeOf(past), value: past, scan: past, isAbove });
  expect(recurrence.valuesAt(at('2029-03-15'), scan)).toEqual(expected);
});

test('of what is no number of things two bursts at any day are a habit', () => {
  const recurrence = new Recurrence({ isOfThings: false });
  for (const past of [10, 50]) recurrence.add({ timeMs: at('2026-01-01') + past * 86_400_000, value: past, scan: past, isAbove: true });
  expect(recurrence.valuesAt(at('2029-03-15'), 120)).toEqual([10, 50]);
});
