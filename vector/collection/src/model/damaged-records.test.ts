/** One record damaged in a known way: who reads it is refused, with the names of the collection and the point; everybody else is served. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { openCollectionStorage, type StorageTransaction } from '@sextant/vector-storage';
import { expect, test } from 'vitest';
import { openEmbeddedEngine } from '../embedded-engine.ts';
import type { Engine } from '../engine.ts';

const POINTS = 300;
const DAMAGED = 7;
const SOUND = 8;
/** Of every third point, the damaged one among them. */
const FILTER = { must: { key: 'n', match: { value: DAMAGED % 3 } } };

const payloadOf = (id: number) => ({ n: id % 3, name: `the film of number ${id}.` });

type Damage = (directory: string) => void;

/** Runs `look` on a collection with a saved graph, of which one record was damaged while nobody had it open. */
async function withDamaged(damage: Damage, look: (engine: Engine) => Promise<void>): Promise<void> {
  await using directory = await temporaryDirectory();
  const open = () => openEmbeddedEngine({ dataDirectory: directory.path, clock: systemClock, random: seededRandom(1) });
  const sound = await open();
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
  damage(join(directory.path, 'collections', '000001'));
  const engine = await open();
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
])('%s is found by %s', async (_damaged, _read, damage, read) => {
  await withDamaged(damage, async (engine) => {
    await expect(read(engine)).rejects.toMatchObject({
      code: 'record_damaged',
      message: expect.stringMatching(new RegExp(`^Collection films: .*point ${DAMAGED}\\b.* is damaged`)),
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
    // The vectors are in memory, and of the records only the heads are read.
    expect(await search({})(engine)).toHaveLength(3);
  });
});
