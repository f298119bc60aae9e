// SPDX-License-Identifier: Apache-2.0
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { openCollectionReader } from '@sextant/vector-storage';
import { expect, test } from 'vitest';
import { openEmbeddedEngine } from '../embedded-engine.ts';

const LINE = { size: 1, distance: 'Euclid' } as const;
/** More than are cleared in one transaction. */
const POINTS = 5000;
const LOOKS_MAX = 2000;

async function until(fact: () => boolean): Promise<void> {
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    if (fact()) return;
    await new Promise<void>((resolve) => setTimeout(resolve, 5));
  }
  throw new Error('it did not come to be');
}

test('what a process that ended left of a removed vector, the next one clears', async () => {
  await using scratch = await temporaryDirectory();
  const open = () => openEmbeddedEngine({ dataDirectory: scratch.path, clock: systemClock, random: seededRandom(1) });
  const directory = join(scratch.path, 'collections', '000001');
  let engine = await open();
  await engine.createCollection('a', { vectors: { one: LINE, two: LINE }, optimizers_config: { indexing_threshold: 1 } });
  await engine.upsert(
    'a',
    Array.from({ length: POINTS }, (_, id) => ({ id, vector: { one: [id], two: [id] } })),
  );
  await engine.deleteVector('a', 'one');
  // Before the clearing has come far.
  await engine.close();

  engine = await open();
  const storage = openCollectionReader({ directory });
  const left = () => {
    storage.refresh();
    return [...storage.vectors(0)].length;
  };
  await until(() => left() === 0 && !readdirSync(directory).includes('graph-0.bin'));
  const leaving = () => {
    storage.refresh();
    return (storage.document('config') as { places: { dense: { leaving: unknown } } }).places.dense.leaving;
  };
  await until(() => JSON.stringify(leaving()) === '[]');
  expect([...storage.vectors(1)]).toHaveLength(POINTS);
  await engine.createVector('a', 'three', { dense: LINE });
  await engine.updateVectors('a', [{ id: 5, vector: { three: [1] } }]);
  storage.refresh();
  expect([...storage.vectors(0)].map(({ vector }) => [...vector])).toEqual([[1]]);
  // The number of the removed vector says nothing of the one that has it now.
  expect(await engine.retrieve('a', { ids: [5, 6], with_vector: true, with_payload: false })).toEqual([
    { id: 5, vector: { two: [5], three: [1] } },
    { id: 6, vector: { two: [6] } },
  ]);
  storage.close();
  await engine.close();
});

test('a vector that memory has no room for is refused, and everything is as it was', async () => {
  await using scratch = await temporaryDirectory();
  const vectorMemoryBytes = 8 * 1024 * 1024;
  const engine = await openEmbeddedEngine({
    dataDirectory: scratch.path,
    clock: systemClock,
    random: seededRandom(1),
    vectorMemoryBytes,
  });
  await engine.createCollection('a', { vectors: { one: LINE } });
  await engine.upsert(
    'a',
    Array.from({ length: POINTS }, (_, id) => ({ id, vector: { one: [id] } })),
  );
  await expect(engine.createVector('a', 'wide', { dense: { size: 4096, distance: 'Dot' } })).rejects.toMatchObject({
    code: 'memory_exhausted',
  });
  expect((await engine.collectionInfo('a')).config.params).toMatchObject({ vectors: { one: LINE } });
  await engine.createVector('a', 'narrow', { dense: LINE });
  await engine.updateVectors('a', [{ id: 1, vector: { narrow: [1] } }]);
  expect((await engine.nearest('a', { vector: [0], using: 'narrow', limit: 2 })).map(({ id }) => id)).toEqual([1]);
  await engine.close();
});
