// SPDX-License-Identifier: Apache-2.0
/** What must hold of any collection after a crash, whatever was written to it. */
import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Filter, PointRecord } from '@sextant/contracts-vector';
import { until } from '../until.ts';
import { type CollectionApi, scrollAll, type VectorApi } from '../vector-api.ts';
import type { PointLedger } from './ledger.ts';
import { GROUPS } from './point-client.ts';
import { type PointShape, vectorOf } from './point-shape.ts';
import { inspectSparse } from './sparse-inspection.ts';

const SEARCHES_PER_REQUEST = 100;
const PARAMS = { hnsw_ef: 128 };
const QUERIES = 10;
const NEIGHBOURS = 10;
/** With so large an ef a graph of a few hundred points finds nearly all; one whose links are lost finds few. */
const RECALL_MIN = 0.9;

export async function inspect(api: CollectionApi, ledger: PointLedger): Promise<void> {
  const points = await scrollAll(api);
  ledger.reconcile(points);
  strictEqual(await api.count(), points.length, 'count and scroll');
  strictEqual((await api.info()).points_count, points.length, 'points_count and scroll');
  await everyVectorFindsItself(api, ledger);
  if (points.length > 0) await graphFindsNeighbours(api, ledger.shape);
  if (ledger.shape.config.sparse_vectors != null) await inspectSparse(api, ledger);
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

/** Once deletions have ended, there is a directory for each collection and nothing else, and no snapshot is under way. */
export async function inspectFiles(vectors: VectorApi, directory: string): Promise<void> {
  const { collections } = await vectors.collections();
  const directories = () => readdir(join(directory, 'collections')).catch(() => []);
  await until('each directory belongs to a collection', 10_000, async () =>
    (await directories()).length === collections.length ? true : undefined,
  );
  deepStrictEqual(await readdir(join(directory, 'snapshots', '.drafts')).catch(() => []), [], 'drafts of snapshots that a crash left');
}

/** Every vector of the points, or of one in so many points. */
export async function everyVectorFindsItself(api: CollectionApi, { shape, points }: PointLedger, { every = 1 } = {}): Promise<void> {
  const chosen = points.filter((_, index) => index % every === 0);
  const probes = chosen.flatMap(([id, { vectorVersion }]) => shape.probes(id, vectorVersion).map((probe) => ({ id, probe })));
  for (let start = 0; start < probes.length; start += SEARCHES_PER_REQUEST) {
    const some = probes.slice(start, start + SEARCHES_PER_REQUEST);
    const answers = await api.queryBatch(some.map(({ probe }) => ({ ...probe, limit: 1, params: PARAMS })));
    for (const [index, { id, probe }] of some.entries()) {
      const [hit] = answers[index] ?? [];
      ok(hit?.id === id, `the vector ${probe.using ?? ''} of point ${id} finds ${hit?.id} at ${hit?.score}`);
    }
  }
}

async function graphFindsNeighbours(api: CollectionApi, { probes }: PointShape): Promise<void> {
  const using = probes(0, 0)[0]?.using;
  const queries = Array.from({ length: QUERIES }, (_, index) => ({
    query: vectorOf(index, 1e6),
    limit: NEIGHBOURS,
    ...(using && { using }),
  }));
  const exact = await api.queryBatch(queries.map((query) => ({ ...query, params: { exact: true } })));
  const walked = await api.queryBatch(queries.map((query) => ({ ...query, params: PARAMS })));
  const found = exact.map((hits, index) => hits.filter(({ id }) => walked[index]?.some((hit) => hit.id === id)).length);
  const wanted = exact.reduce((sum, hits) => sum + hits.length, 0);
  const recall = found.reduce((sum, count) => sum + count, 0) / wanted;
  ok(recall >= RECALL_MIN, `recall@${NEIGHBOURS} is ${recall}`);
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
