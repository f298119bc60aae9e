// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { dot, principalDirections } from './principal-directions.ts';

const DIMENSION = 20;
const atOnce = async () => {};

test('the directions are orthonormal, and see all of vectors that lie in so many', async () => {
  const random = seededRandom(3);
  const basis = Array.from({ length: 3 }, () => Float32Array.from({ length: DIMENSION }, () => random.next() - 0.5));
  const rows = Array.from({ length: 200 }, () => {
    const weights = basis.map(() => random.next() - 0.5);
    return Float32Array.from({ length: DIMENSION }, (_, at) =>
      basis.reduce((sum, row, axis) => sum + (weights[axis] ?? 0) * (row[at] ?? 0), 0),
    );
  });
  const directions = await principalDirections(rows, 3, atOnce);
  const axes = [0, 1, 2].map((axis) => directions.slice(axis * DIMENSION, (axis + 1) * DIMENSION));
  for (const [one, first] of axes.entries())
    for (const [other, second] of axes.entries()) expect(dot(first, 0, second)).toBeCloseTo(one === other ? 1 : 0, 5);
  for (const row of rows) {
    const inside = axes.reduce((sum, axis) => sum + dot(axis, 0, row) ** 2, 0);
    expect(inside).toBeCloseTo(dot(row, 0, row), 5);
  }
});

test('directions that nothing lies in are zero', async () => {
  const rows = Array.from({ length: 10 }, (_, at) => Float32Array.of(at - 4.5, 0, 0));
  const directions = await principalDirections(rows, 2, atOnce);
  expect(Math.abs(directions[0] ?? 0)).toBeCloseTo(1, 6);
  expect(directions.slice(3)).toEqual(new Float32Array(3));
});
