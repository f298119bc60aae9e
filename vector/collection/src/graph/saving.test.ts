import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { manualClock, seededRandom } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { openEmbeddedEngine } from '../embedded-engine.ts';

const SIZE = 8;
/** More than must have changed at least. */
const POINTS = 1200;
const PAUSE_MS = 30_000;
const QUIET_MS = 1000;
/** The indexer looks again after so long. */
const LOOK_MS = 5;

async function subject() {
  const directory = await temporaryDirectory();
  const clock = manualClock();
  const engine = await openEmbeddedEngine({ dataDirectory: directory.path, clock, random: seededRandom(1) });
  await engine.createCollection('a', {
    vectors: { size: SIZE, distance: 'Euclid' },
    hnsw_config: { full_scan_threshold: 10 },
    optimizers_config: { indexing_threshold: 1 },
  });
  const graph = join(directory.path, 'collections', '000001', 'graph-0.bin');
  const dispose = async () => {
    await engine.close();
    await directory[Symbol.asyncDispose]();
  };
  return { engine, clock, graph, [Symbol.asyncDispose]: dispose };
}

const random = seededRandom(5);

/** Upserts points and waits until they are in the graph and the indexer has looked at it a few times more. */
async function write({ engine, clock }: Awaited<ReturnType<typeof subject>>, firstId: number): Promise<void> {
  const points = Array.from({ length: POINTS }, (_, index) => {
    return { id: firstId + index, vector: Array.from({ length: SIZE }, () => Math.fround(random.next())) };
  });
  await engine.upsert('a', points);
  await until(async () => (await engine.collectionInfo('a')).status === 'green');
  for (let look = 0; look < 10; look++) {
    clock.advance(LOOK_MS);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

async function until(fact: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < 5000; looks++) {
    if (await fact()) return;
    await new Promise<void>((resolve) => setTimeout(resolve, 2));
  }
  throw new Error('it has not come true');
}

test('a graph is saved once it is quiet, not in a lull between two writes', async () => {
  await using saved = await subject();
  const { clock, graph } = saved;
  await write(saved, 0);
  await write(saved, POINTS);
  expect(existsSync(graph)).toBe(false);
  clock.advance(QUIET_MS);
  await until(() => existsSync(graph));
});

test('a graph that is never quiet is saved all the same, after a while', async () => {
  await using saved = await subject();
  const { clock, graph } = saved;
  clock.advance(PAUSE_MS);
  // The clock hardly moves, so it is never quiet.
  await write(saved, 0);
  await until(() => existsSync(graph));
  rmSync(graph);
  await write(saved, POINTS);
  expect(existsSync(graph)).toBe(false);
  clock.advance(PAUSE_MS);
  await until(() => existsSync(graph));
});
