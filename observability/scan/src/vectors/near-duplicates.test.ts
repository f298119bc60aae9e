// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { nearDuplicates } from './near-duplicates.ts';

const DIMENSION = 64;
const random = seededRandom(5);
const drawn = (scale = 1) => Float64Array.from({ length: DIMENSION }, () => scale * (random.next() + random.next() - 1));
const plus = (one: Float64Array, other: Float64Array) => one.map((component, at) => component + (other[at] ?? 0));

function found(vectors: readonly Float64Array[]) {
  const duplicates = nearDuplicates(DIMENSION, undefined);
  for (const [id, vector] of vectors.entries()) duplicates.add(vector, Math.hypot(...vector), String(id));
  return duplicates.count(0.1);
}

const others = Array.from({ length: 500 }, () => drawn());

test('vectors that differ by a little are found, with the other of each', () => {
  const near = others.slice(0, 40).map((vector) => plus(vector, drawn(0.01)));
  const { compared, near: count, pairs } = found([...others, ...near]);
  expect(compared).toBe(540);
  // A bucket may part a few.
  expect(count).toBeGreaterThan(60);
  expect(count).toBeLessThanOrEqual(80);
  for (const { id, other } of pairs) expect(Math.abs(Number(id) - Number(other))).toBe(500);
});

test('neither equal vectors nor those of another direction are near', () => {
  expect(found([...others, ...others])).toMatchObject({ near: 0, pairs: [] });
});

test('only directions count: a longer vector is near to a shorter one', () => {
  const longer = others.slice(0, 40).map((vector) => plus(vector, drawn(0.01)).map((component) => 5 * component));
  expect(found([...others, ...longer]).near).toBeGreaterThan(60);
});
