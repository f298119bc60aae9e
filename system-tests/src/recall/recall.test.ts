// SPDX-License-Identifier: Apache-2.0
import { type Random, seededRandom } from '@sextant/foundation-std';
import { chooseSeed, roundsOf } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { lowRankMixture, rowOf, type VectorSet } from '../data/low-rank-mixture.ts';
import { GRAPH_ALWAYS } from '../graph-config.ts';
import { inLanes } from '../lanes.ts';
import { sharedVectorServer } from '../shared-server.ts';
import { untilIndexed } from '../until.ts';
import { type CollectionApi, vectorApi } from '../vector-api.ts';
import { TWO_THREADS } from '../vector-server.ts';

const POINTS = roundsOf({ quick: 1500, long: 20_000 });
const DIMENSION = 48;
const QUERIES = roundsOf({ quick: 30, long: 200 });
const BATCH = 250;
const LIMIT = 10;

test(`recall@10 stays at least 0.95 after half of ${POINTS} points was deleted and reinserted`, async () => {
  const seed = chooseSeed();
  const random = seededRandom(seed);
  const draw = lowRankMixture({ dimension: DIMENSION, random });
  const queries = draw(QUERIES);
  const server = await sharedVectorServer(TWO_THREADS);
  const api = vectorApi(server.client).collection('churn');
  await api.create({ vectors: { size: DIMENSION, distance: 'Euclid' }, ...GRAPH_ALWAYS });

  const ids = Array.from({ length: POINTS }, (_, id) => id);
  await upsertInBatches(api, ids, draw(POINTS));
  await untilIndexed(api);
  expect(await recall(api, queries), `before, with seed ${seed}`).toBeGreaterThanOrEqual(0.95);

  const half = shuffled(ids, random).slice(0, POINTS / 2);
  await inLanes(
    half.length / BATCH,
    1,
    async (batch) => void (await api.deletePoints({ points: half.slice(batch * BATCH, (batch + 1) * BATCH) })),
  );
  expect(await api.count()).toBe(POINTS / 2);
  // New vectors under the old ids: a graph that still led to the old ones would find the wrong points.
  await upsertInBatches(api, half, draw(half.length));
  await untilIndexed(api);
  expect(await api.count()).toBe(POINTS);
  expect(await recall(api, queries), `after, with seed ${seed}`).toBeGreaterThanOrEqual(0.95);
});

async function upsertInBatches(api: CollectionApi, ids: readonly number[], vectors: VectorSet): Promise<void> {
  await inLanes(Math.ceil(ids.length / BATCH), 2, async (batch) => {
    const start = batch * BATCH;
    await api.upsert(ids.slice(start, start + BATCH).map((id, index) => ({ id, vector: rowOf(vectors, start + index) })));
  });
}

async function recall(api: CollectionApi, queries: VectorSet): Promise<number> {
  let found = 0;
  await inLanes(queries.count, 4, async (index) => {
    const vector = rowOf(queries, index);
    const exact = await api.search({ vector, limit: LIMIT, params: { exact: true } });
    const hits = new Set((await api.search({ vector, limit: LIMIT, params: { hnsw_ef: 128 } })).map(({ id }) => id));
    found += exact.filter(({ id }) => hits.has(id)).length;
  });
  return found / (queries.count * LIMIT);
}

function shuffled(items: readonly number[], random: Random): number[] {
  const copy = [...items];
  for (let last = copy.length - 1; last > 0; last--) {
    const other = random.integer(last + 1);
    [copy[last], copy[other]] = [copy[other] ?? 0, copy[last] ?? 0];
  }
  return copy;
}
