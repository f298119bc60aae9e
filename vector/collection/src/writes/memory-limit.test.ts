// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { openEmbeddedEngine } from '../embedded-engine.ts';

const SIZE = 1024;
const MEBIBYTE = 2 ** 20;

function points(from: number, count: number) {
  return Array.from({ length: count }, (_, index) => ({ id: from + index, vector: Array.from({ length: SIZE }, () => from + index) }));
}

test('a write beyond the memory of all collections is refused whole, and what was accepted is loaded under any limit', async () => {
  await using scratch = await temporaryDirectory();
  const open = (vectorMemoryBytes: number) =>
    openEmbeddedEngine({ dataDirectory: join(scratch.path, 'data'), clock: systemClock, random: seededRandom(1), vectorMemoryBytes });
  const exhausted = { code: 'memory_exhausted', message: expect.stringContaining('SERVICE_VECTOR_MEMORY_BYTES') };
  let engine = await open(6 * MEBIBYTE);
  for (const name of ['a', 'b']) await engine.createCollection(name, { vectors: { size: SIZE, distance: 'Euclid' } });
  await expect(engine.upsert('a', points(0, 1500))).rejects.toMatchObject(exhausted);
  expect(await engine.count('a', {})).toBe(0);
  await engine.upsert('a', points(0, 600));
  // The memory of one counts for the other.
  await expect(engine.upsert('b', points(0, 600))).rejects.toMatchObject(exhausted);
  await engine.deleteCollection('a');
  await engine.upsert('b', points(0, 600));
  await engine.close();

  engine = await open(MEBIBYTE);
  expect((await engine.nearest('b', { vector: points(599, 1)[0]?.vector ?? [], limit: 1 }))[0]).toMatchObject({ id: 599, score: 0 });
  await expect(engine.upsert('b', points(600, 600))).rejects.toMatchObject(exhausted);
  await engine.close();
});
