// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { poisson } from '../../anomaly-bench/chance.ts';
import { SparseCounts } from './sparse-counts.ts';

function countsOf(values: readonly number[]): SparseCounts {
  const counts = new SparseCounts();
  for (const value of values) counts.add(value);
  return counts;
}

const drawn = (count: number, mean: number) => {
  const random = seededRandom(1);
  return Array.from({ length: count }, () => poisson(random, mean));
};

/** Of a Poisson distribution with a mean of 0.2, more than 2 come with a chance of 0.0011, more than 4 of 2e-6. */
test.each([
  [0.01, 2],
  [0.0005, 3],
  [1e-6, 5],
])('of many numbers that are mostly 0, beyond a chance of %f are more than %i', (chance, largest) => {
  expect(countsOf(drawn(2000, 0.2)).largestAt(chance)).toBe(largest);
});

test('fewer numbers leave more open', () => {
  const [few, many] = [5, 250].map((scans) => countsOf(Array.from({ length: scans }, () => 0)).largestAt(0.001) ?? 0);
  expect(few).toBeGreaterThan(many ?? 0);
  expect(many).toBe(1);
});

test('nothing is said of numbers that are not few, nor before the first', () => {
  expect(countsOf(drawn(50, 6)).largestAt(0.001)).toBeUndefined();
  expect(countsOf([]).largestAt(0.001)).toBeUndefined();
});
