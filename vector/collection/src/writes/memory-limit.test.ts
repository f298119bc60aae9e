// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { openEmbeddedEngine } from '../embedded-engine.ts';

const SIZE = 1024;
const MEBIBYTE = 2 ** 20;

function points(from: number, count: number) {
  return Array.from({ length: count }, (_, index) => ({ id: from + index, vector: Array<number>(SIZE).fill(from + index) }));
}

test('a write beyond the memory is refused whole, others make room where nobody uses them, and what was accepted is loaded under any limit', async () => {
  await using scratch = await temporaryDirectory();
  const open = (vectorMemoryBytes: number) =>
    openEmbeddedEngine({ dataDirectory: join(scratch.path, 'data'), clock: systemClock, random: seededRandom(1), vectorMemoryBytes });
  const exhausted = { code: 'memory_exhausted', message: expect.stringContaining('SERVICE_VECTOR_MEMORY_BYTES') };
  let engine = await open(6 * MEBIBYTE);
  for (const name of ['a', 'b']) await engine.createCollection(name, { vectors: { size: SIZE, distance: 'Euclid' } });
  await expect(engine.upsert('a', points(0, 1500))).rejects.toMatchObject(exhausted);
  expect(await engine.count('a', {})).toBe(0);
  await engine.upsert('a', points(0, 600));
  // Both have no room: the one that nobody uses is closed.
  await engine.upsert('b', points(0, 600));
  await expect(engine.upsert('b', points(600, 1500))).rejects.toMatchObject(exhausted);
  expect((await engine.collectionStatus('a')).state).toBe('released');
  expect(await engine.count('a', {})).toBe(600);
  expect((await engine.collectionStatus('b')).state).toBe('released');
  await engine.close();

  engine = await open(MEBIBYTE);
  expect((await engine.nearest('b', { vector: points(599, 1)[0]?.vector ?? [], limit: 1 }))[0]).toMatchObject({ id: 599, score: 0 });
  await expect(engine.upsert('b', points(600, 600))).rejects.toMatchObject(exhausted);
  await engine.close();
});
