import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { openEmbeddedEngine } from './embedded-engine.ts';

const COLLECTIONS = 12;
const POINTS = 8000;
const DIMENSION = 512;
const BYTES_OF_ONE = POINTS * DIMENSION * Float32Array.BYTES_PER_ELEMENT;
const ROUNDS_MAX = 200;

/** Node hides the collector behind a flag, which can be set late. */
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Memory of a collection is unmapped by the collector's finalisers, some turns after the last reference has gone. */
async function residentBelow(bytes: number): Promise<boolean> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    collectGarbage();
    await new Promise<void>((resolve) => setTimeout(resolve, 5));
    if (process.memoryUsage.rss() < bytes) return true;
  }
  return false;
}

test('a deleted collection gives its memory back', async () => {
  await using scratch = await temporaryDirectory();
  const engine = await openEmbeddedEngine({ dataDirectory: scratch.path, clock: systemClock, random: seededRandom(1) });
  const makeAndDelete = async () => {
    // Without a graph: what is measured is the memory of vectors, and building would only take long.
    await engine.createCollection('a', { vectors: { size: DIMENSION, distance: 'Dot' }, optimizers_config: { indexing_threshold: 0 } });
    for (let from = 0; from < POINTS; from += 2000) {
      await engine.upsert(
        'a',
        Array.from({ length: 2000 }, (_, index) => ({ id: from + index, vector: new Float32Array(DIMENSION).fill(index) })),
      );
    }
    await engine.nearest('a', { vector: new Float32Array(DIMENSION).fill(1), limit: 1 });
    await engine.deleteCollection('a');
  };
  // The first one pays for what the process needs in any case.
  await makeAndDelete();
  expect(await residentBelow(Number.POSITIVE_INFINITY)).toBe(true);
  const before = process.memoryUsage.rss();
  for (let round = 0; round < COLLECTIONS; round++) await makeAndDelete();
  // The JavaScript heap breathes by some tens of megabytes; collections that stay would hold twice the bound.
  expect(await residentBelow(before + (COLLECTIONS / 2) * BYTES_OF_ONE)).toBe(true);
  await engine.close();
});
