// SPDX-License-Identifier: Apache-2.0
/** Whatever way a filtered search goes, and whatever was written since the filter was asked last, it finds what a naive reading of the filter selects. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Filter, Payload, PointId } from '@sextant/contracts-vector';
import { seededRandom, stringifyJson, systemClock } from '@sextant/foundation-std';
import { roundsOf, temporaryDirectory } from '@sextant/foundation-testing';
import { openSystemStorage, RowSet } from '@sextant/vector-storage';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { engineWrites } from '../../engine-writes.ts';
import { filter, payload } from '../../filter/filter-arbitraries.ts';
import { naiveMatches } from '../../filter/naive-filter.ts';
import { GraphIndexer } from '../../graph/indexer.ts';
import { silentLog } from '../../model/log.ts';
import { Catalog } from '../../writes/catalog.ts';
import { localRunner } from '../../writes/run-operation.ts';
import { SpaceClusters } from '../ivf/filter-clusters.ts';
import { RowFilter } from '../matching/row-filter.ts';
import { MatchingRows } from '../matching-rows.ts';
import { nearest } from '../nearest.ts';
import { count } from '../points/count.ts';
import { CatalogView } from '../view/catalog-view.ts';
import { rowsByPlan } from './nearest-rows.ts';
import type { SearchPlan } from './plan.ts';
import { trainInBackground } from './train-in-background.ts';

const COUNT = 400;
const DIMENSION = 24;
const LIMIT = 10;
const LOOKS_MAX = 4000;

type Point = { readonly vector: readonly number[]; readonly payload: Payload };

const points = new Map<number, Point>();
const random = seededRandom(1);
const logged: object[] = [];
const sources = { clock: systemClock, random, log: { ...silentLog, error: (details: object) => void logged.push(details) } };
const view = new CatalogView(sources);
let scratch: Awaited<ReturnType<typeof temporaryDirectory>>;
let catalog: Catalog;
let indexer: GraphIndexer;
let writes: ReturnType<typeof engineWrites>;

const someVector = () => Array.from({ length: DIMENSION }, () => Math.fround(random.next() - 0.5));

beforeAll(async () => {
  scratch = await temporaryDirectory();
  const dataDirectory = scratch.path;
  mkdirSync(dataDirectory, { recursive: true });
  indexer = new GraphIndexer({ log: silentLog, clock: systemClock });
  catalog = new Catalog({
    dataDirectory,
    system: openSystemStorage({ directory: join(dataDirectory, 'system') }),
    log: silentLog,
    clock: systemClock,
    listener: {
      event: async (event) => {
        indexer.apply(event);
        await view.apply(event);
      },
      written: (collection) => indexer.written(collection),
    },
  });
  indexer.start();
  await catalog.load();
  writes = engineWrites(localRunner(catalog));
  await writes.createCollection('c', {
    vectors: { size: DIMENSION, distance: 'Euclid' },
    hnsw_config: { m: 8, ef_construct: 40 },
    optimizers_config: { indexing_threshold: 1 },
  });
  await writes.createFieldIndex('c', 'a', { type: 'keyword' });
  await writes.createFieldIndex('c', 'b', { type: 'integer' });
  const payloads = fc.sample(payload, { numRuns: COUNT, seed: 1 });
  await put(payloads.map((each, id): [number, Payload] => [id, each]));
  for (let looks = 0; looks < LOOKS_MAX && view.view('c').reader(0).indexedCount < COUNT; looks++) {
    await new Promise<void>((resolve) => setTimeout(resolve, 5));
  }
  expect(view.view('c').reader(0).indexedCount).toBe(COUNT);
});

afterAll(async () => {
  await view.close();
  await indexer.stop();
  await catalog.close();
  await scratch[Symbol.asyncDispose]();
});

async function put(changed: readonly (readonly [number, Payload])[]): Promise<void> {
  const inputs = changed.map(([id, each]) => ({ id, vector: someVector(), payload: each }));
  for (const { id, vector, payload: written } of inputs) points.set(id, { vector, payload: written });
  await writes.upsert('c', inputs);
}

type Change =
  | { readonly kind: 'put' | 'overwrite'; readonly id: number; readonly payload: Payload }
  | { readonly kind: 'delete'; readonly ids: readonly number[] }
  /** Too many to look at each of them again. */
  | { readonly kind: 'many'; readonly payload: Payload };

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constantFrom('put' as const, 'overwrite' as const), id: fc.nat(COUNT + 50), payload }),
  fc.record({ kind: fc.constant('delete' as const), ids: fc.array(fc.nat(COUNT + 50), { maxLength: 3 }) }),
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('many' as const), payload }) },
);

async function apply(each: Change): Promise<void> {
  switch (each.kind) {
    case 'put':
      return put([[each.id, each.payload]]);
    case 'overwrite': {
      const point = points.get(each.id);
      if (point === undefined) return;
      points.set(each.id, { ...point, payload: each.payload });
      await writes.overwritePayload('c', { selector: { points: [each.id] }, payload: each.payload });
      return;
    }
    case 'delete':
      for (const id of each.ids) points.delete(id);
      await writes.deletePoints('c', { points: [...each.ids] });
      return;
    case 'many': {
      const ids = [...points.keys()].filter((id) => id % 8 === 0);
      for (const id of ids) points.set(id, { vector: points.get(id)?.vector ?? [], payload: each.payload });
      await writes.overwritePayload('c', { selector: { points: ids }, payload: each.payload });
    }
  }
}

const plan: fc.Arbitrary<SearchPlan | undefined> = fc.constantFrom<(SearchPlan | undefined)[]>(
  undefined,
  { kind: 'scan' },
  { kind: 'quantized-scan' },
  { kind: 'graph', ef: 40 },
  // So much was spent that clusters are trained.
  { kind: 'quantized-scan', lacking: 1e9 },
  { kind: 'trial' },
  { kind: 'ivf', probeBound: 0 },
  { kind: 'ivf', probeBound: 3 },
  { kind: 'ivf', probeBound: Number.POSITIVE_INFINITY },
  { kind: 'evaluate' },
  { kind: 'post-check', among: { kind: 'scan' }, count: 1000, cost: 1 },
  { kind: 'post-check', among: { kind: 'quantized-scan' }, count: 1000, cost: 1 },
  { kind: 'post-check', among: { kind: 'graph', ef: 1000 }, count: 1000, cost: 1 },
);

function distance(a: readonly number[], b: readonly number[]): number {
  return Math.sqrt(a.reduce((sum, value, index) => sum + (value - (b[index] ?? 0)) ** 2, 0));
}

/** A few filters that come again and again, among them such as many points match. */
const filters = fc.sample(filter, { numRuns: 60, seed: 2 });

function matchingCount(asked: Filter): number {
  return [...points].filter(([id, point]) => naiveMatches(asked, { id, payload: point.payload, vectors: [''] })).length;
}

async function check(asked: Filter, chosen: SearchPlan | undefined): Promise<void> {
  const matching = [...points].filter(([id, point]) => naiveMatches(asked, { id, payload: point.payload, vectors: [''] }));
  const collection = view.view('c');
  const vector = someVector();
  const expected = matching.map(([id, point]) => ({ id, score: distance(vector, point.vector) })).toSorted((a, b) => a.score - b.score);
  const hits = await collection.read(() =>
    nearest(collection, { vector, limit: LIMIT, filter: asked }, chosen && ((search) => rowsByPlan(search, chosen))),
  );
  const context = `${stringifyJson(asked)} by ${JSON.stringify(chosen)}`;
  expect(hits.length, context).toBe(Math.min(LIMIT, expected.length));
  const scores = new Map<PointId, number>(expected.map(({ id, score }) => [id, score]));
  for (const hit of hits) expect(hit.score, context).toBeCloseTo(scores.get(hit.id) ?? Number.NaN, 4);
  if (chosen?.kind !== 'scan' && chosen?.kind !== 'evaluate') return;
  for (const [index, { score }] of hits.entries()) expect(score, context).toBeCloseTo(expected[index]?.score ?? Number.NaN, 4);
}

test('every way of a filtered search selects what a naive reading selects, while points change', async () => {
  const step = fc.record({
    changes: fc.array(change, { maxLength: 2 }),
    asked: fc.array(fc.tuple(fc.nat(filters.length - 1), plan), { minLength: 4, maxLength: 8 }),
  });
  await fc.assert(
    fc.asyncProperty(step, async ({ changes, asked }) => {
      for (const each of changes) await apply(each);
      for (const [index, chosen] of asked) await check(filters[index] ?? {}, chosen);
    }),
    { numRuns: roundsOf({ quick: 15, long: 1500 }) },
  );
});

test('clusters of rows are trained between searches, and select what a naive reading selects while points change', async () => {
  const collection = view.view('c');
  const trained = (asked: Filter) => new RowFilter(collection, asked).clusters(0)?.trained;
  const asked = filters.toSorted((a, b) => matchingCount(b) - matchingCount(a)).slice(0, 3);
  for (const each of asked) {
    for (let looks = 0; trained(each) === undefined; looks++) {
      expect(looks).toBeLessThan(LOOKS_MAX);
      await check(each, { kind: 'quantized-scan', lacking: 1e9 });
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }
  const step = fc.record({
    changes: fc.array(change, { minLength: 1, maxLength: 2 }),
    probeBound: fc.constantFrom(0, 2, Number.POSITIVE_INFINITY),
  });
  await fc.assert(
    fc.asyncProperty(step, async ({ changes, probeBound }) => {
      for (const each of changes) await apply(each);
      for (const each of asked) await check(each, { kind: 'ivf', probeBound });
    }),
    { numRuns: roundsOf({ quick: 12, long: 600 }) },
  );
  expect(asked.every((each) => trained(each) !== undefined)).toBe(true);
});

test('counting by a filter counts what a naive reading selects, after each change', async () => {
  await fc.assert(
    fc.asyncProperty(change, fc.nat(filters.length - 1), async (each, index) => {
      await apply(each);
      const asked = filters[index] ?? {};
      const matching = [...points].filter(([id, point]) => naiveMatches(asked, { id, payload: point.payload, vectors: [''] }));
      const collection = view.view('c');
      expect(await collection.read(() => count(collection, { filter: asked }))).toBe(matching.length);
    }),
    { numRuns: roundsOf({ quick: 15, long: 1500 }) },
  );
});

test('clusters that cannot be trained are logged, and trained when as much was spent again', async () => {
  const collection = view.view('c');
  const clusters = new SpaceClusters();
  const unreadable = new Error('the disk is gone');
  const vector = () => {
    throw unreadable;
  };
  const rows = Uint32Array.from({ length: COUNT }, (_, row) => row);
  const search = {
    matching: new MatchingRows(RowSet.of(rows)),
    dimension: DIMENSION,
    bytes: { vector: 96, code: 32 },
    count: LIMIT,
    ef: 64,
  };
  for (let time = 1; time <= 2; time++) {
    expect(clusters.spend(1e6, search)).toEqual({ isTime: true });
    await trainInBackground(collection, clusters, { dimension: DIMENSION, metric: 'euclid', rows, intact: RowSet.of(rows), vector });
    expect(clusters.trained).toBeUndefined();
    expect(logged).toEqual(Array.from({ length: time }, () => ({ err: unreadable, collection: 'c' })));
  }
});
