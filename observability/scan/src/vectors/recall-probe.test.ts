// SPDX-License-Identifier: Apache-2.0
import { type NearestPoint, type NearestSearch, SourceError, type VectorCollectionAccess } from '@sextant/observability-connectors';
import { expect, test } from 'vitest';
import type { SampledPoint } from './point-sample.ts';
import { foundOf, probeRecall, wilson } from './recall-probe.ts';

const sample = Array.from({ length: 60 }, (_, id): SampledPoint => {
  return { id: String(id), key: id, payload: { kind: id % 3, title: `t${id}` }, vectors: new Map([['', Float32Array.of(id)]]) };
});

/** Points on a line, of which the index does not know some. */
function line(isIndexed: (id: number) => boolean, asked: NearestSearch[] = []): VectorCollectionAccess {
  const nearest = (search: NearestSearch): readonly NearestPoint[] => {
    asked.push(search);
    return sample
      .filter(
        ({ id, payload }) =>
          id !== search.id &&
          (search.isExact || isIndexed(Number(id))) &&
          (search.where === undefined || payload.kind === search.where.value),
      )
      .map(({ id }) => ({ id, score: Math.abs(Number(id) - Number(search.id)) }))
      .toSorted((one, other) => one.score - other.score)
      .slice(0, search.limit);
  };
  return {
    info: async () => ({ points: sample.length, indexed: sample.length, dimensions: { '': 1 } }),
    points: async function* () {},
    nearest: async (searches) => searches.map(nearest),
  };
}

const probe = (collection: VectorCollectionAccess, components = 60) =>
  probeRecall({ collection, vector: '', components, sample, signal: new AbortController().signal });

async function recall(collection: VectorCollectionAccess, components?: number) {
  const { metrics } = await probe(collection, components);
  return Object.fromEntries(metrics.map(({ metric_aggregation, value }) => [metric_aggregation, value]));
}

test('an index that knows all points has a recall of 100 percent, with the interval that so many answers allow', async () => {
  const found = await recall(line(() => true));
  expect(found).toMatchObject({ ratio: 100, filtered: 100, upper: 100 });
  expect(found.lower).toBeGreaterThan(99);
  expect(found.lower).toBeLessThan(100);
});

test('points that the index does not know are missed, with and without a filter', async () => {
  const found = await recall(line((id) => id % 5 !== 0));
  expect(found.ratio).toBeLessThan(90);
  expect(found.ratio).toBeGreaterThan(60);
  expect(found.filtered).toBeLessThan(90);
});

test('half of the searches ask for the value of their own point, each twice', async () => {
  const asked: NearestSearch[] = [];
  await recall(
    line(() => true, asked),
    1e12,
  );
  // Twenty at least, however large the collection is.
  expect(asked).toHaveLength(40);
  const filtered = asked.filter(({ where }) => where !== undefined);
  expect(filtered).toHaveLength(20);
  for (const { id, where } of filtered) expect(where).toEqual({ member: 'kind', value: Number(id) % 3 });
});

test('a source is asked as much at once as it had better be asked, and the recall stays the same', async () => {
  const calls: number[] = [];
  const collection = line((id) => id % 5 !== 0);
  const counted: VectorCollectionAccess = {
    ...collection,
    searchesAtOnce: 200,
    nearest: async (searches, options) => {
      calls.push(searches.length);
      return (await collection.nearest?.(searches, options)) ?? [];
    },
  };
  expect(await recall(counted)).toEqual(await recall(collection));
  expect(calls).toEqual([sample.length, sample.length]);
});

test('a source without an index, or one that refuses, has no recall', async () => {
  const { nearest: _none, ...without } = line(() => true);
  expect(await recall(without)).toEqual({});
  const refuse = async () => Promise.reject(new SourceError('exact searches are not allowed', { status: 400 }));
  expect(await probe({ ...without, nearest: refuse })).toEqual({ metrics: [] });
});

test('a source that fails has no recall either, and says why', async () => {
  const fail = async () => Promise.reject(new SourceError('http://vectors answers with status 503', { status: 503 }));
  expect(await probe({ ...line(() => true), nearest: fail })).toEqual({
    metrics: [],
    failure: 'the index could not be searched: http://vectors answers with status 503',
  });
});

test('another point as near as the last one counts as found, whichever way scores go', () => {
  const points = (...scores: readonly number[]) => scores.map((score, id) => ({ id: String(id), score }));
  expect(foundOf(points(0.9, 0.8, 0.8), points(0.9, 0.8, 0.8))).toBe(3);
  expect(foundOf(points(0.9, 0.8, 0.8), points(0.9, 0.7, 0.6))).toBe(1);
  expect(foundOf(points(1, 2, 3), points(1, 3, 4))).toBe(2);
  expect(foundOf([], points(1))).toBe(0);
});

test.each([
  [0, 10, 0, 0.2775],
  [5, 10, 0.2366, 0.7634],
  [10, 10, 0.7225, 1],
])('the interval of %i of %i', (found, expected, low, high) => {
  const interval = wilson({ found, expected });
  expect(interval.low).toBeCloseTo(low, 3);
  expect(interval.high).toBeCloseTo(high, 3);
});
