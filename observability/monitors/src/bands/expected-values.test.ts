// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { SeriesPoint } from './band.ts';
import { reachingExpected } from './expected-values.ts';

const point = (value: number | null, mark: 'expected' | 'excluded' | 'plain' = 'plain'): SeriesPoint => ({
  timeMs: 0,
  value,
  isExcluded: mark === 'excluded',
  isExpected: mark !== 'plain',
});
const USUAL = [100, 101, 99].map((value) => point(value));
const BAND = { lower: 90, upper: 110 };

test.each([
  ['a value above', [point(200, 'expected')], { lower: 90, upper: 210 }],
  ['a value below', [point(50, 'expected')], { lower: 45, upper: 110 }],
  ['the furthest of several', [point(50, 'expected'), point(200, 'expected'), point(150, 'expected')], { lower: 45, upper: 210 }],
  ['nothing of a value that was left out later', [point(200, 'excluded')], BAND],
  ['nothing of a scan without a value', [point(null, 'expected')], BAND],
  ['nothing of values that nobody remarked on', [point(200)], BAND],
])('a band reaches as far as %s', (_, marked, expected) => {
  expect(reachingExpected(BAND, [...USUAL, ...marked], {})).toEqual(expected);
});

test('what lay above once does not excuse what lies below now', () => {
  const grown = { lower: 390, upper: 410 };
  expect(reachingExpected(grown, [...USUAL, point(200, 'expected')], {})).toEqual(grown);
});

test('a band stays within what values there can be, and open where it is open', () => {
  const share = [point(99), point(99), point(40, 'expected'), point(100, 'expected')];
  expect(reachingExpected({ lower: 98, upper: 99.9 }, share, { minimum: 0, maximum: 100 })).toEqual({
    lower: 40 - 0.1 * (98.95 - 40),
    upper: 100,
  });
  expect(reachingExpected({ lower: null, upper: 0 }, [point(5, 'expected')], { minimum: 0 })).toEqual({ lower: null, upper: 5.5 });
  expect(reachingExpected({ lower: null, upper: null }, [point(5, 'expected')], {})).toEqual({ lower: null, upper: null });
});
