// SPDX-License-Identifier: Apache-2.0
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { roundsOf, temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { openEmbeddedEngine } from '../embedded-engine.ts';
import type { Engine } from '../engine.ts';
import type { Log } from '../model/log.ts';

/** Wide vectors, so that few of them take the memory that is worth releasing; ones, so that they are quickly linked. */
const SIZE = 16_384;
/** Memory is released from 32 MiB on. */
const POINTS = 520;
const KEPT = 60;
const LOOKS_MAX = 3000;

function messages() {
  const logged: string[] = [];
  const tell = (_: object, message: string) => void logged.push(message);
  return { logged, log: { info: tell, warn: tell, error: tell } };
}

type Options = { readonly log?: Log; readonly rowsPerShard?: number | undefined };

async function open(dataDirectory: string, options: Options = {}): Promise<Engine> {
  return openEmbeddedEngine({ dataDirectory, clock: systemClock, random: seededRandom(1), ...options });
}

async function until(fact: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    if (await fact()) return;
    await new Promise<void>((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('it did not come to be');
}

/** They differ by one component, which grows with the id. */
function point(id: number) {
  const vector: number[] = Array(SIZE).fill(0);
  vector[0] = id;
  return { id, vector, payload: { even: id % 2 === 0, id } };
}

async function put(engine: Engine, from: number, to: number): Promise<void> {
  for (let id = from; id < to; id += 50)
    await engine.upsert(
      'a',
      Array.from({ length: Math.min(50, to - id) }, (_, index) => point(id + index)),
    );
}

async function expectRight(engine: Engine, ids: readonly number[]): Promise<void> {
  expect(await engine.count('a', {})).toBe(ids.length);
  for (const id of ids.filter((_, index) => index % 7 === 0)) {
    const nearest = await engine.nearest('a', { vector: point(id).vector, limit: 1, with_payload: true, params: { exact: true } });
    expect(nearest).toMatchObject([{ id, score: 0, payload: { id } }]);
  }
  const even = await engine.count('a', { filter: { must: { key: 'even', match: { value: true } } } });
  expect(even).toBe(ids.filter((id) => id % 2 === 0).length);
}

const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

/** The first is the quick one: each of its shards has a graph. */
const cases = [
  { indexing: 'with many shards', indexing_threshold: 1, rowsPerShard: 128 },
  { indexing: 'with a graph', indexing_threshold: 1 },
  { indexing: 'without a graph', indexing_threshold: 0 },
];

test.each(cases.slice(0, roundsOf({ quick: 1, long: cases.length })))(
  'a collection that has shrunk moves to the front and releases the rest, $indexing',
  async ({ indexing_threshold, rowsPerShard }) => {
    await using scratch = await temporaryDirectory();
    const { logged, log } = messages();
    const engine = await open(scratch.path, { log, rowsPerShard });
    try {
      await engine.createCollection('a', {
        vectors: { size: SIZE, distance: 'Euclid' },
        hnsw_config: { m: 8, ef_construct: 32 },
        optimizers_config: { indexing_threshold },
      });
      await engine.createFieldIndex('a', 'even', { type: 'bool' });
      await put(engine, 0, POINTS);
      const version = (await engine.nearest('a', { vector: point(POINTS - 1).vector, limit: 1 }))[0]?.version;
      await engine.deletePoints('a', { points: ids(0, POINTS - KEPT) });
      // Writes go on meanwhile.
      await put(engine, 2000, 2020);
      const left = [...ids(POINTS - KEPT, POINTS), ...ids(2000, 2020)];
      await expectRight(engine, left);
      // While it moves points, all are found.
      await until(async () => {
        const isReleased = logged.includes('memory of deleted points released');
        await expectRight(engine, left);
        return isReleased;
      });
      expect(await engine.nearest('a', { vector: point(POINTS - 1).vector, limit: 1 })).toMatchObject([{ id: POINTS - 1, version }]);
      await put(engine, 3000, 3060);
      await engine.deletePoints('a', { points: [2000] });
      await until(async () => (await engine.collectionInfo('a')).status === 'green');
      await expectRight(engine, [...left.filter((id) => id !== 2000), ...ids(3000, 3060)]);
    } finally {
      await engine.close();
    }
    const again = await open(scratch.path, { rowsPerShard });
    await expectRight(again, [...ids(POINTS - KEPT, POINTS), ...ids(2001, 2020), ...ids(3000, 3060)]);
    await again.close();
  },
);
