// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { daysOf, dayText, lastDays, resolveTime } from './overview.ts';

describe('the mean time to resolve', () => {
  test.each([
    [{ now: 5, before: 9 }, '5 h', 'faster', '4 h faster than in the 30 days before that'],
    [{ now: 72, before: 9 }, '3.0 days', 'slower', '2.6 days slower than in the 30 days before that'],
    [{ now: 5, before: 5 }, '5 h', 'same', 'same as in the 30 days before that'],
    [{ now: 5, before: 0 }, '5 h', 'unknown', 'no value for the 30 days before that'],
    [{ now: 0, before: 5 }, '–', 'unknown', 'no incident resolved in the last 30 days, or all within half an hour'],
  ] as const)('%j is said in words', ({ now, before }, value, change, note) => {
    expect(resolveTime({ mean_time_to_resolve: now, previous_mean_time_to_resolve: before })).toEqual({ value, change, note });
  });
});

describe('the last days', () => {
  test('are thirty with today, by UTC', () => {
    expect(lastDays(Date.parse('2026-03-01T00:30:00Z'))).toEqual({ from: '2026-01-31', to: '2026-03-01' });
  });

  test('what no impact was said of counts too', () => {
    const date = '2026-03-01';
    const counts = { LOW: 1, MEDIUM: 0, HIGH: 2, '': 3 };
    const [day] = daysOf({ incidents: [{ date, counts, counts_by_impact: { LOW: 0, MEDIUM: 1, HIGH: 1 } }] });
    expect(day).toEqual({ date, total: 6, counts: { LOW: 0, MEDIUM: 1, HIGH: 1, NONE: 4 } });
    expect(day && dayText(day)).toBe('2026-03-01: 6 incidents (1 high, 1 medium, 4 not rated)');
  });
});
