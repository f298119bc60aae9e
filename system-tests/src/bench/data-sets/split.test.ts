// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { withNoise } from './glove-100.ts';
import { holdOut, normalised } from './split.ts';

const set = { count: 5, dimension: 2, values: Float32Array.of(3, 4, 0, 0, 1, 0, 0, 2, 6, 8) };

test('every vector is either a point or a query, whole, and the same seed draws the same', () => {
  const { points, queries } = holdOut(set, 2, seededRandom(1));
  expect([points.count, queries.count]).toEqual([3, 2]);
  const all = [...pairs(points.values), ...pairs(queries.values)];
  expect(all.toSorted()).toEqual(pairs(set.values).toSorted());
  expect(holdOut(set, 2, seededRandom(1))).toEqual({ points, queries });
});

test('a normalised vector has length 1, and one of zeros stays', () => {
  expect([...normalised(set).values]).toEqual([3 / 5, 4 / 5, 0, 0, 1, 0, 0, 1, 6 / 10, 8 / 10].map(Math.fround));
  expect(set.values[0]).toBe(3);
});

test('more vectors than there are begin with the real ones, and the others lie near them', () => {
  const more = withNoise(set, 12, seededRandom(1));
  expect(more.count).toBe(12);
  expect(more.values.subarray(0, 10)).toEqual(set.values);
  const moved = more.values.subarray(10).map((value, at) => value - (set.values[at % 10] ?? 0));
  expect(moved.every((distance) => distance !== 0 && Math.abs(distance) < 10)).toBe(true);
});

function pairs(values: Float32Array): string[] {
  return Array.from({ length: values.length / 2 }, (_, row) => `${values[2 * row]},${values[2 * row + 1]}`);
}
