// SPDX-License-Identifier: Apache-2.0
/**
 * Shards that are opened in a service of several threads. A start of it from source, which no other test needs, takes five seconds of processor time:
 * the tests of `broadcast.ts`, of the writer and of the views of a collection show the parts of it quickly.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { readVectorConfiguration } from '../configuration.ts';
import { startVectorService } from './supervisor.ts';

/** They search exactly: what they miss, no graph has lost. */
const SEARCHERS = 4;
const ROUNDS = 60;
/** Points that are there from the beginning and are written again and again, each time in another row. */
const STABLE = 40;
const NEW_PER_ROUND = 40;

async function startService() {
  const directory = mkdtempSync(join(tmpdir(), 'sextant-shards-'));
  const outcome = readVectorConfiguration(
    {
      SERVICE_DATA_DIR: directory,
      SERVICE_REST_PORT: '0',
      SERVICE_GRPC_PORT: '0',
      SERVICE_THREADS: '2',
      SERVICE_LOG_LEVEL: 'silent',
    },
    [],
  );
  if (outcome.kind !== 'ready') throw new Error('the configuration is complete');
  const service = await startVectorService({ configuration: outcome.configuration, seed: 1, startedMs: 0, rowsPerShard: 64 });
  await service.ready;
  return {
    call: async <Result>(method: string, path: string, body?: unknown): Promise<Result> => {
      const request = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
      const response = await fetch(service.address + path, { method, ...request });
      if (!response.ok) throw new Error(await response.text());
      // Each answer is an object with a result, of the shape that its caller knows.
      return ((await response.json()) as { result: Result }).result;
    },
    [Symbol.asyncDispose]: async () => {
      await service.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

test('shards are opened while two threads search, and no search misses a point', async () => {
  await using service = await startService();
  const { call } = service;
  const nearestId = async (position: number) =>
    (
      await call<{ id: number }[]>('POST', '/collections/c/points/search', {
        vector: [position, 0, 0, 0],
        limit: 1,
        params: { exact: true },
      })
    )[0]?.id;
  const point = (position: number) => ({ id: position, vector: [position, 0, 0, 0] });

  await call('PUT', '/collections/c', {
    vectors: { size: 4, distance: 'Euclid' },
    hnsw_config: { m: 8, ef_construct: 40 },
    optimizers_config: { indexing_threshold: 1 },
  });
  const stable = Array.from({ length: STABLE }, (_, position) => point(position));
  await call('PUT', '/collections/c/points', { points: stable });

  let stopped = false;
  let searches = 0;
  const searchers = Array.from({ length: SEARCHERS }, async (_, seed) => {
    const random = seededRandom(seed);
    while (!stopped) {
      const position = random.integer(STABLE);
      expect(await nearestId(position)).toBe(position);
      searches++;
    }
  });
  const failed = Promise.all(searchers);
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const first = 1000 + round * NEW_PER_ROUND;
      const added = Array.from({ length: NEW_PER_ROUND }, (_, index) => point(first + index));
      await Promise.race([failed, call('PUT', '/collections/c/points', { points: [...stable, ...added] })]);
      // Whichever thread answers.
      const found = await Promise.all(Array.from({ length: SEARCHERS }, () => nearestId(first + NEW_PER_ROUND - 1)));
      expect(new Set(found)).toEqual(new Set([first + NEW_PER_ROUND - 1]));
    }
  } finally {
    stopped = true;
  }
  await failed;
  expect(searches).toBeGreaterThan(ROUNDS);
  const { segments_count: shards, points_count: points } = await call<{ segments_count: number; points_count: number }>(
    'GET',
    '/collections/c',
  );
  expect(shards).toBeGreaterThanOrEqual((STABLE + ROUNDS * NEW_PER_ROUND) / 64);
  expect(points).toBe(STABLE + ROUNDS * NEW_PER_ROUND);
});
