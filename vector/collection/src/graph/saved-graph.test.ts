// SPDX-License-Identifier: Apache-2.0
import { copyFileSync, cpSync, openSync, readSync, rmSync, truncateSync, writeSync } from 'node:fs';
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmbeddedEngine } from '../embedded-engine.ts';
import type { Engine } from '../engine.ts';

const POINTS = 900;
const SIZE = 24;
const LOOKS_MAX = 5000;
const GRAPH = 'collections/000001/graph-0.bin';

type Vectors = Map<number, number[]>;

/** Runs `work` on an engine that is closed afterwards, when its graph is built; what it logged as warnings comes back. */
async function session(dataDirectory: string, work: (engine: Engine) => Promise<void>): Promise<string[]> {
  const warnings: string[] = [];
  const log = { info: () => undefined, error: () => undefined, warn: (_: object, message: string) => void warnings.push(message) };
  const engine = await openEmbeddedEngine({ dataDirectory, clock: systemClock, random: seededRandom(1), log });
  try {
    await work(engine);
  } finally {
    await engine.close();
  }
  return warnings;
}

async function indexed(engine: Engine): Promise<void> {
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    if ((await engine.collectionInfo('a')).status === 'green') return;
    await new Promise<void>((resolve) => setTimeout(resolve, 2));
  }
  throw new Error('the graph is not built');
}

const random = seededRandom(3);
const newVector = () => Array.from({ length: SIZE }, () => Math.fround(random.next() - 0.5));

async function put(engine: Engine, vectors: Vectors, ids: readonly number[]): Promise<void> {
  const points = ids.map((id) => ({ id, vector: newVector() }));
  for (const { id, vector } of points) vectors.set(id, vector);
  await engine.upsert('a', points);
}

async function remove(engine: Engine, vectors: Vectors, ids: readonly number[]): Promise<void> {
  for (const id of ids) vectors.delete(id);
  await engine.deletePoints('a', { points: [...ids] });
}

/** Every point is where its vector is, by an exact scan of memory, and the graph finds nearly all of them. */
async function expectRight(engine: Engine, vectors: Vectors): Promise<void> {
  expect(await engine.count('a', {})).toBe(vectors.size);
  let found = 0;
  const probes = [...vectors].filter((_, index) => index % 3 === 0);
  for (const [id, vector] of probes) {
    const [nearest] = await engine.nearest('a', { vector, limit: 1, params: { exact: true } });
    expect(nearest).toMatchObject({ id, score: 0 });
    found += (await engine.nearest('a', { vector, limit: 1 }))[0]?.id === id ? 1 : 0;
  }
  expect(found / probes.length).toBeGreaterThan(0.98);
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

const filled: Vectors = new Map();
let filledDirectory: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeAll(async () => {
  filledDirectory = await temporaryDirectory();
  await session(filledDirectory.path, async (engine) => {
    await engine.createCollection('a', {
      vectors: { size: SIZE, distance: 'Euclid' },
      hnsw_config: { full_scan_threshold: 10 },
      optimizers_config: { indexing_threshold: 1 },
    });
    await put(engine, filled, range(0, POINTS));
    await indexed(engine);
  });
});
afterAll(() => filledDirectory[Symbol.asyncDispose]());

/** A copy of a collection with its saved graph. */
function copyFilled(directory: string): Vectors {
  cpSync(filledDirectory.path, directory, { recursive: true });
  return new Map(filled);
}

test('an older saved graph takes from storage what was put, changed and deleted since', async () => {
  await using scratch = await temporaryDirectory();
  const vectors = copyFilled(scratch.path);
  copyFileSync(`${scratch.path}/${GRAPH}`, `${scratch.path}/older`);
  await session(scratch.path, async (engine) => {
    await remove(engine, vectors, range(100, 200));
    await put(engine, vectors, range(300, 350));
    await put(engine, vectors, range(POINTS, POINTS + 300));
    await indexed(engine);
    // Rows of the first deletes are used again.
    await put(engine, vectors, range(5000, 5060));
    await remove(engine, vectors, range(POINTS + 10, POINTS + 20));
    await indexed(engine);
  });
  copyFileSync(`${scratch.path}/older`, `${scratch.path}/${GRAPH}`);
  const warnings = await session(scratch.path, async (engine) => {
    expect((await engine.collectionInfo('a')).indexed_vectors_count).toBeGreaterThan(POINTS - 200);
    await expectRight(engine, vectors);
    await indexed(engine);
    await expectRight(engine, vectors);
  });
  expect(warnings).toEqual([]);
});

test.each([
  { what: 'a flipped bit', damage: flipBit },
  { what: 'a cut', damage: (path: string) => truncateSync(path, 90_000) },
  { what: 'a lost file', damage: (path: string) => rmSync(path) },
])('$what costs the saved graph, not a vector', async ({ what, damage }) => {
  await using scratch = await temporaryDirectory();
  const vectors = copyFilled(scratch.path);
  damage(`${scratch.path}/${GRAPH}`);
  const warnings = await session(scratch.path, async (engine) => {
    await indexed(engine);
    await expectRight(engine, vectors);
  });
  expect(warnings).toEqual(what === 'a lost file' ? [] : ['the saved graph cannot be used; the graph is built again']);
});

test('a graph of a later state than the storage is not taken', async () => {
  await using scratch = await temporaryDirectory();
  const vectors = copyFilled(scratch.path);
  cpSync(`${scratch.path}/collections`, `${scratch.path}/backup`, { recursive: true });
  const later: Vectors = new Map(vectors);
  await session(scratch.path, async (engine) => {
    await put(engine, later, range(0, 200));
    await indexed(engine);
  });
  copyFileSync(`${scratch.path}/backup/000001/data.mdb`, `${scratch.path}/collections/000001/data.mdb`);
  const warnings = await session(scratch.path, (engine) => expectRight(engine, vectors));
  expect(warnings).toEqual(['the saved graph cannot be used; the graph is built again']);
});

function flipBit(path: string): void {
  const file = openSync(path, 'r+');
  const byte = new Uint8Array(1);
  readSync(file, byte, 0, 1, 200_000);
  writeSync(
    file,
    byte.map((value) => value ^ 4),
    0,
    1,
    200_000,
  );
}
