// SPDX-License-Identifier: Apache-2.0
/** Asks the server every kind of question and compares each answer with the model's. */
import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import type { Filter, PointRecord, ScoredPoint } from '@sextant/contracts-vector';
import { type CollectionApi, scrollAll } from '../vector-api.ts';
import type { CollectionModel, ModelPoint, NearestQuestion } from './collection-model.ts';
import { ID_POOL } from './generators.ts';
import { idKey } from './point-order.ts';

/** Far above the rounding of a few 32-bit operations on values below 100, far below the distance of two different answers. */
const TOLERANCE = 1e-4;

/** Everything that does not depend on a question: the points by id and by scroll, their number, the field indexes. */
export async function contentAgrees(model: CollectionModel, api: CollectionApi): Promise<void> {
  const expected = model.select();
  const retrieved = await api.retrieve(ID_POOL);
  pointsAgree(retrieved.toSorted(byPool), expected.toSorted(byPool), 'retrieve');
  pointsAgree(await scrollAll(api, undefined, 7), expected, 'scroll');
  const info = await api.info();
  strictEqual(info.points_count, expected.length, 'points_count');
  const indexes = Object.entries(info.payload_schema).map(([field, { data_type }]) => [field, data_type]);
  deepStrictEqual(new Map(indexes as [string, string][]), model.indexes, 'payload_schema');
}

export async function filterAgrees(model: CollectionModel, api: CollectionApi, filter: Filter): Promise<void> {
  const expected = model.select(filter);
  pointsAgree(await scrollAll(api, filter, 7), expected, 'scroll with a filter');
  strictEqual(await api.count({ filter }), expected.length, 'count with a filter');
}

/** The best scores are the model's; points that tie may stand in for each other, but each has the score that is its own. */
export async function nearestAgrees(model: CollectionModel, api: CollectionApi, question: NearestQuestion): Promise<void> {
  const { name, vector, filter, limit } = question;
  const expected = model.nearest(question);
  const hits = await api.search({
    vector: name === '' ? vector : { name, vector },
    limit,
    params: { exact: true },
    with_payload: true,
    with_vector: true,
    ...(filter && { filter }),
  });
  strictEqual(hits.length, expected.length, 'number of hits');
  for (const [rank, hit] of hits.entries()) {
    const point = model.get(hit.id);
    ok(point !== undefined && model.select(filter).includes(point), `hit ${idKey(hit.id)} is a point that the filter lets through`);
    pointAgrees(hit, point, 'search');
    scoreAgrees(hit, model.score(name, point, vector), 'its own score');
    scoreAgrees(hit, expected[rank]?.score, `the score of rank ${rank}`);
  }
  strictEqual(new Set(hits.map((hit) => idKey(hit.id))).size, hits.length, 'each hit once');
}

/** The order of an integer field, for the points that have one. */
export async function orderAgrees(model: CollectionModel, api: CollectionApi, key: string, direction: 'asc' | 'desc'): Promise<void> {
  const sign = direction === 'asc' ? 1 : -1;
  const expected = model
    .select()
    .flatMap(({ id, payload }) => (Number.isInteger(payload[key]) ? [{ id, value: Number(payload[key]) }] : []));
  const { points, next_page_offset } = await api.scroll({ order_by: { key, direction }, limit: ID_POOL.length });
  deepStrictEqual(
    points.map(({ payload }) => payload?.[key]),
    expected.map(({ value }) => value).toSorted((a, b) => sign * (a - b)),
    `${key} ${direction}`,
  );
  deepStrictEqual(new Set(points.map((point) => idKey(point.id))), new Set(expected.map((point) => idKey(point.id))), 'ordered points');
  strictEqual(next_page_offset ?? null, null, 'an ordered scroll has no next page');
}

/** How many points have each word, most frequent first, ties in the order of the words. */
export async function facetAgrees(model: CollectionModel, api: CollectionApi, key: string, filter: Filter): Promise<void> {
  const counts = new Map<string, number>();
  for (const { payload } of model.select(filter)) {
    for (const value of [payload[key]].flat()) if (typeof value === 'string') counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const expected = [...counts].map(([value, count]) => ({ value, count }));
  expected.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  deepStrictEqual(await api.facet({ key, filter, exact: true, limit: 100 }), expected, `facet of ${key}`);
}

function pointsAgree(actual: readonly PointRecord[], expected: readonly ModelPoint[], read: string): void {
  deepStrictEqual(
    actual.map(({ id }) => idKey(id)),
    expected.map(({ id }) => idKey(id)),
    `ids of ${read}`,
  );
  for (const [index, point] of expected.entries()) pointAgrees(actual[index], point, read);
}

function pointAgrees(actual: PointRecord | undefined, expected: ModelPoint, read: string): void {
  const label = `${read} of point ${idKey(expected.id)}`;
  deepStrictEqual(actual?.id, expected.id, label);
  deepStrictEqual(actual?.payload ?? {}, expected.payload, label);
  const vectors = vectorsOf(actual);
  deepStrictEqual([...vectors.keys()].toSorted(), [...expected.vectors.keys()].toSorted(), label);
  for (const [name, values] of expected.vectors) {
    const stored = vectors.get(name) ?? [];
    ok(
      values.length === stored.length && values.every((value, index) => isClose(value, stored[index])),
      `${label}: vector ${name} is [${stored.join()}], not [${values.join()}]`,
    );
  }
}

function vectorsOf(point: PointRecord | undefined): ReadonlyMap<string, readonly number[]> {
  const vector = point?.vector ?? {};
  return Array.isArray(vector) ? new Map([['', vector]]) : new Map(Object.entries(vector));
}

function scoreAgrees(hit: ScoredPoint, expected: number | undefined, label: string): void {
  ok(isClose(expected, hit.score), `hit ${idKey(hit.id)} has score ${hit.score}; ${label} is ${expected}`);
}

function isClose(a: number | undefined, b: number | undefined): boolean {
  return a !== undefined && b !== undefined && Math.abs(a - b) <= TOLERANCE * Math.max(1, Math.abs(a));
}

function byPool(a: { readonly id: unknown }, b: { readonly id: unknown }): number {
  const position = (id: unknown) => ID_POOL.findIndex((pooled) => String(pooled) === String(id));
  return position(a.id) - position(b.id);
}
