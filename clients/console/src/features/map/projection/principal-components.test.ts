// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { fitted, principalComponents } from './principal-components.ts';

const size = 8;

/** Points that vary by 10 along one direction, by 3 along another, by 1 along a third, and by 0.1 along all others. */
function stretched(count: number): Float32Array {
  const random = seededRandom(3);
  const reaches = new Map([
    [2, 10],
    [5, 3],
    [0, 1],
  ]);
  const vectors = new Float32Array(count * size);
  for (let row = 0; row < count; row++) {
    for (let i = 0; i < size; i++) vectors[row * size + i] = 5 + (random.next() - 0.5) * (reaches.get(i) ?? 0.1);
  }
  return vectors;
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
  const [ma, mb] = [mean(a), mean(b)];
  const sum = (f: (i: number) => number) => a.reduce((total, _, i) => total + f(i), 0);
  const da = (i: number) => (a[i] ?? 0) - ma;
  const db = (i: number) => (b[i] ?? 0) - mb;
  return sum((i) => da(i) * db(i)) / Math.sqrt(sum((i) => da(i) ** 2) * sum((i) => db(i) ** 2));
}

test.each([2, 3])('%i components are the directions in which the vectors vary most', (components) => {
  const count = 400;
  const vectors = stretched(count);
  const found = principalComponents(vectors, size, components);
  const rows = Array.from({ length: count }, (_, row) => row);
  const axis = (a: number) => rows.map((row) => found[row * components + a] ?? 0);
  const component = (i: number) => rows.map((row) => vectors[row * size + i] ?? 0);
  for (const [a, i] of [2, 5, 0].slice(0, components).entries()) {
    expect(Math.abs(correlation(axis(a), component(i)))).toBeGreaterThan(0.98);
  }
});

test('a plane fits into the square, in proportion', () => {
  expect([...fitted(Float32Array.of(0, 0, 8, 2))]).toEqual([-1, -0.25, 1, 0.25]);
});

test('equal vectors lie in one place, and none is nowhere', () => {
  const plane = fitted(principalComponents(new Float32Array(5 * size).fill(2), size, 2));
  expect([...plane].every((value) => value === 0)).toBe(true);
  expect(principalComponents(new Float32Array(), size, 2)).toHaveLength(0);
});
