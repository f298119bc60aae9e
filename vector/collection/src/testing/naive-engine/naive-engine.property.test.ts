// SPDX-License-Identifier: Apache-2.0
import {
  type CreateCollection,
  type Distance,
  type FieldType,
  type Filter,
  type Payload,
  type PointId,
  type PointInput,
  type PointSelector,
  ServiceError,
  type VectorInput,
} from '@sextant/contracts-vector';
import { seededRandom, stringifyJson, systemClock } from '@sextant/foundation-std';
import { roundsOf, temporaryDirectory } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmbeddedEngine } from '../../embedded-engine.ts';
import type { Engine } from '../../engine.ts';
import { payload as anyPayload, filter } from '../../filter/filter-arbitraries.ts';
import type { CoreEngine } from './core-engine.ts';
import { openNaiveEngine } from './naive-engine.ts';

/** More than there are points. */
const ALL = 50;
const RUNS = roundsOf({ quick: 20, long: 1000 });
const COLLECTION = 'c';
const FIELDS = [
  ['a', 'integer'],
  ['b', 'keyword'],
  ['c', 'bool'],
] satisfies [string, FieldType][];

/** One request, and what of its answer is no matter of chance: among equals any order will do. */
type Command = { readonly text: string; readonly ask: (engine: CoreEngine) => Promise<unknown> };

let scratch: Awaited<ReturnType<typeof temporaryDirectory>>;
let embedded: Engine;

beforeAll(async () => {
  scratch = await temporaryDirectory();
  embedded = await openEmbeddedEngine({ dataDirectory: scratch.path, clock: systemClock, random: seededRandom(1) });
});

afterAll(async () => {
  await embedded.close();
  await scratch[Symbol.asyncDispose]();
});

// Whole numbers of which every distance but Cosine is exact in float32.
const component = fc.integer({ min: -3, max: 3 });
const dense = (size: number) => fc.array(component, { minLength: size, maxLength: size });
const rarely = <Value>(usual: fc.Arbitrary<Value>, rare: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 15, arbitrary: usual }, { weight: 1, arbitrary: rare });
const wrongVector = fc.constantFrom<VectorInput>([1], [], { none: [1, 2] }, { indices: [1], values: [1] } as never, [[1, 2]]);
// Few values under few keys, so that indexes have points to tell apart.
const number = fc.constantFrom<number | bigint>(0, 1, 2, 0.5, 2n ** 60n);
const text = fc.constantFrom('red', 'blue', 'Red car');
const indexedPayload = fc.record(
  { a: fc.oneof(number, fc.array(number, { maxLength: 3 })), b: fc.oneof(text, fc.array(text, { maxLength: 3 })), c: fc.boolean() },
  { requiredKeys: [] },
);
const payload: fc.Arbitrary<Payload> = fc.oneof({ weight: 2, arbitrary: indexedPayload }, { weight: 1, arbitrary: anyPayload });

const id = fc.oneof(
  { weight: 6, arbitrary: fc.nat(9).map((each): PointId => each) },
  fc.constantFrom<PointId>(2n ** 64n - 1n, '6f1f3f2e-1c1a-4a57-9d3b-0a6b1c2d3e4f'),
);
const ids = fc.array(id, { minLength: 1, maxLength: 3 });
const wrongFilter = fc.constantFrom<Filter>(
  { must: { key: 'a' } },
  { must: { key: 'a..b', match: { value: 1 } } },
  { must: [{ key: 'a', range: { gte: 'no date' } }] },
  { must: { nested: { key: 'a', filter: { must: { has_id: [1] } } } } },
  { min_should: { conditions: [], min_count: 0 } },
  { every: [] } as never,
);
const anyFilter = rarely(filter, wrongFilter);
const maybeFilter = fc.option(anyFilter, { nil: undefined }).map((given) => (given === undefined ? {} : { filter: given }));
const selector = fc.oneof(
  ids.map((points): PointSelector => ({ points })),
  anyFilter.map((each): PointSelector => ({ filter: each })),
);
const path = rarely(fc.constantFrom('a', 'a', 'b', 'b', 'c', 'a.b', 'a[].b'), fc.constantFrom('', 'a..b', 'b[0]', 'a['));
const shapeOf = (names: string[]) =>
  fc.record(
    {
      with_payload: fc.oneof(
        fc.boolean(),
        fc.array(path, { maxLength: 2 }),
        path.map((each) => ({ exclude: [each] })),
      ),
      with_vector: rarely(fc.oneof(fc.boolean(), fc.subarray(names)), fc.constant<string[]>(['none'])),
    },
    { requiredKeys: [] },
  );

function command<Input>(name: string, input: fc.Arbitrary<Input>, ask: (engine: CoreEngine, input: Input) => Promise<unknown>) {
  return input.map((given): Command => ({ text: `${name} ${stringifyJson(given)}`, ask: (engine) => ask(engine, given) }));
}

function writes(vector: fc.Arbitrary<VectorInput>, names: string[]): fc.Arbitrary<Command> {
  const points = fc.array(fc.record({ id, vector, payload }, { requiredKeys: ['id', 'vector'] }), { maxLength: 4 });
  const condition = fc.tuple(fc.constantFrom('upsert' as const, 'insert_only' as const, 'update_only' as const), maybeFilter);
  const change = fc.record({ selector, payload, key: path }, { requiredKeys: ['selector', 'payload'] });
  const schema = fc.constantFrom(
    { type: 'keyword' as const },
    { type: 'integer' as const },
    { type: 'bool' as const },
    { type: 'integer' as const, range: false },
    { type: 'bool' as const, range: true },
  );
  return fc.oneof(
    {
      weight: 6,
      arbitrary: command('upsert', fc.tuple(points, condition), (engine, [written, [mode, only]]) =>
        engine.upsert(COLLECTION, written, { mode, ...only }),
      ),
    },
    command('deletePoints', selector, (engine, which) => engine.deletePoints(COLLECTION, which)),
    command(
      'updateVectors',
      fc.tuple(fc.array(fc.record({ id, vector }), { maxLength: 2 }), maybeFilter),
      (engine, [given, { filter: only }]) => engine.updateVectors(COLLECTION, given, only),
    ),
    command('deleteVectors', fc.tuple(selector, rarely(fc.constantFrom(...names), fc.constant('none'))), (engine, [which, name]) =>
      engine.deleteVectors(COLLECTION, which, [name]),
    ),
    command('setPayload', change, (engine, request) => engine.setPayload(COLLECTION, request)),
    command('overwritePayload', change, (engine, request) => engine.overwritePayload(COLLECTION, request)),
    command('deletePayload', fc.tuple(selector, fc.array(path, { maxLength: 2 })), (engine, [which, keys]) =>
      engine.deletePayload(COLLECTION, which, keys),
    ),
    command('clearPayload', selector, (engine, which) => engine.clearPayload(COLLECTION, which)),
    command('createFieldIndex', fc.tuple(path, schema), (engine, [field, each]) => engine.createFieldIndex(COLLECTION, field, each)),
    command('deleteFieldIndex', path, (engine, field) => engine.deleteFieldIndex(COLLECTION, field)),
  );
}

function reads(sizes: { readonly [name: string]: number }): fc.Arbitrary<Command> {
  const shape = shapeOf(Object.keys(sizes));
  const named = Object.entries(sizes).map(([using, size]) =>
    fc.record({
      using: rarely(fc.constant(using), fc.constant('none')),
      vector: fc.oneof(
        { weight: 3, arbitrary: rarely(dense(size), fc.constant<number[]>([1])) },
        id.map((each) => ({ id: each })),
      ),
    }),
  );
  // None is a score that rounding could bring to either side of it.
  const threshold = fc.constantFrom(-0.45, 0.45, 1.45, 3.3);
  const search = fc
    .tuple(fc.oneof(...named), fc.record({ score_threshold: threshold, filter: anyFilter }, { requiredKeys: [] }))
    .map(([query, only]) => ({ ...query, ...only }));
  const order = fc.record({ key: path, direction: fc.constantFrom('asc' as const, 'desc' as const) }, { requiredKeys: ['key'] });
  return fc.oneof(
    {
      weight: 3,
      arbitrary: command('nearest', fc.tuple(search, shape), async (engine, [given, wanted]) => {
        const hits = await engine.nearest(COLLECTION, { ...given, ...wanted, limit: ALL });
        return grouped(
          hits.map((hit) => ({ ...hit, score: hit.score.toFixed(4) })),
          ({ score }) => score,
        );
      }),
    },
    command('nearest, cut', fc.tuple(search, fc.integer({ min: 1, max: 4 }), fc.nat(3)), async (engine, [given, limit, offset]) => {
      const hits = await engine.nearest(COLLECTION, { ...given, limit, offset });
      return hits.map(({ score }) => score.toFixed(4));
    }),
    command(
      'scroll',
      fc.tuple(shape, maybeFilter, fc.record({ limit: fc.integer({ min: 1, max: 5 }), offset: id }, { requiredKeys: [] })),
      (engine, [wanted, only, page]) => engine.scroll(COLLECTION, { ...wanted, ...only, ...page }),
    ),
    command('scroll, ordered', fc.tuple(order, maybeFilter, shape), async (engine, [order_by, only, wanted]) => {
      const { points, next_page_offset } = await engine.scroll(COLLECTION, { order_by, ...only, ...wanted, limit: ALL });
      return { next_page_offset, points: grouped(points, ({ order_value }) => String(order_value)) };
    }),
    command('retrieve', fc.tuple(ids, shape), (engine, [wanted, parts]) => engine.retrieve(COLLECTION, { ids: wanted, ...parts })),
    command('count', maybeFilter, (engine, only) => engine.count(COLLECTION, only)),
    command('facet', fc.tuple(path, maybeFilter, fc.integer({ min: 1, max: 5 })), (engine, [key, only, limit]) =>
      engine.facet(COLLECTION, { key, ...only, limit }),
    ),
    command('sample', maybeFilter, async (engine, only) => grouped(await engine.sample(COLLECTION, { limit: ALL, ...only }), () => '')),
    command('collectionInfo', fc.constant(null), async (engine) => {
      const { indexed_vectors_count: _, status: _status, ...info } = await engine.collectionInfo(COLLECTION);
      return info;
    }),
  );
}

/** Neighbours of one rank in the order of their ids. */
function grouped<Point extends { readonly id: PointId }>(points: readonly Point[], rankOf: (point: Point) => string) {
  const ranks = [...new Set(points.map(rankOf))];
  return ranks.map((rank) => ({
    rank,
    points: points.filter((point) => rankOf(point) === rank).sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1)),
  }));
}

async function answerOf({ ask }: Command, engine: CoreEngine) {
  try {
    return { value: await ask(engine) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { code: error.code, message: error.message };
  }
}

const scenario = fc.tuple(fc.constantFrom<Distance>('Dot', 'Euclid', 'Manhattan', 'Cosine'), fc.boolean()).chain(([distance, isNamed]) => {
  const sizes = isNamed ? { image: 2, text: 3 } : { '': 2 };
  const right = isNamed ? fc.record({ image: dense(2), text: dense(3) }, { requiredKeys: [] }) : dense(2);
  const vectors: CreateCollection['vectors'] = isNamed
    ? { image: { size: 2, distance }, text: { size: 3, distance } }
    : { size: 2, distance };
  return fc.record({
    vectors: fc.constant(vectors),
    points: fc.array(fc.record({ vector: right, payload }), { minLength: 6, maxLength: 10 }).map(withIds),
    fields: fc.subarray(FIELDS),
    commands: fc.array(fc.oneof(writes(rarely<VectorInput>(right, wrongVector), Object.keys(sizes)), reads(sizes)), {
      minLength: 4,
      maxLength: 20,
    }),
  });
});

function withIds(points: readonly Omit<PointInput, 'id'>[]): readonly PointInput[] {
  return points.map((point, each) => ({ ...point, id: each }));
}

test('generated requests have the same answers and errors from the embedded engine as from the naive one', async () => {
  const seen = { answered: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(scenario, async ({ vectors, points, fields, commands }) => {
      const naive = openNaiveEngine(new Map());
      for (const engine of [naive, embedded]) {
        await engine.createCollection(COLLECTION, { vectors });
        await engine.upsert(COLLECTION, points);
        for (const [field, type] of fields) await engine.createFieldIndex(COLLECTION, field, { type });
      }
      try {
        for (const each of commands) {
          const expected = await answerOf(each, naive);
          seen['value' in expected ? 'answered' : 'refused']++;
          expect(await answerOf(each, embedded), each.text).toEqual(expected);
        }
      } finally {
        await embedded.deleteCollection(COLLECTION);
      }
    }),
    { numRuns: RUNS },
  );
  expect(seen.answered, 'enough is answered for the test to mean something').toBeGreaterThan(RUNS);
  expect(seen.refused, 'and enough refused').toBeGreaterThan(RUNS / 4);
});
