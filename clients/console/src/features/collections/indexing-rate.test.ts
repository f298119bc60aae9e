// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { rateOf, type Seen, seenWith } from './indexing-rate.ts';

function looks(...each: readonly (readonly [atMs: number, indexed: number])[]): readonly Seen[] {
  return each.reduce<readonly Seen[]>((seen, [atMs, indexed]) => seenWith(seen, { atMs, indexed }), []);
}

test('vectors a second, over the last looks', () => {
  expect(rateOf(looks([0, 0], [1000, 500], [2000, 1500]))).toBe(750);
  expect(rateOf(looks([0, 0], [10_000, 100], [20_000, 5_100]))).toBe(500);
});

test('nothing is said of one look, of no progress, and after vectors were deleted', () => {
  expect(rateOf(looks([0, 7]))).toBeUndefined();
  expect(rateOf(looks([0, 7], [1000, 7]))).toBeUndefined();
  expect(rateOf(looks([0, 900], [1000, 100]))).toBeUndefined();
});
