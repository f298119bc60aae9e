/** What must hold of any collection after a crash, whatever was written to it. */
import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import type { Filter, PointRecord } from '@sextant/contracts-vector';
import { type CollectionApi, scrollAll } from '../vector-api.ts';
import type { PointLedger } from './ledger.ts';
import { GROUPS } from './point-client.ts';

const SEARCHES_PER_REQUEST = 100;

export async function inspect(api: CollectionApi, ledger: PointLedger): Promise<void> {
  const points = await scrollAll(api);
  ledger.reconcile(points);
  strictEqual(await api.count(), points.length, 'count and scroll');
  strictEqual((await api.info()).points_count, points.length, 'points_count and scroll');
  await everyVectorFindsItself(api, points);
  for (let group = 0; group < GROUPS; group++) {
    const expected = points.filter(({ payload }) => payload?.group === group);
    await filterFinds(api, { must: [{ key: 'group', match: { value: group } }] }, expected);
  }
  await filterFinds(
    api,
    { must: [{ key: 'owner', range: { gte: 1 } }] },
    points.filter(({ payload }) => Number(payload?.owner ?? -1) >= 1),
  );
  await filterFinds(
    api,
    { must_not: [{ is_empty: { key: 'note' } }] },
    points.filter(({ payload }) => payload?.note !== undefined),
  );
}

async function everyVectorFindsItself(api: CollectionApi, points: readonly PointRecord[]): Promise<void> {
  for (let start = 0; start < points.length; start += SEARCHES_PER_REQUEST) {
    const some = points.slice(start, start + SEARCHES_PER_REQUEST);
    const answers = await api.searchBatch(some.map(({ vector }) => ({ vector: unnamed(vector), limit: 1, params: { hnsw_ef: 128 } })));
    for (const [index, { id }] of some.entries()) {
      const [hit] = answers[index] ?? [];
      ok(hit?.id === id && hit.score < 1e-3, `the vector of point ${id} finds ${hit?.id} at ${hit?.score}`);
    }
  }
}

async function filterFinds(api: CollectionApi, filter: Filter, expected: readonly PointRecord[]): Promise<void> {
  const found = await scrollAll(api, filter);
  deepStrictEqual(
    found.map(({ id }) => id),
    expected.map(({ id }) => id),
    `points by ${JSON.stringify(filter)}`,
  );
  strictEqual(await api.count({ filter }), expected.length, `count by ${JSON.stringify(filter)}`);
}

function unnamed(vector: PointRecord['vector']): readonly number[] {
  if (!Array.isArray(vector)) throw new TypeError('the collections of this test have one unnamed vector');
  return vector;
}
