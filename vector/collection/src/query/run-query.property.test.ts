import type { Distance, Expression, Filter, Prefetch, Query, QueryVector } from '@sextant/contracts-vector';
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openEmbeddedEngine } from '../embedded-engine.ts';
import type { Engine } from '../engine.ts';
import { NaiveCollection, type NaiveVectorPoint } from './naive-query.ts';

const DISTANCES: readonly Distance[] = ['Cosine', 'Dot', 'Euclid', 'Manhattan'];
const COUNT = 40;
const DIMENSION = 4;
const RUNS = 150;

let scratch: Awaited<ReturnType<typeof temporaryDirectory>>;
let engine: Engine;
const naive = new Map<Distance, NaiveCollection>();

beforeAll(async () => {
  scratch = await temporaryDirectory();
  engine = await openEmbeddedEngine({ dataDirectory: scratch.path, clock: systemClock, random: seededRandom(1) });
  const random = seededRandom(2);
  for (const distance of DISTANCES) {
    await engine.createCollection(distance, { vectors: { size: DIMENSION, distance } });
    const points = Array.from({ length: COUNT }, (_, id) => ({
      id,
      vector: Array.from({ length: DIMENSION }, () => Math.fround(random.next() * 2 - 1)),
      payload: { a: id % 7, b: random.next() },
    }));
    await engine.upsert(distance, points);
    const stored = await engine.retrieve(distance, { ids: points.map(({ id }) => id), with_vector: true });
    const known = stored.map(
      (point): NaiveVectorPoint => ({ id: point.id, payload: point.payload ?? {}, vectors: [''], vector: point.vector as number[] }),
    );
    naive.set(distance, new NaiveCollection(known, distance));
  }
});

afterAll(async () => {
  await engine.close();
  await scratch[Symbol.asyncDispose]();
});

const example: fc.Arbitrary<QueryVector> = fc.oneof(
  fc.nat(COUNT - 1).map((id) => ({ id })),
  fc.array(
    fc.integer({ min: -100, max: 100 }).map((x) => Math.fround(x / 100 + 0.001)),
    { minLength: DIMENSION, maxLength: DIMENSION },
  ),
);
const filter: fc.Arbitrary<Filter | null> = fc.oneof(
  fc.constant(null),
  fc.nat(7).map((below) => ({ must: { key: 'a', range: { lt: below } } })),
  fc.uniqueArray(fc.nat(COUNT), { maxLength: 20 }).map((ids) => ({ must_not: [{ has_id: ids }] })),
);
const pairs = fc.array(fc.record({ positive: example, negative: example }), { minLength: 1, maxLength: 3 });

const leafQuery: fc.Arbitrary<Query> = fc.oneof(
  example.map((to): Query => ({ kind: 'nearest', to })),
  fc.record({
    kind: fc.constant('recommend' as const),
    positive: fc.array(example, { minLength: 1, maxLength: 3 }),
    negative: fc.array(example, { maxLength: 2 }),
    strategy: fc.constantFrom('average_vector' as const, 'best_score' as const, 'sum_scores' as const),
  }),
  fc.record({ kind: fc.constant('discover' as const), target: example, context: pairs }),
  fc.record({ kind: fc.constant('context' as const), context: pairs }),
);

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

function node(depth: number): fc.Arbitrary<Prefetch> {
  const rest = {
    filter,
    limit: fc.integer({ min: 1, max: 30 }),
    score_threshold: fc.option(fc.constantFrom(-0.5, 0.25, 0.6, 1.5), { freq: 5 }),
  };
  const leaf = fc.record({ prefetch: fc.constant([]), query: leafQuery, ...rest });
  if (depth === 0) return leaf;
  const prefetch = fc.array(node(depth - 1), { minLength: 1, maxLength: 3 });
  const merging: fc.Arbitrary<Query> = fc.oneof(
    fc.record({ kind: fc.constant('rrf' as const), k: fc.integer({ min: 1, max: 60 }) }),
    fc.constant<Query>({ kind: 'dbsf' }),
    expression.map((formula): Query => ({ kind: 'formula', expression: formula, defaults: {} })),
    leafQuery,
  );
  return fc.oneof(leaf, fc.record({ prefetch, query: merging, ...rest }));
}

describe.each(DISTANCES)('by %s', (distance) => {
  test('any query answers what a naive reading of its definitions does', async () => {
    await fc.assert(
      fc.asyncProperty(node(2), async (query) => {
        const hits = await engine.query(distance, { ...query, offset: 0, with_payload: false, with_vector: false });
        const expected = naive.get(distance)?.query(query) ?? [];
        expect(hits.map(({ score }) => score)).toEqual(expected.map(({ score }) => expect.closeTo(score, 3)));
        expect(apart(hits)).toEqual(apart(expected));
      }),
      { numRuns: RUNS },
    );
  });
});

/** The ids whose scores are not shared with a neighbour: rounding may order the others either way. */
function apart(hits: readonly { readonly id: unknown; readonly score: number }[]): readonly unknown[] {
  const isNear = (a: { score: number } | undefined, b: { score: number }) => a !== undefined && Math.abs(a.score - b.score) < 1e-3;
  return hits.filter((hit, at) => !isNear(hits[at - 1], hit) && !isNear(hits[at + 1], hit) && at < hits.length - 1).map(({ id }) => id);
}
