// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { cronProblem, lastDue, nextRuns } from './schedule.ts';

const NOW = Date.parse('2026-03-04T10:30:00Z');
const text = (ms: number | null | undefined) => (ms == null ? null : new Date(ms).toISOString());

test.each([
  ['0 6 * * *', '2026-03-04T06:00:00.000Z', '2026-03-05T06:00:00.000Z'],
  ['*/20 * * * *', '2026-03-04T10:20:00.000Z', '2026-03-04T10:40:00.000Z'],
  ['0 0 * * 1', '2026-03-02T00:00:00.000Z', '2026-03-09T00:00:00.000Z'],
])('%s was due at %s and is next due at %s, in UTC wherever the viewer is', (expression, before, after) => {
  expect(text(lastDue(expression, NOW))).toBe(before);
  expect(text(nextRuns(expression, NOW, 3)[0])).toBe(after);
});

test('a day that no year has is never due', () => {
  expect(nextRuns('0 0 30 2 *', NOW, 3)).toEqual([]);
});

test.each(['', '0 6 * *', '61 * * * *', '0 6 * * * *', 'at noon'])('%j is no schedule', (expression) => {
  expect(cronProblem(expression)).toBeTypeOf('string');
});
