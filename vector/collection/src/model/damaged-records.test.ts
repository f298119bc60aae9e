// SPDX-License-Identifier: Apache-2.0
/** One record damaged in a known way: who reads it is refused, with the names of the collection and the point; everybody else is served. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { openCollectionStorage, type StorageTransaction, type StoredPoint } from '@sextant/vector-storage';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmbeddedEngine } from '../embedded-engine.ts';
import type { Engine } from '../engine.ts';

const POINTS = 300;
const DAMAGED = 7;
const SOUND = 8;
/** Of every third point, the damaged one among them. */
const FILTER = { must: { key: 'n', match: { value: DAMAGED % 3 } } };

const payloadOf = (id: number) => ({ n: id % 3, name: `the film of number ${id}.` });

type Damage = (directory: string) => void;

const open = (dataDirectory: string) => openEmbeddedEngine({ dataDirectory, clock: systemClock, random: seededRandom(1) });

/** With a saved graph. */
let soundDirectory: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeAll(async () => {
  soundDirectory = await temporaryDirectory();
  const sound = await open(soundDirectory.path);
  await sound.createCollection('films', {
    vectors: { size: 2, distance: 'Euclid' },
    hnsw_config: { full_scan_threshold: 10 },
    optimizers_config: { indexing_threshold: 1 },
  });
  await sound.upsert(
    'films',
    Array.from({ length: POINTS }, (_, id) => ({ id, vector: [id, id % 7], payload: payloadOf(id) })),
  );
  while ((await sound.collectionInfo('films')).status !== 'green') await new Promise((turn) => setTimeout(turn, 5));
  await sound.close();
});
afterAll(() => soundDirectory[Symbol.asyncDispose]());

/** Runs `look` on a copy of the collection of which one record was damaged while nobody had it open. */
async function withDamaged(damage: Damage, look: (engine: Engine) => Promise<void>): Promise<void> {
  await using directory = await temporaryDirectory();
  cpSync(soundDirectory.path, directory.path, { recursive: true });
  damage(join(directory.path, 'collections', '000001'));
  const engine = await open(directory.path);
  try {
    await look(engine);
  } finally {
    await engine.close();
  }
}

/** By what the engine itself writes with. */
function inStorage(change: (transaction: StorageTransaction, row: number) => void): Damage {
  return (directory) => {
    const storage = openCollectionStorage({ directory });
    const row = storage.rowOf(DAMAGED);
    if (row !== undefined) storage.write((transaction) => change(transaction, row));
    storage.close();
    expect(row).toBeDefined();
  };
}

const noJson = inStorage((transaction, row) => {
  const point = transaction.point(row);
  if (point !== undefined) transaction.putPoint(row, { ...point, payload: point.payload.slice(0, -1) });
});

const noVector = inStorage((transaction, row) => transaction.deleteVector(0, row));

/** In a record the id stands before the payload, its lowest byte last; storage would not write it wrong itself. */
const otherId: Damage = (directory) => {
  const file = join(directory, 'data.mdb');
  const bytes = readFileSync(file);
  const payload = Buffer.from(JSON.stringify(payloadOf(DAMAGED)));
  let changed = 0;
  // Pages that were written again leave old copies behind.
  for (let at = bytes.indexOf(payload); at !== -1; at = bytes.indexOf(payload, at + 1)) {
    expect(bytes.readUInt8(at - 1)).toBe(DAMAGED);
    bytes.writeUInt8(SOUND, at - 1);
    changed++;
  }
  expect(changed).toBeGreaterThan(0);
  writeFileSync(file, bytes);
};

type Read = (engine: Engine) => Promise<unknown>;

const search =
  (shape: object): Read =>
  (engine) =>
    engine.nearest('films', { vector: [DAMAGED, 0], limit: 3, ...shape });

const recommendation: Read = (engine) =>
  engine.query('films', {
    prefetch: [],
    query: { kind: 'recommend', positive: [{ id: DAMAGED }], negative: [], strategy: 'best_score' },
    limit: 3,
    offset: 0,
    filter: null,
    with_payload: false,
    with_vector: false,
  });

test.each<readonly [damaged: string, read: string, Damage, Read]>([
  ['a payload that is no JSON', 'a scroll', noJson, (engine) => engine.scroll('films', { limit: POINTS })],
  ['a payload that is no JSON', 'a look by id', noJson, (engine) => engine.retrieve('films', { ids: [DAMAGED] })],
  ['a payload that is no JSON', 'a search with payloads', noJson, search({ with_payload: true })],
  ['a payload that is no JSON', 'a search with their text', noJson, search({ with_payload: true, payloadAs: 'text' })],
  ['a payload that is no JSON', 'a filter', noJson, (engine) => engine.count('films', { filter: FILTER })],
  ['a payload that is no JSON', 'a search with a filter', noJson, search({ filter: FILTER })],
  [
    'a payload that is no JSON',
    'a write',
    noJson,
    (engine) => engine.setPayload('films', { selector: { points: [DAMAGED] }, payload: { a: 1 } }),
  ],
  ['a missing vector', 'a scroll', noVector, (engine) => engine.scroll('films', { limit: POINTS, with_vector: true })],
  ['a missing vector', 'a look by id', noVector, (engine) => engine.retrieve('films', { ids: [DAMAGED], with_vector: true })],
  ['a missing vector', 'a search with vectors', noVector, search({ with_vector: true })],
  ['a missing vector', 'a search by its id', noVector, search({ vector: { id: DAMAGED } })],
  ['a missing vector', 'a recommendation by its id', noVector, recommendation],
  ['the id of another point', 'a scroll', otherId, (engine) => engine.scroll('films', { limit: POINTS })],
  ['the id of another point', 'a look by id', otherId, (engine) => engine.retrieve('films', { ids: [DAMAGED] })],
  ['the id of another point', 'a search', otherId, search({})],
  ['the id of another point', 'a search with payloads', otherId, search({ with_payload: true })],
  ['the id of another point', 'a search with a filter', otherId, search({ filter: FILTER })],
  ['the id of another point', 'a count by a filter', otherId, (engine) => engine.count('films', { filter: FILTER })],
])('%s is found by %s', async (_damaged, _read, damage, read) => {
  await withDamaged(damage, async (engine) => {
    await expect(read(engine)).rejects.toMatchObject({
      code: 'record_damaged',
      // Who comes by way of the vectors knows the row alone, and the id that its record names.
      message: expect.stringMatching(new RegExp(`^Collection films: .*point (${DAMAGED}|${SOUND})\\b.* is damaged`)),
    });
  });
});

test.each([
  ['a payload that is no JSON', noJson],
  ['a missing vector', noVector],
  ['the id of another point', otherId],
] as const)('%s keeps nobody from the other points', async (_damaged, damage) => {
  await withDamaged(damage, async (engine) => {
    expect(await engine.count('films', {})).toBe(POINTS);
    const [sound] = await engine.retrieve('films', { ids: [SOUND], with_payload: true, with_vector: true });
    expect(sound).toEqual({ id: SOUND, vector: [SOUND, SOUND % 7], payload: payloadOf(SOUND) });
    expect(await search({ vector: [POINTS, 0] })(engine)).toHaveLength(3);
  });
});

const SMALL = 'small';

/** Runs `look` on a collection of two points without a graph, of whose first all vectors are gone. */
async function withLostVectors(look: (engine: Engine) => Promise<void>, record: (point: StoredPoint) => StoredPoint = (point) => point) {
  await using directory = await temporaryDirectory();
  const open = () => openEmbeddedEngine({ dataDirectory: directory.path, clock: systemClock, random: seededRandom(1) });
  const sound = await open();
  await sound.createCollection(SMALL, {
    vectors: {
      dense: { size: 2, distance: 'Euclid' },
      other: { size: 1, distance: 'Dot' },
      multi: { size: 1, distance: 'Dot', multivector_config: { comparator: 'max_sim' } },
    },
    sparse_vectors: { sparse: {} },
  });
  const vector = { dense: [1, 2], multi: [[1], [2]], sparse: { indices: [3], values: [1] } };
  await sound.upsert(SMALL, [
    { id: DAMAGED, vector },
    { id: SOUND, vector },
  ]);
  await sound.close();
  const storage = openCollectionStorage({ directory: join(directory.path, 'collections', '000001') });
  storage.write((transaction) => {
    const row = transaction.rowOf(DAMAGED) ?? -1;
    const point = transaction.point(row);
    expect(point).toBeDefined();
    if (point !== undefined) transaction.putPoint(row, record(point));
    for (const space of [0, 2]) transaction.deleteVector(space, row);
    transaction.deleteSparseVector(0, row);
  });
  storage.close();
  const engine = await open();
  try {
    await look(engine);
  } finally {
    await engine.close();
  }
}

test.each<readonly [read: string, Read]>([
  ['a look at the dense vector', (engine) => engine.retrieve(SMALL, { ids: [DAMAGED], with_vector: ['dense'] })],
  ['a look at the multivector', (engine) => engine.retrieve(SMALL, { ids: [DAMAGED], with_vector: ['multi'] })],
  ['a look at the sparse vector', (engine) => engine.scroll(SMALL, { limit: 1, with_vector: ['sparse'] })],
  ['a search by its dense vector', (engine) => engine.nearest(SMALL, { vector: { id: DAMAGED }, using: 'dense', limit: 1 })],
  ['a search by its multivector', (engine) => engine.nearest(SMALL, { vector: { id: DAMAGED }, using: 'multi', limit: 1 })],
  ['a search by its sparse vector', (engine) => engine.nearest(SMALL, { vector: { id: DAMAGED }, using: 'sparse', limit: 1 })],
  ['a write of another vector', (engine) => engine.updateVectors(SMALL, [{ id: DAMAGED, vector: { other: [1] } }])],
])('without a graph, too, a lost vector is found by %s', async (_read, read) => {
  await withLostVectors(async (engine) => {
    await expect(read(engine)).rejects.toMatchObject({
      code: 'record_damaged',
      message: expect.stringMatching(new RegExp(`^Collection ${SMALL}: .*point ${DAMAGED}\\b.* is damaged`)),
    });
  });
});

test('a vector that a point never had is not lost, and all vectors that are written again are there', async () => {
  await withLostVectors(async (engine) => {
    const vector = { dense: [3, 4], multi: [[5]], sparse: { indices: [6], values: [7] } };
    expect(await engine.retrieve(SMALL, { ids: [DAMAGED, SOUND], with_vector: ['other'], with_payload: false })).toEqual([
      { id: DAMAGED, vector: {} },
      { id: SOUND, vector: {} },
    ]);
    await engine.setPayload(SMALL, { selector: { points: [DAMAGED] }, payload: { a: 1 } });
    await expect(engine.retrieve(SMALL, { ids: [DAMAGED], with_vector: true })).rejects.toMatchObject({ code: 'record_damaged' });
    await engine.updateVectors(SMALL, [{ id: DAMAGED, vector }]);
    expect(await engine.retrieve(SMALL, { ids: [DAMAGED], with_vector: true, with_payload: false })).toEqual([{ id: DAMAGED, vector }]);
  });
});

test('a record of an earlier version does not say which vectors it had', async () => {
  const earlier = ({ id, version, vectorVersion, payload }: StoredPoint): StoredPoint => ({ id, version, vectorVersion, payload });
  await withLostVectors(async (engine) => {
    expect(await engine.retrieve(SMALL, { ids: [DAMAGED], with_vector: true, with_payload: false })).toEqual([{ id: DAMAGED, vector: {} }]);
  }, earlier);
});
