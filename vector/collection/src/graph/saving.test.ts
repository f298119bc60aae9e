// SPDX-License-Identifier: Apache-2.0
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { manualClock, seededRandom } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { openEmbeddedEngine } from '../embedded-engine.ts';
import { silentLog } from '../model/log.ts';

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
  const end = { isNear: false };
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (_facts: object, sentence: string) => void warnings.push(sentence) };
  const open = () =>
    openEmbeddedEngine({ dataDirectory: directory.path, clock, random: seededRandom(1), log, isHurried: () => end.isNear });
  let engine = await open();
  await engine.createCollection('a', {
    vectors: { size: SIZE, distance: 'Euclid' },
    hnsw_config: { full_scan_threshold: 10 },
    optimizers_config: { indexing_threshold: 1 },
  });
  const folder = join(directory.path, 'collections', '000001');
  const graph = join(folder, 'graph-0.bin');
  const restart = async () => {
    await engine.close();
    end.isNear = false;
    engine = await open();
    return engine;
  };
  const dispose = async () => {
    await engine.close();
    await directory[Symbol.asyncDispose]();
  };
  return { engine, clock, folder, graph, end, warnings, restart, [Symbol.asyncDispose]: dispose };
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

test('a graph that is not saved for want of time leaves the saved one whole, and the next start links the rest', async () => {
  await using saved = await subject();
  const { clock, end, folder, graph, warnings } = saved;
  await write(saved, 0);
  clock.advance(QUIET_MS);
  await until(() => existsSync(graph));
  const before = readFileSync(graph);
  await write(saved, POINTS);
  end.isNear = true;
  clock.advance(PAUSE_MS);
  await until(() => warnings.length > 0);
  expect(warnings[0]).toContain('the service stops before its graph is saved');
  const engine = await saved.restart();
  expect(readFileSync(graph).equals(before)).toBe(true);
  expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([]);
  await until(async () => (await engine.collectionInfo('a')).status === 'green');
  expect((await engine.collectionInfo('a')).indexed_vectors_count).toBe(2 * POINTS);
});
