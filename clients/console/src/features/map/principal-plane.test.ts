import { seededRandom } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { principalPlane } from './principal-plane.ts';

const size = 8;

/** Points that vary by 10 along one direction, by 3 along another, and by 0.1 along all others. */
function stretched(count: number): Float32Array {
  const random = seededRandom(3);
  const vectors = new Float32Array(count * size);
  for (let row = 0; row < count; row++) {
    for (let i = 0; i < size; i++) vectors[row * size + i] = 5 + (random.next() - 0.5) * (i === 2 ? 10 : i === 5 ? 3 : 0.1);
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

test('the plane is that of the two directions in which the vectors vary most', () => {
  const count = 400;
  const vectors = stretched(count);
  const plane = principalPlane(vectors, size);
  const rows = Array.from({ length: count }, (_, row) => row);
  const axis = (a: 0 | 1) => rows.map((row) => plane[row * 2 + a] ?? 0);
  const component = (i: number) => rows.map((row) => vectors[row * size + i] ?? 0);
  expect(Math.abs(correlation(axis(0), component(2)))).toBeGreaterThan(0.99);
  expect(Math.abs(correlation(axis(1), component(5)))).toBeGreaterThan(0.99);
  expect(Math.max(...plane.map(Math.abs))).toBe(1);
});

test('equal vectors lie in one place, and none is nowhere', () => {
  const plane = principalPlane(new Float32Array(5 * size).fill(2), size);
  expect([...plane].every((value) => value === 0)).toBe(true);
});
