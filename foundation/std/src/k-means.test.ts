// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { CentroidSums, nearestCentroid, sortByCentroid } from './k-means.ts';

test('a centroid moves to the mean of its points, one without points stays', () => {
  const sums = new CentroidSums(2, 2);
  sums.add(0, Float32Array.of(9, 1, 3), 1);
  sums.add(0, Float32Array.of(3, 5));
  expect([...sums.counts]).toEqual([2, 0]);
  expect([...sums.means(Float32Array.of(0, 0, 7, 8))]).toEqual([2, 4, 7, 8]);
});

test('spreads are the deviations of the points along one direction', () => {
  const sums = new CentroidSums(2, 2);
  for (const x of [-3, 3]) sums.add(0, Float32Array.of(10 + x, 20 + x));
  expect([...sums.spreads(sums.means(new Float32Array(4)))]).toEqual([3, 0]);
});

test('the nearest centroid is the first among equals', () => {
  const centroids = Float32Array.of(0, 0, 4, 0, 2, 0);
  expect(nearestCentroid(centroids, Float32Array.of(1, 0), 0, 2)).toBe(0);
  expect(nearestCentroid(centroids, Float32Array.of(8, 2.5, 0), 1, 2)).toBe(2);
});

test('points are sorted by centroid, in their order, without those of no centroid', () => {
  const { order, starts } = sortByCentroid([2, 0, 9, 2, 0], 3);
  expect([...order]).toEqual([1, 4, 0, 3]);
  expect([...starts]).toEqual([0, 2, 2, 4]);
});

test('rounds of assignment and means part two clusters', () => {
  const points = Float32Array.of(0, 1, 2, 10, 11, 12);
  let centroids = Float32Array.of(0, 1);
  let assigned: number[] = [];
  for (let round = 0; round < 5; round++) {
    const sums = new CentroidSums(2, 1);
    assigned = Array.from(points, (_, index) => nearestCentroid(centroids, points, index, 1));
    for (const [index, centroid] of assigned.entries()) sums.add(centroid, points, index);
    centroids = Float32Array.from(sums.means(centroids));
  }
  expect([...centroids]).toEqual([1, 11]);
  expect(assigned).toEqual([0, 0, 0, 1, 1, 1]);
});
