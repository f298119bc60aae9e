// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { historyOf } from './rule-history.ts';

const AT = '2026-01-02T00:00:00.000Z';

test.each([
  [[], [], 'First search'],
  [[[10, 0]], [100], 'First search'],
  [
    [
      [10, 0],
      [20, 0],
    ],
    [100, 100],
    'Passed in all 2',
  ],
  [
    [
      [20, 0],
      [29_999, 1],
      [10, 0],
    ],
    [100, (100 * 29_999) / 30_000, 100],
    'Lowest 99.99 % of 3',
  ],
] as const)('%j', (counts, shares, text) => {
  const history = counts.map(([support, exceptions]) => ({ metric_time: AT, support, exceptions }));
  expect(historyOf(history)).toEqual({ shares, text });
});
