// SPDX-License-Identifier: Apache-2.0
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { openSystemStorage } from '@sextant/vector-storage';
import { describe, expect, test } from 'vitest';
import { openEmbeddedEngine } from '../embedded-engine.ts';
import type { Engine } from '../engine.ts';
import { engineReads } from '../engine-reads.ts';
import { engineWrites } from '../engine-writes.ts';
import { silentLog } from '../model/log.ts';
import { CatalogView } from '../reads/view/catalog-view.ts';
import { Catalog } from './catalog.ts';
import { localRunner } from './run-operation.ts';

const LOOKS_MAX = 4000;
const DIMENSION = 4;
const COLLECTION = {
  vectors: { size: DIMENSION, distance: 'Euclid' as const },
  hnsw_config: { m: 8, ef_construct: 40 },
  optimizers_config: { indexing_threshold: 1, vacuum_min_vector_number: 100, deleted_threshold: 0.1 },
};

type Model = Map<number, { readonly vector: readonly number[]; readonly group: number }>;

async function openSubject({ rowsPerShard }: { rowsPerShard: number }) {
  const scratch = await temporaryDirectory();
  const open = (rows: number) =>
    openEmbeddedEngine({ dataDirectory: scratch.path, clock: systemClock, random: seededRandom(1), rowsPerShard: rows });
  const subject = {
    engine: await open(rowsPerShard),
    directory: join(scratch.path, 'collections', '000001'),
    reopen: async ({ rowsPerShard: rows }: { rowsPerShard: number }) => {
      await subject.engine.close();
      subject.engine = await open(rows);
    },
    [Symbol.asyncDispose]: async () => {
      await subject.engine.close();
      await scratch[Symbol.asyncDispose]();
    },
  };
  return subject;
}

function savedGraphs(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.bin'))
    .sort();
}

async function put(engine: Engine, model: Model, ids: readonly number[], next: () => number): Promise<void> {
  const points = ids.map((id) => {
    const point = { vector: Array.from({ length: DIMENSION }, () => Math.fround(next())), group: id % 3 };
    model.set(id, point);
    return { id, vector: point.vector, payload: { group: point.group } };
  });
  await engine.upsert('c', points);
}

async function remove(engine: Engine, model: Model, ids: readonly number[]): Promise<void> {
  for (const id of ids) model.delete(id);
  await engine.deletePoints('c', { points: ids });
}

async function indexed(engine: Engine, count: number): Promise<void> {
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    const info = await engine.collectionInfo('c');
    if (info.status === 'green' && info.indexed_vectors_count === count) return;
    await new Promise<void>((resolve) => setTimeout(resolve, 5));
  }
  throw new Error('the graphs were not built');
}

function expected(model: Model, query: readonly number[], { limit, group }: { limit: number; group?: number }): number[] {
  const squared = (vector: readonly number[]) => vector.reduce((sum, value, index) => sum + (value - (query[index] ?? 0)) ** 2, 0);
  return [...model]
    .filter(([, point]) => group === undefined || point.group === group)
    .map(([id, point]) => ({ id, distance: squared(point.vector) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ id }) => id);
}

/** Exact answers are those of the model; answers of the graphs share nearly all with it. */
async function expectSame(engine: Engine, model: Model): Promise<void> {
  expect(await engine.count('c', {})).toBe(model.size);
  const random = seededRandom(9);
  let shared = 0;
  let wanted = 0;
  for (let round = 0; round < 20; round++) {
    const vector = Array.from({ length: DIMENSION }, random.next);
    const group = round % 3;
    const filter = { must: { key: 'group', match: { value: group } } };
    const exact = await engine.nearest('c', { vector, limit: 10, params: { exact: true } });
    expect(exact.map(({ id }) => id)).toEqual(expected(model, vector, { limit: 10 }));
    const exactInGroup = await engine.nearest('c', { vector, limit: 10, filter, params: { exact: true } });
    expect(exactInGroup.map(({ id }) => id)).toEqual(expected(model, vector, { limit: 10, group }));
    for (const [request, truth] of [
      [{ vector, limit: 10 }, exact],
      [{ vector, limit: 10, filter }, exactInGroup],
    ] as const) {
      const ids = new Set(truth.map(({ id }) => id));
      const found = await engine.nearest('c', request);
      expect(found).toHaveLength(truth.length);
      shared += found.filter(({ id }) => ids.has(id)).length;
      wanted += ids.size;
    }
  }
  expect(shared / wanted).toBeGreaterThan(0.95);
}

describe('a collection of several shards', () => {
  test('answers as its points say through updates that move them, deletions and restarts', async () => {
    await using subject = await openSubject({ rowsPerShard: 96 });
    await subject.engine.createCollection('c', COLLECTION);
    await subject.engine.createFieldIndex('c', 'group', { type: 'integer' });
    const model: Model = new Map();
    const random = seededRandom(2);
    // One write over four shards, then writes that fill the rows that come free.
    await put(
      subject.engine,
      model,
      Array.from({ length: 350 }, (_, id) => id),
      random.next,
    );
    expect(await subject.engine.collectionInfo('c')).toMatchObject({ segments_count: 4 });
    await expectSame(subject.engine, model);
    await indexed(subject.engine, model.size);
    await expectSame(subject.engine, model);
    for (let round = 0; round < 4; round++) {
      const ids = [...model.keys()];
      await put(
        subject.engine,
        model,
        ids.filter(() => random.next() < 0.3),
        random.next,
      );
      await remove(
        subject.engine,
        model,
        ids.filter(() => random.next() < 0.2),
      );
      await put(
        subject.engine,
        model,
        Array.from({ length: 40 }, (_, index) => 1000 + round * 100 + index),
        random.next,
      );
      await expectSame(subject.engine, model);
      if (round === 1) await subject.reopen({ rowsPerShard: 96 });
      await indexed(subject.engine, model.size);
      await expectSame(subject.engine, model);
    }
    await subject.reopen({ rowsPerShard: 96 });
    await expectSame(subject.engine, model);
  });

  test('has a saved graph for each shard, and drops those that belong to another division of its rows', async () => {
    await using subject = await openSubject({ rowsPerShard: 96 });
    const model: Model = new Map();
    await subject.engine.createCollection('c', COLLECTION);
    await put(
      subject.engine,
      model,
      Array.from({ length: 200 }, (_, id) => id),
      seededRandom(3).next,
    );
    await indexed(subject.engine, 200);
    await subject.reopen({ rowsPerShard: 96 });
    expect(savedGraphs(subject.directory)).toEqual(['graph-0-192.bin', 'graph-0-96.bin', 'graph-0.bin']);
    await subject.reopen({ rowsPerShard: 64 });
    await indexed(subject.engine, 200);
    await expectSame(subject.engine, model);
    await subject.reopen({ rowsPerShard: 256 });
    await subject.engine.count('c', {});
    expect(savedGraphs(subject.directory)).toEqual(['graph-0.bin']);
    await indexed(subject.engine, 200);
    await expectSame(subject.engine, model);
    expect(await subject.engine.collectionInfo('c')).toMatchObject({ segments_count: 1 });
  });

  test('rebuilds its graphs when their parameters change, while writes need more shards', async () => {
    await using subject = await openSubject({ rowsPerShard: 64 });
    const { engine } = subject;
    const model: Model = new Map();
    const random = seededRandom(4);
    const ids = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);
    await engine.createCollection('c', COLLECTION);
    await put(engine, model, ids(0, 200), random.next);
    await remove(engine, model, ids(0, 50));
    for (const [round, m] of [12, 4, 10].entries()) {
      const updated = engine.updateCollection('c', { hnsw_config: { m } });
      for (let write = 0; write < 4; write++) await put(engine, model, ids(1000 * (round + 1) + 30 * write, 30), random.next);
      await updated;
      await put(engine, model, ids(5000 * (round + 1), 30), random.next);
      await indexed(engine, model.size);
      await expectSame(engine, model);
    }
  });

  test('with vectors of several names has shards of each', async () => {
    await using subject = await openSubject({ rowsPerShard: 32 });
    const { engine } = subject;
    await engine.createCollection('c', { vectors: { a: { size: 1, distance: 'Euclid' }, b: { size: 2, distance: 'Euclid' } } });
    await engine.upsert(
      'c',
      Array.from({ length: 100 }, (_, id) => ({ id, vector: id % 2 === 0 ? { a: [id] } : { a: [id], b: [id, id] } })),
    );
    const nearest = await engine.nearest('c', { vector: [64, 64], using: 'b', limit: 2 });
    expect(new Set(nearest.map(({ id }) => id))).toEqual(new Set([63, 65]));
    expect((await engine.nearest('c', { vector: [64], using: 'a', limit: 1 }))[0]).toMatchObject({ id: 64, score: 0 });
  });
});

test('a write that needs a shard waits until every thread has it, and is refused whole where one cannot', async () => {
  await using scratch = await temporaryDirectory();
  const system = openSystemStorage({ directory: join(scratch.path, 'system') });
  const view = new CatalogView({ clock: systemClock, random: seededRandom(1) });
  const deliveries: (() => void)[] = [];
  let fails = false;
  const catalog = new Catalog({
    dataDirectory: scratch.path,
    system,
    log: silentLog,
    clock: systemClock,
    rowsPerShard: 32,
    listener: {
      event: async (event) => {
        if (event.kind !== 'grown') return view.apply(event);
        if (fails) throw new Error('a thread does not answer');
        await new Promise<void>((resolve) => deliveries.push(resolve));
        await view.apply(event);
      },
      written: () => undefined,
    },
  });
  const engine = { ...engineReads(view), ...engineWrites(localRunner(catalog)) };
  await engine.createCollection('c', { vectors: { size: 1, distance: 'Euclid' } });
  const points = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: from + index, vector: [from + index] }));
  await engine.upsert('c', points(0, 30));

  fails = true;
  await expect(engine.upsert('c', points(30, 10))).rejects.toThrow('a thread does not answer');
  // Again, although the shard is there by now: not every thread has it.
  await expect(engine.upsert('c', points(30, 10))).rejects.toThrow('a thread does not answer');
  expect(await engine.count('c', {})).toBe(30);

  fails = false;
  let acknowledged = false;
  const written = engine.upsert('c', points(30, 10)).then(() => {
    acknowledged = true;
  });
  while (deliveries.length === 0) await new Promise<void>((resolve) => setImmediate(resolve));
  expect(await engine.count('c', {})).toBe(30);
  expect(acknowledged).toBe(false);
  deliveries[0]?.();
  await written;
  expect(await engine.count('c', {})).toBe(40);
  expect((await engine.nearest('c', { vector: [39], limit: 1 }))[0]).toMatchObject({ id: 39, score: 0 });
  await view.close();
  await catalog.close();
  system.close();
});

test('writes that wait for one shard together are all written, and one that is refused is refused alone', async () => {
  await using subject = await openSubject({ rowsPerShard: 32 });
  const { engine } = subject;
  await engine.createCollection('c', { vectors: { size: 1, distance: 'Euclid' } });
  const outcomes = await Promise.allSettled([
    engine.upsert(
      'c',
      Array.from({ length: 20 }, (_, id) => ({ id, vector: [id] })),
    ),
    engine.updateVectors('c', [{ id: 999, vector: [1] }]),
    engine.upsert(
      'c',
      Array.from({ length: 20 }, (_, id) => ({ id: 20 + id, vector: [20 + id] })),
    ),
    engine.upsert(
      'c',
      Array.from({ length: 60 }, (_, id) => ({ id: 40 + id, vector: [40 + id] })),
    ),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  expect(await engine.count('c', {})).toBe(100);
  const all = await engine.nearest('c', { vector: [0], limit: 100 });
  expect(all.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, id) => id));
});
