// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { hasEnded } from './ef-curves.ts';

/** The values of ef of the bench, as far as recalls are given. */
const curveOf = (recalls: readonly number[]) => {
  const efs = [10, 14, 20, 28, 40, 56, 80, 112, 160, 224, 320, 448, 640, 900, 1280, 1800];
  return recalls.map((recall, index) => ({ ef: efs[index] ?? Number.NaN, recall, rate: 1 }));
};

test.each([
  { title: 'nothing yet', recalls: [], ended: false },
  { title: 'past all recalls, but not at the ef by which graphs are compared', recalls: [0.99, 0.995, 0.997], ended: false },
  { title: 'past all recalls that are compared', recalls: [0.9, 0.92, 0.94, 0.96, 0.98, 0.994], ended: true },
  { title: 'on its way', recalls: [0.5, 0.56, 0.63, 0.7, 0.77, 0.83], ended: false },
  { title: 'flat, and far from the recalls that are compared', recalls: [0.459, 0.461, 0.462, 0.463, 0.4636, 0.4638], ended: true },
  { title: 'flat between two recalls that are compared', recalls: [0.9, 0.94, 0.96, 0.97, 0.9701, 0.9702], ended: true },
  { title: 'slow, and near enough', recalls: [0.9, 0.94, 0.96, 0.97, 0.975, 0.979], ended: false },
  { title: 'flat for one ef', recalls: [0.6, 0.66, 0.72, 0.76, 0.8, 0.8], ended: false },
])('a curve that is $title', ({ recalls, ended }) => {
  expect(hasEnded(curveOf(recalls))).toBe(ended);
});
