// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { nearDuplicates } from './near-duplicates.ts';
import { type KnownNear, knownNear } from './reference/known-near.ts';

const DIMENSION = 64;
const random = seededRandom(5);
const drawn = (scale = 1) => Float64Array.from({ length: DIMENSION }, () => scale * (random.next() + random.next() - 1));
const plus = (one: Float64Array, other: Float64Array) => one.map((component, at) => component + (other[at] ?? 0));

function found(vectors: readonly Float64Array[], known?: KnownNear) {
  const duplicates = nearDuplicates(DIMENSION, undefined);
  for (const [id, vector] of vectors.entries()) duplicates.add(vector, Math.hypot(...vector), String(id));
  return duplicates.count(0.1, known);
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

test('points that the scan before knew to be near are not new, and are named last', () => {
  const copy = (vector: Float64Array) => plus(vector, drawn(0.001));
  const habit = [...others, ...others.slice(0, 40).map(copy)];
  const before = found(habit);
  expect(before.fresh).toBeUndefined();
  expect(before.near).toBeGreaterThan(70);
  const known = knownNear(before.stored);
  expect(found(habit, known)).toMatchObject({ near: before.near, fresh: 0, pairs: before.pairs });

  const copies = others.slice(400, 404).map(copy);
  const { near, fresh, pairs } = found([...habit, ...copies], known);
  expect(fresh).toBeGreaterThanOrEqual(6);
  expect(near).toBe(before.near + (fresh ?? 0));
  for (const { id, other } of pairs.slice(0, 3)) expect([id, other].map(Number).filter((each) => each >= 540)).toHaveLength(1);
});
