// SPDX-License-Identifier: Apache-2.0
import { readdir } from 'node:fs/promises';
import { temporaryDirectory } from '@sextant/foundation-testing';
import type { VectorCollectionAccess, VectorPoint } from '@sextant/observability-connectors';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ScanProgress } from '../scan.ts';
import { type CollectionProfileOptions, profileCollection } from './collection-profile.ts';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeAll(async () => {
  directory = await temporaryDirectory();
});
afterAll(() => directory[Symbol.asyncDispose]());

const POINTS: readonly VectorPoint[] = [
  { id: '1', payload: { city: 'Oslo', price: 3, tags: ['a'] }, vectors: { '': [3, 4], image: [1, 0, 0] } },
  { id: '2', payload: { city: 'Oslo', price: 2.5, tags: [] }, vectors: { '': [3, 4] } },
  { id: '3', payload: { city: null, price: 'free' }, vectors: { '': [0, 0], image: [1, 0] } },
  { id: '4', payload: {}, vectors: { '': [null, 1] } },
];

/** What a connector hands over: pages of two. */
function collectionOf(points: readonly VectorPoint[]): VectorCollectionAccess {
  return {
    info: async () => ({ points: points.length, indexed: Math.floor(points.length / 2), dimensions: { '': 2, image: 3 } }),
    points: async function* () {
      for (let start = 0; start < points.length; start += 2) yield points.slice(start, start + 2);
    },
  };
}

async function profile(points: readonly VectorPoint[], more: Partial<CollectionProfileOptions> = {}) {
  const progress: ScanProgress[] = [];
  const result = await profileCollection(collectionOf(points), {
    options: {},
    recentCentroids: undefined,
    temporaryDirectory: directory.path,
    signal: new AbortController().signal,
    onProgress: (step) => void progress.push(step),
    ...more,
  });
  const value = (name: string, attribute: string | null = null, aggregation = '', segment: string | null = null) =>
    result.metrics.filter(
      (metric) =>
        metric.metric_name === name &&
        metric.attribute === attribute &&
        metric.segment === segment &&
        metric.metric_aggregation.startsWith(aggregation),
    )[0]?.value;
  return { result, progress, value };
}

test('a collection by hand', async () => {
  const { result, value } = await profile(POINTS);
  expect(result.recordsScanned).toBe(4);
  expect(value('RECORD_COUNT')).toBe(4);
  expect(value('INDEX_COVERAGE')).toBe(50);
  expect(['', 'image'].map((name) => value('COMPLETENESS', name))).toEqual([100, 50]);
  expect(['', 'image'].map((name) => value('VECTOR_DIMENSION_CONFORMITY', name))).toEqual([100, 50]);
  expect(value('VECTOR_NAN_COUNT', '')).toBe(1);
  expect(value('VECTOR_ZERO_COUNT', '')).toBe(1);
  expect(value('VECTOR_DUPLICATE_COUNT', '')).toBe(1);
  expect(['min', 'max', 'p05', 'p95'].map((aggregation) => value('VECTOR_NORM', '', aggregation))).toEqual([0, 5, 0, expect.closeTo(5, 2)]);
  expect(result.recentCentroids).toEqual({ '': [[2, expect.closeTo(8 / 3, 12)]], image: [[1, 0, 0]] });
  expect(['city', 'price', 'tags'].map((name) => value('PAYLOAD_COMPLETENESS', name))).toEqual([50, 75, 25]);
  expect(result.columns).toEqual([
    { name: 'city', source_type: 'null|string', data_type: 'STRING' },
    { name: 'price', source_type: 'integer|number|string', data_type: 'OTHER' },
    { name: 'tags', source_type: 'array', data_type: 'OTHER' },
  ]);
  expect(value('CENTROID_SHIFT', '')).toBeUndefined();
});

test('the shift is measured against what the previous scan left', async () => {
  const { value } = await profile(POINTS, { recentCentroids: { '': [[2, 8 / 3]], image: [[0, 2, 0]] } });
  expect(value('CENTROID_SHIFT', '', 'euclid')).toBeCloseTo(0, 12);
  expect([value('CENTROID_SHIFT', 'image', 'cosine'), value('CENTROID_SHIFT', 'image', 'euclid')]).toEqual([1, Math.sqrt(5)]);
});

test('one scan that went wrong does not move the centroid that the next ones are compared with', async () => {
  const usual = [2, 8 / 3];
  const { value, result } = await profile(POINTS, { recentCentroids: { '': [usual, usual, usual, usual, [90, 90]], image: [[7]] } });
  expect(value('CENTROID_SHIFT', '', 'euclid')).toBeCloseTo(0, 12);
  expect(result.recentCentroids['']).toHaveLength(5);
  expect(result.recentCentroids['']?.slice(0, 4)).toEqual([usual, usual, usual, [90, 90]]);
  // A vector of another dimension cannot be compared with the ones before.
  expect(value('CENTROID_SHIFT', 'image')).toBeUndefined();
  expect(result.recentCentroids.image).toEqual([[1, 0, 0]]);
});

test('segments, filters and limits choose points as they choose rows', async () => {
  const segmented = await profile(POINTS, { options: { segments: { city: ['Oslo', '__null__', 'Rome'] } } });
  expect(['city=Oslo', 'city=__null__', 'city=Rome'].map((segment) => segmented.value('RECORD_COUNT', null, '', segment))).toEqual([
    2, 2, 0,
  ]);
  expect(segmented.value('VECTOR_NORM', '', 'mean', 'city=Oslo')).toBe(5);
  expect((await profile(POINTS, { options: { filter: { city: ['Oslo'] } } })).result.recordsScanned).toBe(2);
  expect((await profile(POINTS, { options: { limit: 3 } })).result.recordsScanned).toBe(3);
});

test('a sample is the same points each time, about as many as asked for', async () => {
  const many = Array.from({ length: 2000 }, (_, index) => ({ id: String(index), payload: {}, vectors: { '': [index, 1] } }));
  const first = await profile(many, { options: { sample_fraction: 25 } });
  const second = await profile(many.toReversed(), { options: { sample_fraction: 25 } });
  expect(first.result.recordsScanned).toBe(second.result.recordsScanned);
  expect(Math.abs(first.result.recordsScanned - 500)).toBeLessThan(100);
});

test('progress is reported page by page', async () => {
  const { progress } = await profile(POINTS);
  expect(progress).toEqual([
    { phase: 'reading', rowsRead: 2, fraction: 0.5 },
    { phase: 'reading', rowsRead: 4, fraction: 1 },
    { phase: 'measuring', rowsRead: 4, fraction: 1 },
  ]);
});

test('an empty collection has shares of nothing', async () => {
  const { result, value } = await profile([]);
  expect([result.recordsScanned, value('RECORD_COUNT'), value('INDEX_COVERAGE'), value('VECTOR_NORM', '', 'mean')]).toEqual([
    0,
    0,
    null,
    null,
  ]);
  expect(result.recentCentroids).toEqual({});
});

test('a cancelled scan ends between pages and leaves no file', async () => {
  const controller = new AbortController();
  const cancelled = profile(POINTS, { signal: controller.signal, onProgress: () => controller.abort(new Error('enough')) });
  await expect(cancelled).rejects.toThrow('enough');
  expect(await readdir(directory.path)).toEqual([]);
});

test('payloads of a thousand names and more do not grow memory', async () => {
  const points = Array.from({ length: 1100 }, (_, index) => ({
    id: String(index),
    payload: { [`name ${index}`]: 1, constructor: 2 },
    vectors: {},
  }));
  const { result } = await profile(points);
  expect(result.columns.length).toBe(1000);
});
