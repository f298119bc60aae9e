// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';
import type { Filter, NearestRequest, ScoredPoint } from '@sextant/contracts-vector';
import { assert, seededRandom, systemClock } from '@sextant/foundation-std';
import { roundsOf, temporaryDirectory } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmbeddedEngine } from '../embedded-engine.ts';
import type { Engine } from '../engine.ts';

/** More than the rows from which codes are in use; a part of them is deleted, a part written again. */
const COUNT = 3000;
const DIMENSION = 24;
const LOOKS_MAX = 4000;

/** What is there, as a naive reading has it. */
const vectors = new Map<number, readonly number[]>();
const cellOf = (vector: readonly number[]) => vector.slice(0, 3).reduce((cell, value, bit) => cell + (value > 0 ? 1 << bit : 0), 0);
let scratch: Awaited<ReturnType<typeof temporaryDirectory>>;
/** The rows of one collection lie in one shard, those of the other in three, of which each has codes. */
const engines = new Map<number, Engine>();
const ROWS_PER_SHARD = [8192, 1504];
const someEngine = fc.constantFrom(...ROWS_PER_SHARD).map((rowsPerShard) => ({
  rowsPerShard,
  nearest: (request: NearestRequest) => engines.get(rowsPerShard)?.nearest('c', request) ?? Promise.reject(new Error('no such engine')),
}));

beforeAll(async () => {
  scratch = await temporaryDirectory();
  for (const rowsPerShard of ROWS_PER_SHARD) {
    const dataDirectory = join(scratch.path, String(rowsPerShard));
    const engine = await openEmbeddedEngine({ dataDirectory, clock: systemClock, random: seededRandom(1), rowsPerShard });
    engines.set(rowsPerShard, engine);
    await fill(engine);
  }
});

async function fill(engine: Engine): Promise<void> {
  await engine.createCollection('c', {
    vectors: { size: DIMENSION, distance: 'Euclid' },
    hnsw_config: { m: 8, ef_construct: 40 },
    optimizers_config: { indexing_threshold: 1 },
  });
  for (const field of ['number', 'cell']) await engine.createFieldIndex('c', field, { type: 'integer' });
  const random = seededRandom(2);
  const put = (ids: readonly number[]) => {
    const points = ids.map((id) => {
      const vector = Array.from({ length: DIMENSION }, () => Math.fround(random.next() - 0.5));
      vectors.set(id, vector);
      return { id, vector, payload: { number: id, cell: cellOf(vector), open: id % 3 } };
    });
    return engine.upsert('c', points);
  };
  await put(Array.from({ length: COUNT }, (_, id) => id));
  await indexed(engine);
  const deleted = [...vectors.keys()].filter((id) => id % 5 === 0);
  for (const id of deleted) vectors.delete(id);
  await engine.deletePoints('c', { points: deleted });
  await put([...vectors.keys()].filter((id) => id % 7 === 0));
  await indexed(engine);
}

afterAll(async () => {
  for (const engine of engines.values()) await engine.close();
  await scratch[Symbol.asyncDispose]();
});

async function indexed(engine: Engine): Promise<void> {
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    const { status, indexed_vectors_count: count } = await engine.collectionInfo('c');
    if (status === 'green' && count === vectors.size) return;
    await new Promise<void>((resolve) => setTimeout(resolve, 5));
  }
  throw new Error('the graph was not built');
}

type Case = { readonly filter: Filter; readonly matches: (id: number, vector: readonly number[]) => boolean };

/** By number: any share, at random; by cell: what lies together; by `open`, which has no index. */
const someCase: fc.Arbitrary<Case> = fc.oneof(
  fc.record({ from: fc.nat(COUNT), length: fc.constantFrom(1, 5, 30, 300, 1500, COUNT) }).map(
    ({ from, length }): Case => ({
      filter: { must: { key: 'number', range: { gte: from, lt: from + length } } },
      matches: (id) => id >= from && id < from + length,
    }),
  ),
  fc.uniqueArray(fc.nat(7), { minLength: 1, maxLength: 8 }).map(
    (cells): Case => ({
      filter: { must: { key: 'cell', match: { any: cells } } },
      matches: (_id, vector) => cells.includes(cellOf(vector)),
    }),
  ),
  fc.record({ open: fc.nat(3), below: fc.nat(COUNT) }).map(
    ({ open, below }): Case => ({
      filter: {
        must: [
          { key: 'open', match: { value: open } },
          { key: 'number', range: { lt: below } },
        ],
      },
      matches: (id) => id % 3 === open && id < below,
    }),
  ),
);
const params = fc.record(
  {
    hnsw_ef: fc.constantFrom(10, 100),
    exact: fc.boolean(),
    quantization: fc.record(
      { ignore: fc.boolean(), rescore: fc.boolean(), oversampling: fc.constantFrom(1, 1.5, 4) },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);
const query = fc.nat().map((seed) => {
  const random = seededRandom(seed);
  return Array.from({ length: DIMENSION }, () => Math.fround(random.next() - 0.5));
});

function distance(a: readonly number[], b: readonly number[]): number {
  return Math.sqrt(a.reduce((sum, value, index) => sum + (value - (b[index] ?? 0)) ** 2, 0));
}

function expectTrue(hits: readonly ScoredPoint[], vector: readonly number[], matches: Case['matches']): void {
  expect(new Set(hits.map(({ id }) => id)).size).toBe(hits.length);
  let last = 0;
  for (const { id, score } of hits) {
    const stored = vectors.get(Number(id)) ?? [];
    expect(matches(Number(id), stored)).toBe(true);
    expect(score).toBeCloseTo(distance(vector, stored), 4);
    expect(score).toBeGreaterThanOrEqual(last);
    last = score;
  }
}

test('whatever the filter and the parameters, as many true hits come back as there are, and exactly the nearest where that is asked for', async () => {
  await fc.assert(
    fc.asyncProperty(
      someEngine,
      someCase,
      params,
      query,
      fc.constantFrom(1, 10, 60),
      async (engine, { filter, matches }, chosen, vector, limit) => {
        const hits = await engine.nearest({ vector, limit, filter, params: chosen });
        const all = [...vectors].filter(([id, stored]) => matches(id, stored)).map(([, stored]) => distance(vector, stored));
        expect(hits).toHaveLength(Math.min(limit, all.length));
        expectTrue(hits, vector, matches);
        if (chosen.exact !== true) return;
        const nearest = all.toSorted((a, b) => a - b).slice(0, limit);
        for (const [index, { score }] of hits.entries()) expect(score).toBeCloseTo(nearest[index] ?? Number.NaN, 4);
      },
    ),
    { numRuns: roundsOf({ quick: 50, long: 3000 }) },
  );
});

test.each(ROWS_PER_SHARD)('filtered recall is at least 0.95, wherever what matches lies, with %i rows in a shard', async (rowsPerShard) => {
  const engine = engines.get(rowsPerShard);
  assert(engine !== undefined, 'it is open');
  const random = seededRandom(3);
  const filters: readonly Filter[] = [
    { must: { key: 'number', range: { lt: COUNT / 2 } } },
    { must: { key: 'number', range: { lt: COUNT / 10 } } },
    { must: { key: 'cell', match: { any: [0] } } },
    { must: { key: 'cell', match: { any: [1, 2, 3, 4] } } },
  ];
  for (const filter of filters) {
    let [found, wanted] = [0, 0];
    for (let round = 0; round < 40; round++) {
      const vector = Array.from({ length: DIMENSION }, () => random.next() - 0.5);
      const exact = await engine.nearest('c', { vector, limit: 10, filter, params: { exact: true } });
      const ids = new Set((await engine.nearest('c', { vector, limit: 10, filter, params: { hnsw_ef: 200 } })).map(({ id }) => id));
      wanted += exact.length;
      found += exact.filter(({ id }) => ids.has(id)).length;
    }
    expect(found / wanted).toBeGreaterThanOrEqual(0.95);
  }
});
