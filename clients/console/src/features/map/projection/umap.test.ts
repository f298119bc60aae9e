// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { nearestNeighbours } from './nearest.ts';
import { fitted, principalComponents } from './principal-components.ts';
import { umap } from './umap.ts';

const SIZE = 6;
const CLUSTERS = 12;

/** Points around centres; a row's cluster is its number modulo twelve. */
function clustered(count: number): Float32Array {
  const random = seededRandom(11);
  const centres = Float32Array.from({ length: CLUSTERS * SIZE }, () => random.next() * 8);
  return Float32Array.from({ length: count * SIZE }, (_, at) => {
    const row = Math.floor(at / SIZE);
    return (centres[(row % CLUSTERS) * SIZE + (at % SIZE)] ?? 0) + random.next() - 0.5;
  });
}

function nearestByHand(points: Float32Array, size: number, row: number, count: number): readonly number[] {
  const distance = (other: number) =>
    Array.from({ length: size }, (_, i) => ((points[row * size + i] ?? 0) - (points[other * size + i] ?? 0)) ** 2).reduce((a, b) => a + b);
  return Array.from({ length: points.length / size }, (_, other) => other)
    .filter((other) => other !== row)
    .map((other) => ({ other, far: distance(other) }))
    .sort((a, b) => a.far - b.far)
    .slice(0, count)
    .map(({ other }) => other);
}

test('few points: the neighbours are exact, nearest first', () => {
  const points = clustered(500);
  const { rows, distances, count } = nearestNeighbours(points, { size: SIZE, neighbours: 5 });
  expect(count).toBe(5);
  for (const row of [0, 7, 499]) {
    expect([...rows.subarray(row * 5, row * 5 + 5)]).toEqual(nearestByHand(points, SIZE, row, 5));
    const own = [...distances.subarray(row * 5, row * 5 + 5)];
    expect(own.toSorted((a, b) => a - b)).toEqual(own);
  }
});

test('many points: nine tenths of the neighbours are found and more', () => {
  const points = clustered(6_000);
  const { rows } = nearestNeighbours(points, { size: SIZE, neighbours: 10 });
  const asked = Array.from({ length: 40 }, (_, i) => i * 149);
  const found = asked.flatMap((row) => {
    const own = new Set(rows.subarray(row * 10, row * 10 + 10));
    return nearestByHand(points, SIZE, row, 10).filter((other) => own.has(other));
  });
  expect(found.length / (asked.length * 10)).toBeGreaterThan(0.9);
});

test('clusters of the space are clusters of the plane, each time the same', () => {
  const count = 480;
  const points = clustered(count);
  const draw = () => umap(points, { size: SIZE, start: fitted(principalComponents(points, SIZE, 2)) });
  const plane = draw();
  const together = Array.from({ length: count }, (_, row) =>
    nearestByHand(plane, 2, row, 10).filter((other) => other % CLUSTERS === row % CLUSTERS),
  );
  expect(together.flat().length / (count * 10)).toBeGreaterThan(0.95);
  expect(draw()).toEqual(plane);
});

test.each([0, 1, 2])('%i points have a place, too', (count) => {
  const start = new Float32Array(count * 2).fill(0.5);
  const plane = umap(clustered(count), { size: SIZE, start });
  expect(plane).toHaveLength(count * 2);
  expect(plane.every(Number.isFinite)).toBe(true);
});

test('equal points stay finite', () => {
  const plane = umap(new Float32Array(40 * SIZE).fill(1), { size: SIZE, start: new Float32Array(80) });
  expect(plane.every(Number.isFinite)).toBe(true);
});
