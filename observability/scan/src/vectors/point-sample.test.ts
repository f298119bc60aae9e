// SPDX-License-Identifier: Apache-2.0
import type { VectorPoint } from '@sextant/observability-connectors';
import { expect, test } from 'vitest';
import { pointSample, SAMPLE_POINTS_MAX } from './point-sample.ts';
import { vectorStatistics } from './vector-statistics.ts';

function sampled(points: readonly VectorPoint[]) {
  const statistics = vectorStatistics(2);
  const sample = pointSample({ '': 2 });
  for (const point of points) {
    const reading = statistics.add(point.vectors['']);
    sample.add(point, reading === undefined ? [] : [['', reading]]);
  }
  return sample.points();
}

const many = Array.from({ length: 3 * SAMPLE_POINTS_MAX }, (_, id) => ({ id: String(id), payload: {}, vectors: { '': [id + 1, 1] } }));

test('the same points are sampled in whatever order they come, and no more than fit', () => {
  const ids = sampled(many).map(({ id }) => id);
  expect(ids).toHaveLength(SAMPLE_POINTS_MAX);
  expect(sampled(many.toReversed()).map(({ id }) => id)).toEqual(ids);
});

test('most points that were sampled before are sampled again when some are added', () => {
  const before = new Set(sampled(many.slice(0, 2 * SAMPLE_POINTS_MAX)).map(({ id }) => id));
  const after = sampled(many).filter(({ id }) => Number(id) < 2 * SAMPLE_POINTS_MAX);
  expect(after.every(({ id }) => before.has(id))).toBe(true);
});

test('vectors that cannot be compared are left out, and long members are cut', () => {
  const payload = { text: 'x'.repeat(10_000), list: [1, 2], year: 1999 };
  const points = [
    { id: '1', payload, vectors: { '': [3, 4] } },
    { id: '2', payload: {}, vectors: { '': [0, 0] } },
    { id: '3', payload: {}, vectors: { '': [1] } },
    { id: '4', payload: {}, vectors: { '': [null, 1] } },
  ];
  const byId = new Map(sampled(points).map((point) => [point.id, point]));
  expect(['1', '2', '3', '4'].map((id) => byId.get(id)?.vectors.has(''))).toEqual([true, false, false, false]);
  expect(byId.get('1')?.payload).toEqual({ text: 'x'.repeat(2000), list: '[1,2]', year: 1999 });
});
