// SPDX-License-Identifier: Apache-2.0
import type { PointId, Prefetch, Query, SparseVector } from '@sextant/contracts-vector';
import { type JsonValue, type Random, seededRandom, systemClock } from '@sextant/foundation-std';
import { roundsOf, temporaryDirectory } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openEmbeddedEngine } from '../embedded-engine.ts';
import type { Engine } from '../engine.ts';

const COUNT = 1000;
const DIMENSION = 3;
const RUNS = roundsOf({ quick: 12, long: 1000 });

let scratch: Awaited<ReturnType<typeof temporaryDirectory>>;
let engine: Engine;
/** What each point has at the keys that are grouped by. */
const payloads: { readonly [key: string]: JsonValue }[] = [];

beforeAll(async () => {
  scratch = await temporaryDirectory();
  engine = await openEmbeddedEngine({ dataDirectory: scratch.path, clock: systemClock, random: seededRandom(1) });
  const random = seededRandom(2);
  await engine.createCollection('points', {
    vectors: { near: { size: DIMENSION, distance: 'Dot' }, far: { size: DIMENSION, distance: 'Euclid' } },
    sparse_vectors: { words: {} },
  });
  for (let id = 0; id < COUNT; id++)
    payloads.push({ even: random.integer(100), skewed: skewed(random), several: several(random), rank: id });
  await engine.upsert(
    'points',
    payloads.map((payload, id) => ({
      id,
      payload,
      vector: { near: dense(random), far: dense(random), ...(id % 4 === 0 ? {} : { words: sparse(random) }) },
    })),
  );
  await engine.createFieldIndex('points', 'even', { type: 'integer' });
  await engine.createFieldIndex('points', 'rank', { type: 'integer' });
});

afterAll(async () => {
  await engine.close();
  await scratch[Symbol.asyncDispose]();
});

function dense(random: Random): readonly number[] {
  return Array.from({ length: DIMENSION }, () => Math.fround(random.next() * 2 - 1));
}

function sparse(random: Random): SparseVector {
  const indices = [0, 1, 2, 3].filter(() => random.next() < 0.6);
  return { indices, values: indices.map(() => Math.fround(random.next() + 0.1)) };
}

/** One group holds half of the points, another a quarter, and so on. */
function skewed(random: Random): string {
  return `g${Math.floor(-Math.log2(1 - random.next()))}`;
}

/** Words, numbers and both together, and values that name no group. */
function several(random: Random): JsonValue {
  const one = (): JsonValue => [`w${random.integer(6)}`, random.integer(6), 0.5, true, null][random.integer(5)] ?? null;
  return random.next() < 0.3 ? one() : Array.from({ length: random.integer(4) }, one);
}

type Groups = readonly { readonly id: unknown; readonly hits: readonly PointId[] }[];

/** Every hit in its groups, by their order; nothing is left out before the end. */
function naiveGroups(ids: readonly PointId[], { key, size, limit }: { key: string; size: number; limit: number }): Groups {
  const groups = new Map<JsonValue, PointId[]>();
  for (const id of ids) {
    const value = payloads[Number(id)]?.[key] ?? null;
    const values = new Set((Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string' || Number.isInteger(each)));
    for (const each of values) {
      const hits = groups.get(each) ?? [];
      groups.set(each, hits);
      if (hits.length < size && !hits.includes(id)) hits.push(id);
    }
  }
  return Array.from(groups, ([id, hits]) => ({ id, hits })).slice(0, limit);
}

const grouping = fc.record({
  key: fc.constantFrom('even', 'skewed', 'several'),
  size: fc.constantFrom(1, 2, 5, 5, 5, 20, 60),
  limit: fc.constantFrom(1, 3, 3, 3, 7, 50),
});
const component = fc.integer({ min: -100, max: 100 }).map((x) => Math.fround(x / 100 + 0.001));
const vector = fc.array(component, { minLength: DIMENSION, maxLength: DIMENSION });
const words = fc.constantFrom<SparseVector>({ indices: [0, 1], values: [0.3, 0.7] }, { indices: [1, 2, 3], values: [0.5, 0.1, 0.9] });
const filter = fc.option(
  fc.nat(COUNT).map((below) => ({ must: { key: 'rank', range: { lt: below } } })),
  { freq: 2 },
);
const threshold = fc.option(fc.constantFrom(0.1, 0.6), { freq: 4 });
const leaf = (using: fc.Arbitrary<string>, query: fc.Arbitrary<Query | undefined>): fc.Arbitrary<Prefetch> =>
  fc
    .record({ prefetch: fc.constant([]), query, using, filter, score_threshold: threshold, limit: fc.constantFrom(1, 5, 40) })
    .map(({ query: asked, score_threshold: least, ...node }) => {
      const isScored = asked !== undefined && asked.kind !== 'order_by';
      return { ...node, ...(asked === undefined ? {} : { query: asked }), ...(isScored ? { score_threshold: least } : {}) };
    });
const id = fc.nat(COUNT - 1).map((number) => ({ id: number }));
const dense$ = leaf(
  fc.constantFrom('near', 'far'),
  fc.oneof(
    fc.constant(undefined),
    vector.map((to): Query => ({ kind: 'nearest', to })),
    id.map((to): Query => ({ kind: 'nearest', to })),
    fc.constant<Query>({ kind: 'order_by', orderBy: { key: 'rank', direction: 'desc' } }),
    fc
      .tuple(vector, id, fc.constantFrom('average_vector' as const, 'best_score' as const))
      .map(([a, b, strategy]): Query => ({ kind: 'recommend', positive: [a, b], negative: [], strategy })),
  ),
);
const sparse$ = leaf(
  fc.constant('words'),
  words.map((to): Query => ({ kind: 'nearest', to })),
);
const bare = { offset: 0, with_payload: false, with_vector: false };
const named = (filterOf: Prefetch['filter'], key: string) => ({
  must: [...(filterOf == null ? [] : [filterOf]), { must_not: [{ is_empty: { key } }] }],
});

describe.each([
  ['dense vectors', dense$],
  ['sparse vectors', sparse$],
])('groups of queries by %s', (_, queries) => {
  test('are those of the best hits, each with its best hits', async () => {
    await fc.assert(
      fc.asyncProperty(queries, grouping, async (query, { key, size, limit }) => {
        const all = await engine.query('points', { ...query, ...bare, filter: named(query.filter, key), limit: COUNT });
        const groups = await engine.queryGroups('points', { ...query, ...bare, group_by: key, group_size: size, limit });
        expect(groups.map(({ id: group, hits }) => ({ id: group, hits: hits.map((hit) => hit.id) }))).toEqual(
          naiveGroups(
            all.map((hit) => hit.id),
            { key, size, limit },
          ),
        );
        const scores = new Map(all.map((hit) => [hit.id, hit.score]));
        for (const hit of groups.flatMap(({ hits }) => hits)) expect(hit.score).toBe(scores.get(hit.id));
      }),
      { numRuns: RUNS },
    );
  });
});

test('groups of what prefetches bring are filled by prefetches of as many times their limits as it takes', async () => {
  const merging = fc.oneof(
    fc.constant<Query>({ kind: 'rrf', k: 2 }),
    fc.constant<Query>({ kind: 'dbsf' }),
    vector.map((to): Query => ({ kind: 'nearest', to })),
  );
  const queries = fc
    .tuple(fc.array(fc.oneof(dense$, sparse$), { minLength: 1, maxLength: 2 }), merging)
    .map(([prefetch, query]): Prefetch => ({ prefetch, query, ...(query.kind === 'nearest' ? { using: 'near' } : {}), limit: 10 }));
  let widenedOnes = 0;
  await fc.assert(
    fc.asyncProperty(queries, grouping, async (query, { key, size, limit }) => {
      const hitsOf = async (factor: number) => {
        const prefetch = query.prefetch.map((inner) => ({ ...inner, limit: inner.limit * factor }));
        const hits = await engine.query('points', { ...query, ...bare, prefetch, filter: named(null, key), limit: 2 * COUNT });
        return hits.map((hit) => hit.id);
      };
      let factor = size;
      let found = await hitsOf(factor);
      const isFull = () => {
        const groups = naiveGroups(found, { key, size, limit });
        return groups.length === limit && groups.every(({ hits }) => hits.length === size);
      };
      for (let before = -1; !isFull() && found.length > before; widenedOnes++) {
        before = found.length;
        factor *= 2;
        found = await hitsOf(factor);
      }
      const groups = await engine.queryGroups('points', { ...query, ...bare, group_by: key, group_size: size, limit });
      expect(groups.map(({ id: group, hits }) => ({ id: group, hits: hits.map((hit) => hit.id) }))).toEqual(
        naiveGroups(found, { key, size, limit }),
      );
    }),
    { numRuns: RUNS },
  );
  expect(widenedOnes).toBeGreaterThan(RUNS / 4);
});

test('few points of many far groups are found behind a group that holds nearly all', async () => {
  await engine.createCollection('crowd', { vectors: { size: 2, distance: 'Euclid' } });
  const points = Array.from({ length: 3000 }, (_, at) => ({
    id: at,
    vector: [at, 0],
    payload: { g: at < 2900 ? 'crowd' : `far ${at % 10}` },
  }));
  await engine.upsert('crowd', points);
  const groups = await engine.queryGroups('crowd', {
    prefetch: [],
    query: { kind: 'nearest', to: [0, 0] },
    ...bare,
    group_by: 'g',
    group_size: 10,
    limit: 11,
  });
  expect(groups.map(({ id: group, hits }) => [group, hits.length])).toEqual([
    ['crowd', 10],
    ...Array.from({ length: 10 }, (_, at) => [`far ${at}`, 10]),
  ]);
});

const CODES = [{ scalar: { type: 'int8' as const } }, { binary: {} }];

// What a group takes of a graph with codes is the same for all kinds.
test.each(CODES.slice(0, roundsOf({ quick: 1, long: CODES.length })))(
  'by a graph with codes of %j groups are as many and as full',
  async (config) => {
    const random = seededRandom(3);
    const size = 32;
    const vectors = () => Array.from({ length: size }, () => Math.fround(random.next() * 2 - 1));
    await engine.createCollection('codes', {
      vectors: { size, distance: 'Cosine' },
      quantization_config: config,
      hnsw_config: { m: 16, ef_construct: 40 },
      optimizers_config: { indexing_threshold: 100 },
    });
    const kinds = Array.from({ length: 1100 }, () => random.integer(80));
    await engine.upsert(
      'codes',
      kinds.map((g, at) => ({ id: at, vector: vectors(), payload: { g } })),
    );
    await engine.optimize('codes');
    for (let round = 0; round < 8; round++) {
      const request = { prefetch: [], query: { kind: 'nearest' as const, to: vectors() }, ...bare, group_by: 'g', group_size: 6, limit: 4 };
      const groups = await engine.queryGroups('codes', request);
      expect(groups.length).toBe(4);
      for (const { id: group, hits } of groups) {
        expect(hits.map((hit) => kinds[Number(hit.id)])).toEqual(Array.from({ length: 6 }, () => group));
        expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
      }
      const best = groups.map(({ hits }) => hits[0]?.score ?? 0);
      expect(best).toEqual(best.toSorted((a, b) => b - a));
    }
    await engine.deleteCollection('codes');
  },
);
