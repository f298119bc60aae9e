// SPDX-License-Identifier: Apache-2.0
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PointInput, QuantizationConfig, UpdateCollection } from '@sextant/contracts-vector';
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { roundsOf, temporaryDirectory } from '@sextant/foundation-testing';
import { createShardedSpace, type Originals, ShardedSpaceReader } from '@sextant/vector-kernel';
import { createCollectionStorage } from '@sextant/vector-storage';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openEmbeddedEngine } from '../embedded-engine.ts';
import type { Engine } from '../engine.ts';
import { configFromRequest } from '../model/collection-config.ts';
import { type Log, silentLog } from '../model/log.ts';
import { spacesOf } from '../model/vectors.ts';
import { fillSpace } from './space-filler.ts';
import { loadSpaces } from './space-loader.ts';

const SIZE = 48;
/** Codes of vectors on disk are learned from 2048 on. */
const POINTS = roundsOf({ quick: 2100, long: 2500 });
/** Quickly built. */
const GRAPH = { m: 16, ef_construct: 40 };
const BOTH = { disk: { on_disk: true }, memory: {} };

const random = seededRandom(3);
const centres = Array.from({ length: 25 }, () => Array.from({ length: SIZE }, () => random.next() * 4 - 2));
const nearCentre = (i: number) => (centres[i % centres.length] ?? []).map((value) => value + random.next() - 0.5);
const points = Array.from({ length: POINTS }, (_, id): PointInput => ({ id, vector: nearCentre(id), payload: { tenth: id % 10 } }));
const queries = Array.from({ length: roundsOf({ quick: 6, long: 12 }) }, (_, i) => nearCentre(i));

async function withBoth(directory: string, body: (engine: Engine) => Promise<void>, log: Log = silentLog): Promise<void> {
  const engine = await openEmbeddedEngine({ dataDirectory: directory, clock: systemClock, random: seededRandom(1), log });
  try {
    await body(engine);
  } finally {
    await engine.close();
  }
}

async function create(engine: Engine): Promise<void> {
  for (const [name, form] of Object.entries(BOTH)) {
    await engine.createCollection(name, {
      vectors: { size: SIZE, distance: 'Euclid', ...form },
      hnsw_config: GRAPH,
      optimizers_config: { indexing_threshold: 1 },
    });
    await engine.createFieldIndex(name, 'tenth', { type: 'integer' });
    for (let from = 0; from < POINTS; from += 500) await engine.upsert(name, points.slice(from, from + 500));
    await indexed(engine, name);
  }
}

async function indexed(engine: Engine, name: string): Promise<void> {
  for (let turn = 0; turn < 10_000; turn++) {
    const info = await engine.collectionInfo(name);
    if (info.status === 'green' && info.indexed_vectors_count === info.points_count) return;
    await new Promise<void>((resolve) => setTimeout(resolve, 2));
  }
  throw new Error('the graph was not built');
}

/** Exact answers agree to the last digit; the others find nearly all of them, with the scores that they have. */
async function expectAgreement(engine: Engine): Promise<void> {
  let found = 0;
  for (const vector of queries) {
    const truth = await engine.nearest('memory', { vector, limit: 10, params: { exact: true } });
    expect(await engine.nearest('disk', { vector, limit: 10, params: { exact: true } })).toEqual(truth);
    expect(await engine.nearest('disk', { vector, limit: 10, params: { quantization: { ignore: true } } })).toEqual(truth);
    for (const value of [3, 4]) {
      const filter = { must: { key: 'tenth', match: { value } } };
      const filtered = await engine.nearest('memory', { vector, limit: 10, filter, params: { exact: true } });
      expect(await engine.nearest('disk', { vector, limit: 10, filter, params: { exact: true } })).toEqual(filtered);
      expect(await engine.nearest('disk', { vector, limit: 10, filter })).toHaveLength(filtered.length);
    }
    const scores = new Map(truth.map(({ id, score }) => [id, score]));
    for (const { id, score } of await engine.nearest('disk', { vector, limit: 10, params: { hnsw_ef: 64 } })) {
      if (!scores.has(id)) continue;
      found++;
      expect(score).toBe(scores.get(id));
    }
  }
  expect(found / (queries.length * 10)).toBeGreaterThan(0.97);
}

describe('a collection on disk', () => {
  let made: Awaited<ReturnType<typeof temporaryDirectory>>;
  beforeAll(async () => {
    made = await temporaryDirectory();
    await withBoth(made.path, create);
  });
  afterAll(() => made[Symbol.asyncDispose]());
  /** Both collections, of whose points each test makes something else. */
  const copyBoth = (directory: string) => cpSync(made.path, directory, { recursive: true });

  test('answers as one in memory, through updates and deletions', async () => {
    await using scratch = await temporaryDirectory();
    copyBoth(scratch.path);
    await withBoth(scratch.path, async (engine) => {
      await expectAgreement(engine);
      for (const name of Object.keys(BOTH)) {
        await engine.deletePoints(name, { filter: { must: { key: 'tenth', match: { value: 3 } } } });
        await engine.updateVectors(
          name,
          points
            .slice(0, 300)
            .filter(({ id }) => Number(id) % 10 !== 3)
            .map(({ id }, i) => ({ id, vector: (points[i + 700]?.vector ?? []) as number[] })),
        );
      }
      await expectAgreement(engine);
      await indexed(engine, 'disk');
      await expectAgreement(engine);
      const [first] = await engine.retrieve('disk', { ids: [1], with_vector: true });
      expect(first).toEqual((await engine.retrieve('memory', { ids: [1], with_vector: true }))[0]);
    });
  });

  const codes: readonly QuantizationConfig[] = [{ product: { compression: 'x8' } }, { binary: { encoding: 'two_bits' } }];
  test.each(codes.slice(0, roundsOf({ quick: 1, long: codes.length })))(
    'is searched by codes of %j, which alone are in memory, also after a restart',
    async (quantization_config) => {
      await using scratch = await temporaryDirectory();
      const many = Array.from({ length: 4200 }, (_, id): PointInput => ({ id, vector: nearCentre(id) }));
      const share = async (engine: Engine) => {
        let found = 0;
        for (const vector of queries) {
          const truth = await engine.nearest('disk', { vector, limit: 10, params: { exact: true } });
          const scores = new Map(truth.map(({ id, score }) => [id, score]));
          const hits = await engine.nearest('disk', { vector, limit: 10, params: { hnsw_ef: 64 } });
          found += hits.filter(({ id, score }) => scores.get(id) === score).length;
        }
        return found / (queries.length * 10);
      };
      await withBoth(scratch.path, async (engine) => {
        await engine.createCollection('disk', {
          vectors: { size: SIZE, distance: 'Euclid', on_disk: true },
          quantization_config,
          hnsw_config: GRAPH,
          optimizers_config: { indexing_threshold: 1 },
        });
        for (let from = 0; from < many.length; from += 500) await engine.upsert('disk', many.slice(from, from + 500));
        await indexed(engine, 'disk');
        expect(await share(engine)).toBeGreaterThan(0.93);
      });
      await withBoth(scratch.path, async (engine) => {
        await indexed(engine, 'disk');
        expect((await engine.collectionInfo('disk')).warnings).toBeUndefined();
        expect(await share(engine)).toBeGreaterThan(0.93);
      });
    },
  );

  test('recomputes its codes when later points lie elsewhere', async () => {
    await using scratch = await temporaryDirectory();
    const logged: string[] = [];
    const log = { ...silentLog, info: (_: unknown, message: string) => void logged.push(message) };
    const size = 128;
    const rank = 16;
    // Two kinds of points, each in directions of its own.
    const kinds = [0, 1].map(() => {
      const directions = Array.from({ length: rank }, () => Array.from({ length: size }, () => random.next() - 0.5));
      const ofCentres = Array.from({ length: 25 }, () => Array.from({ length: rank }, () => random.next() * 4 - 2));
      return (i: number) => {
        const shares = (ofCentres[i % ofCentres.length] ?? []).map((value) => value + random.next() - 0.5);
        return Array.from({ length: size }, (_, at) =>
          shares.reduce((sum, share, j) => sum + share * (directions[j]?.[at] ?? 0), 0.02 * random.next()),
        );
      };
    });
    const pointsOf = (kind: number, firstId: number, count: number) =>
      Array.from({ length: count }, (_, i): PointInput => ({ id: firstId + i, vector: kinds[kind]?.(i) ?? [], payload: {} }));
    await withBoth(
      scratch.path,
      async (engine) => {
        const upsert = async (all: readonly PointInput[]) => {
          for (let from = 0; from < all.length; from += 500) await engine.upsert('disk', all.slice(from, from + 500));
          await indexed(engine, 'disk');
        };
        await engine.createCollection('disk', {
          vectors: { size, distance: 'Euclid', on_disk: true },
          hnsw_config: GRAPH,
          optimizers_config: { indexing_threshold: 1 },
        });
        await upsert(pointsOf(0, 0, 2300));
        await upsert(pointsOf(0, 5000, 350));
        expect(logged).toEqual([]);
        await upsert(pointsOf(1, 10_000, 900));
        await expect.poll(() => logged.at(-1), { timeout: 20_000 }).toBe('codes recomputed');
        await indexed(engine, 'disk');
        expect((await engine.collectionInfo('disk')).warnings).toBeUndefined();
        let found = 0;
        for (let i = 0; i < 40; i++) {
          const vector = kinds[i % 2]?.(i) ?? [];
          const truth = await engine.nearest('disk', { vector, limit: 10, params: { exact: true } });
          const ids = new Set(truth.map(({ id }) => id));
          const hits = await engine.nearest('disk', { vector, limit: 10, params: { hnsw_ef: 64 } });
          found += hits.filter(({ id }) => ids.has(id)).length;
        }
        expect(found / 400).toBeGreaterThan(0.97);
        expect(logged.filter((message) => message === 'codes recomputed')).toHaveLength(1);
      },
      log,
    );
  });

  test('opens after a clean end, after a crash, and without its saved graph', async () => {
    await using scratch = await temporaryDirectory();
    const [whole, crashed] = [join(scratch.path, 'whole'), join(scratch.path, 'crashed')];
    copyBoth(whole);
    await withBoth(whole, async (engine) => {
      for (const name of Object.keys(BOTH)) await engine.upsert(name, [{ id: 1, vector: nearCentre(7).map(Math.fround), payload: {} }]);
      const [moved] = await engine.retrieve('disk', { ids: [1], with_vector: true });
      await engine.upsert('memory', [{ id: 1, vector: moved?.vector ?? [], payload: {} }]);
      // What a process leaves that dies now.
      cpSync(whole, crashed, { recursive: true });
    });
    for (const directory of [whole, crashed]) {
      await withBoth(directory, expectAgreement);
      for (const collection of ['000001', '000002']) rmSync(join(directory, 'collections', collection, 'graph-0.bin'), { force: true });
      await withBoth(directory, async (engine) => {
        for (const name of Object.keys(BOTH)) await indexed(engine, name);
        await expectAgreement(engine);
      });
    }
  });

  test('becomes one in memory, and on disk again, by an update', async () => {
    await using scratch = await temporaryDirectory();
    copyBoth(scratch.path);
    await withBoth(scratch.path, async (engine) => {
      for (const on_disk of [false, true]) {
        const update: UpdateCollection = { vectors: { '': { on_disk } } };
        await engine.updateCollection('disk', update);
        expect((await engine.collectionInfo('disk')).config.params).toMatchObject({ vectors: { on_disk } });
        await indexed(engine, 'disk');
        await expectAgreement(engine);
      }
    });
  });
});

// With several shards the last one is filled in part, as the only one is.
test.each([8192, 20_480].slice(0, roundsOf({ quick: 1, long: 2 })))(
  'a space on disk is filled with no more than a part of its vectors in memory at a time, with %i rows in a shard',
  async (rowsPerShard) => {
    await using scratch = await temporaryDirectory();
    const directory = join(scratch.path, 'filled');
    const config = configFromRequest({
      vectors: { size: SIZE, distance: 'Euclid', on_disk: true },
      optimizers_config: { indexing_threshold: 1 },
    });
    const storage = createCollectionStorage({ directory });
    const rows = 20_480;
    storage.write((transaction) => {
      for (let row = 0; row < rows; row++) {
        transaction.putPoint(row, { id: row, version: 1, vectorVersion: 1, payload: '{}' });
        transaction.putVector(0, row, 1, Float32Array.from(nearCentre(row)));
      }
    });
    const [schema] = spacesOf(config);
    if (schema === undefined) throw new Error('there is one space');
    const source = { directory, config, storage, log: silentLog, rowsPerShard };
    const space = createShardedSpace({
      dimension: SIZE,
      metric: 'euclid',
      m: 16,
      efConstruct: 12,
      seed: 1,
      vectors: 'released',
      rowsPerShard,
    });
    space.openShards(rows);
    const bytesAtATime = rows * SIZE;
    fillSpace(space, schema, source, { bytesAtATime });
    expect([space.liveCount, space.indexedCount]).toEqual([rows, rows * 0.75]);
    // Code, links and what belongs to a row, but for a part of the vectors none of their bytes.
    expect(space.bytesUsed).toBeLessThan(rows * (SIZE + 132 + 40) * 1.2 + bytesAtATime * 2);
    const originals: Originals = { vector: (row) => storage.vector(0, row), vectors: (range) => storage.vectors(0, range) };
    const reader = new ShardedSpaceReader(space.handle, originals);
    const query = Float32Array.from(queries[0] ?? []);
    const truth = new Set(reader.scan(query, { k: 10, fromRow: 0, toRow: rows }).rows);
    expect(reader.search(query, { k: 10, ef: 128 }).rows.filter((row) => truth.has(row)).length).toBeGreaterThanOrEqual(9);

    // What was linked is saved: the next start takes it from there.
    const loaded = loadSpaces(source).get(schema.ordinal);
    expect([loaded?.liveCount, loaded?.indexedCount]).toEqual([rows, rows * 0.75]);
    storage.close();
  },
);
