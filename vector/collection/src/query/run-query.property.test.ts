// SPDX-License-Identifier: Apache-2.0
import type { Distance, Expression, Filter, Prefetch, Query, QueryVector, SparseVector } from '@sextant/contracts-vector';
import { type Random, seededRandom, systemClock } from '@sextant/foundation-std';
import { roundsOf, temporaryDirectory } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openEmbeddedEngine } from '../embedded-engine.ts';
import type { Engine } from '../engine.ts';
import { NaiveCollection, type NaiveVectorPoint } from './naive-query.ts';
import { denseSpace, multiSpace, type NaiveVector, sparseSpace } from './naive-space.ts';

const DISTANCES: readonly Distance[] = ['Cosine', 'Dot', 'Euclid', 'Manhattan'];
/** Of the datatype `uint8`, by Cosine: the others measure bytes as they do floats. */
const BYTES = 'bytes';
const COUNT = 40;
const DIMENSION = 4;
const RUNS = roundsOf({ quick: 10, long: 1500 });

let scratch: Awaited<ReturnType<typeof temporaryDirectory>>;
let engine: Engine;
const naive = new Map<string, NaiveCollection>();

/** Sparse vectors with few indices, so that many share one; a fifth of the points has none. */
const SPARSE = ['words', 'terms'] as const;
const INDICES = 6;

beforeAll(async () => {
  scratch = await temporaryDirectory();
  engine = await openEmbeddedEngine({ dataDirectory: scratch.path, clock: systemClock, random: seededRandom(1) });
  const random = seededRandom(2);
  for (const distance of DISTANCES) await openDense(random, { collection: distance, distance });
  await openSparse(random);
  for (const distance of DISTANCES) await openMulti(random, { collection: `multi ${distance}`, distance });
  await openDense(random, { collection: BYTES, distance: 'Cosine', isBytes: true });
  await openMulti(random, { collection: `multi ${BYTES}`, distance: 'Cosine', isBytes: true });
});

type Form = { readonly collection: string; readonly distance: Distance; readonly isBytes?: boolean };

function randomVector(random: Random, isBytes: boolean): readonly number[] {
  return Array.from({ length: DIMENSION }, () => (isBytes ? random.integer(256) : Math.fround(random.next() * 2 - 1)));
}

async function openDense(random: Random, { collection, distance, isBytes = false }: Form): Promise<void> {
  await engine.createCollection(collection, { vectors: { size: DIMENSION, distance, ...(isBytes && { datatype: 'uint8' }) } });
  const points = Array.from({ length: COUNT }, (_, id) => ({
    id,
    vector: randomVector(random, isBytes),
    payload: { a: id % 7, b: random.next() },
  }));
  await engine.upsert(collection, points);
  const stored = await engine.retrieve(collection, { ids: points.map(({ id }) => id), with_vector: true });
  const known = stored.map(
    (point): NaiveVectorPoint => ({ id: point.id, payload: point.payload ?? {}, vectors: [''], vector: point.vector as number[] }),
  );
  naive.set(collection, new NaiveCollection(known, denseSpace(distance, isBytes)));
}

/** One collection with two sparse vectors, which are the same; queries by one of them are weighted. */
async function openSparse(random: Random): Promise<void> {
  await engine.createCollection('sparse', { vectors: {}, sparse_vectors: { words: {}, terms: { modifier: 'idf' } } });
  const known: NaiveVectorPoint[] = [];
  for (let id = 0; id < COUNT; id++) {
    const components = Array.from({ length: INDICES }, (_, index) => [index, Math.fround(random.next() * 2 - 1)] as const);
    const vector: ReadonlyMap<number, number> = new Map(components.filter(([index]) => random.next() < 1 / (index + 1)));
    const payload = { a: id % 7, b: random.next() };
    const isBare = id % 5 === 4;
    known.push(isBare ? { id, payload, vectors: [] } : { id, payload, vectors: [...SPARSE], vector });
    const sent = { indices: [...vector.keys()].reverse(), values: [...vector.values()].reverse() };
    await engine.upsert('sparse', [{ id, payload, vector: isBare ? {} : { words: sent, terms: sent } }]);
  }
  const corpus = known.flatMap(({ vector }): NaiveVector[] => (vector === undefined ? [] : [vector]));
  naive.set('words', new NaiveCollection(known, sparseSpace()));
  naive.set('terms', new NaiveCollection(known, sparseSpace(corpus)));
}

const LENGTH_MAX = 6;

/** One to six vectors for each point; a fifth of the points has none. */
async function openMulti(random: Random, { collection, distance, isBytes = false }: Form): Promise<void> {
  const several = { multivector_config: { comparator: 'max_sim' } } as const;
  const params = { size: DIMENSION, distance, ...several, ...(isBytes && { datatype: 'uint8' as const }) };
  await engine.createCollection(collection, { vectors: { tokens: params } });
  const points = Array.from({ length: COUNT }, (_, id) => {
    const tokens = Array.from({ length: 1 + random.integer(LENGTH_MAX) }, () => randomVector(random, isBytes));
    return { id, vector: id % 5 === 4 ? {} : { tokens }, payload: { a: id % 7, b: random.next() } };
  });
  await engine.upsert(collection, points);
  const stored = await engine.retrieve(collection, { ids: points.map(({ id }) => id), with_vector: true });
  const known = stored.map(({ id, payload, vector }): NaiveVectorPoint => {
    const { tokens } = vector as { tokens?: NaiveVector };
    return { id, payload: payload ?? {}, vectors: tokens === undefined ? [] : ['tokens'], ...(tokens && { vector: tokens }) };
  });
  naive.set(collection, new NaiveCollection(known, multiSpace(distance, isBytes)));
}

afterAll(async () => {
  await engine.close();
  await scratch[Symbol.asyncDispose]();
});

const byte = fc.integer({ min: 0, max: 255 });
const component = fc.integer({ min: -100, max: 100 }).map((x) => Math.fround(x / 100 + 0.001));
const denseExample = (of: fc.Arbitrary<number>): fc.Arbitrary<QueryVector> =>
  fc.oneof(
    fc.nat(COUNT - 1).map((id) => ({ id })),
    fc.array(of, { minLength: DIMENSION, maxLength: DIMENSION }),
  );
const sparseVector: fc.Arbitrary<SparseVector> = fc
  .uniqueArray(fc.tuple(fc.nat(INDICES), component), { selector: ([index]) => index, maxLength: INDICES })
  .map((components) => ({ indices: components.map(([index]) => index), values: components.map(([, value]) => value) }));
const sparseExample: fc.Arbitrary<QueryVector> = fc.oneof(
  // Those that have a vector.
  fc.nat(COUNT - 1).map((id) => ({ id: id % 5 === 4 ? id - 1 : id })),
  sparseVector,
);
const multiExample = (of: fc.Arbitrary<number>): fc.Arbitrary<QueryVector> =>
  fc.oneof(
    fc.nat(COUNT - 1).map((id) => ({ id: id % 5 === 4 ? id - 1 : id })),
    fc.array(of, { minLength: DIMENSION, maxLength: DIMENSION }),
    fc.array(fc.array(of, { minLength: DIMENSION, maxLength: DIMENSION }), { minLength: 1, maxLength: 7 }),
  );
const filter: fc.Arbitrary<Filter | null> = fc.oneof(
  fc.constant(null),
  fc.nat(7).map((below) => ({ must: { key: 'a', range: { lt: below } } })),
  fc.uniqueArray(fc.nat(COUNT), { maxLength: 20 }).map((ids) => ({ must_not: [{ has_id: ids }] })),
);

const STRATEGIES = ['average_vector', 'best_score', 'sum_scores'] as const;

function leafQuery(
  example: fc.Arbitrary<QueryVector>,
  strategies: readonly (typeof STRATEGIES)[number][] = STRATEGIES,
): fc.Arbitrary<Query> {
  const pairs = fc.array(fc.record({ positive: example, negative: example }), { minLength: 1, maxLength: 3 });
  return fc.oneof(
    example.map((to): Query => ({ kind: 'nearest', to })),
    fc.record({
      kind: fc.constant('recommend' as const),
      positive: fc.array(example, { minLength: 1, maxLength: 3 }),
      negative: fc.array(example, { maxLength: 2 }),
      strategy: fc.constantFrom(...strategies),
    }),
    fc.record({ kind: fc.constant('discover' as const), target: example, context: pairs }),
    fc.record({ kind: fc.constant('context' as const), context: pairs }),
    fc.record({
      kind: fc.constant('relevance_feedback' as const),
      target: example,
      feedback: fc.array(fc.record({ example, score: fc.integer({ min: -4, max: 4 }).map((x) => x / 4) }), { maxLength: 4 }),
      naive: fc.record({ a: fc.constantFrom(0, 0.5, 1), b: fc.constantFrom(0, 1, 2.5), c: fc.constantFrom(0.1, 1) }),
    }),
  );
}

const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Expression>('$score', '$score[1]', 'a', 'b', 0.5, 2, { key: 'a', match: { value: 3 } }),
    fc.array(tie('expression'), { maxLength: 3 }).map((sum): Expression => ({ sum })),
    fc.array(tie('expression'), { maxLength: 3 }).map((mult): Expression => ({ mult })),
    tie('expression').map((neg): Expression => ({ neg })),
    tie('expression').map((abs): Expression => ({ abs })),
  ),
}));

/** @param using absent for the unnamed vector */
function node(depth: number, query: fc.Arbitrary<Query>, using?: string): fc.Arbitrary<Prefetch> {
  const named: { readonly using?: fc.Arbitrary<string> } = using === undefined ? {} : { using: fc.constant(using) };
  const rest = {
    filter,
    limit: fc.integer({ min: 1, max: 30 }),
    score_threshold: fc.option(fc.constantFrom(-0.5, 0.25, 0.6, 1.5), { freq: 5 }),
  };
  const leaf = fc.record({ prefetch: fc.constant([]), query, ...named, ...rest });
  if (depth === 0) return leaf;
  const prefetch = fc.array(node(depth - 1, query, using), { minLength: 1, maxLength: 3 });
  const merging: fc.Arbitrary<Query> = fc.oneof(
    fc.record({ kind: fc.constant('rrf' as const), k: fc.integer({ min: 1, max: 60 }) }),
    fc.constant<Query>({ kind: 'dbsf' }),
    expression.map((formula): Query => ({ kind: 'formula', expression: formula, defaults: {} })),
  );
  return fc.oneof(leaf, fc.record({ prefetch, query: merging, ...rest }), fc.record({ prefetch, query, ...named, ...rest }));
}

describe.each(DISTANCES)('by %s', (distance) => {
  test('any query answers what a naive reading of its definitions does', async () => {
    await fc.assert(
      fc.asyncProperty(node(2, leafQuery(denseExample(component))), async (query) => expectNaive(distance, distance, query)),
      { numRuns: RUNS },
    );
  });
});

describe.each(SPARSE)('by sparse %s', (name) => {
  test('any query answers what a naive reading of its definitions does', async () => {
    await fc.assert(
      fc.asyncProperty(node(2, leafQuery(sparseExample), name), async (query) => expectNaive('sparse', name, query)),
      { numRuns: RUNS },
    );
  });
});

describe.each(DISTANCES)('by several vectors and %s', (distance) => {
  test('any query answers what a naive reading of its definitions does', async () => {
    const collection = `multi ${distance}`;
    await fc.assert(
      fc.asyncProperty(node(2, leafQuery(multiExample(component)), 'tokens'), async (query) => expectNaive(collection, collection, query)),
      { numRuns: RUNS },
    );
  });
});

describe('by bytes and Cosine', () => {
  // The average of bytes is none, but for luck.
  const compared = ['best_score', 'sum_scores'] as const;
  test.each([
    [BYTES, node(2, leafQuery(denseExample(byte), compared))],
    [`multi ${BYTES}`, node(2, leafQuery(multiExample(byte), compared), 'tokens')],
  ])('any query but an average of %s answers what a naive reading of its definitions does', async (collection, queries) => {
    await fc.assert(
      fc.asyncProperty(queries, async (query) => expectNaive(collection, collection, query)),
      { numRuns: RUNS },
    );
  });
});

async function expectNaive(collection: string, space: string, query: Prefetch): Promise<void> {
  const hits = await engine.query(collection, { ...query, offset: 0, with_payload: false, with_vector: false });
  const expected = naive.get(space)?.query(query) ?? [];
  expect(hits.map(({ score }) => score)).toEqual(expected.map(({ score }) => expect.closeTo(score, 3)));
  expect(apart(hits)).toEqual(apart(expected));
  const later = await engine.query(collection, { ...query, offset: OFFSET, with_payload: false, with_vector: false });
  const further = naive.get(space)?.query(widened(query)).slice(OFFSET) ?? [];
  expect(later.map(({ score }) => score)).toEqual(further.map(({ score }) => expect.closeTo(score, 3)));
}

const OFFSET = 3;

/** With limits that reach past the offset, at each node. */
function widened(node: Prefetch): Prefetch {
  return { ...node, limit: node.limit + OFFSET, prefetch: node.prefetch.map(widened) };
}

/** The ids whose scores are not shared with a neighbour: rounding may order the others either way. */
function apart(hits: readonly { readonly id: unknown; readonly score: number }[]): readonly unknown[] {
  const isNear = (a: { score: number } | undefined, b: { score: number }) => a !== undefined && Math.abs(a.score - b.score) < 1e-3;
  return hits.filter((hit, at) => !isNear(hits[at - 1], hit) && !isNear(hits[at + 1], hit) && at < hits.length - 1).map(({ id }) => id);
}
