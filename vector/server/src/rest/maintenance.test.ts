// SPDX-License-Identifier: Apache-2.0
/** Maintenance and status over HTTP. */
import { seededRandom } from '@sextant/foundation-std';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing/test-server.ts';

let server: TestServer;
const COUNT = 700;
const SIZE = 8;
const random = seededRandom(11);
const vectorOf = () => Array.from({ length: SIZE }, () => random.next());

beforeAll(async () => {
  server = await testServer({ capabilities: ['maintenance', 'status'] });
  await server.call('PUT', '/collections/things', {
    vectors: { size: SIZE, distance: 'Euclid' },
    // Above it there is a graph.
    optimizers_config: { indexing_threshold: 10, deleted_threshold: 1 },
  });
  const points = Array.from({ length: COUNT }, (_, id) => ({ id, vector: vectorOf() }));
  await server.call('PUT', '/collections/things/points', { points });
});
afterAll(() => server[Symbol.asyncDispose]());

const resultOf = async (method: string, path: string, body?: unknown) => {
  const reply = await server.call(method, `/collections/things${path}`, body);
  expect([reply.status, reply.body]).toEqual([200, expect.anything()]);
  return (reply.body as { result: unknown }).result;
};
const idsOf = (hits: unknown) => (hits as { id: number }[]).map(({ id }) => id);
const search = (exact: boolean) =>
  resultOf('POST', '/points/search', { vector: Array(SIZE).fill(0.5), limit: 10, params: { exact, hnsw_ef: 200 } });

test('flush answers the number of the last write', async () => {
  const { operation_id: written } = (await resultOf('PUT', '/points', { points: [{ id: 0, vector: vectorOf() }] })) as {
    operation_id: number;
  };
  expect(await resultOf('POST', '/operations/flush')).toEqual({ operation_id: written, status: 'Completed' });
});

test('optimize ends when everything is linked and nothing deleted is left in the graph', async () => {
  expect(await resultOf('POST', '/operations/optimize')).toBe(true);
  expect(await resultOf('GET', '/status')).toMatchObject({
    status: 'green',
    points_count: COUNT,
    indexed_vectors_count: COUNT,
    vectors: { '': { vectors: COUNT, indexed: COUNT, pending: 0, graph: true, shards: 1, memory_bytes: expect.any(Number) } },
    operations: { optimize: 'idle', rebuild_index: 'idle' },
  });
  expect(await resultOf('GET', '/optimizations?with=queued,completed&completed_limit=3')).toEqual({
    summary: { queued_optimizations: 0, queued_segments: 0, queued_points: 0, idle_segments: 1 },
    running: [],
    queued: [],
    completed: [
      {
        uuid: expect.stringMatching(/^[\da-f-]{36}$/),
        optimizer: 'indexing',
        status: 'done',
        segments: [{ uuid: expect.any(String), points_count: COUNT }],
        progress: {
          name: 'graph',
          started_at: expect.stringMatching(/Z$/),
          finished_at: expect.stringMatching(/Z$/),
          duration_sec: expect.any(Number),
          done: COUNT,
          total: COUNT,
        },
      },
    ],
  });
  expect(await resultOf('GET', '/optimizations')).toEqual({ summary: expect.anything(), running: [] });
  expect(await resultOf('GET', '/optimizations?with=idle_segments')).toMatchObject({ idle_segments: [{ points_count: COUNT }] });
  await resultOf('POST', '/points/delete', { points: Array.from({ length: 100 }, (_, id) => id) });
  expect(await resultOf('POST', '/operations/optimize?wait=true')).toBe(true);
  expect(await resultOf('GET', '/status')).toMatchObject({ points_count: COUNT - 100, indexed_vectors_count: COUNT - 100 });
});

test('rebuild_index rebuilds the graph, while searches and writes go on', async () => {
  const before = await search(true);
  const rebuilding = resultOf('POST', '/operations/rebuild_index');
  let isRebuilding = true;
  void rebuilding.finally(() => {
    isRebuilding = false;
  });
  const seen = new Set<unknown>();
  for (let id = 10_000; isRebuilding; id++) {
    const { operations, indexed_vectors_count: indexed } = (await resultOf('GET', '/status')) as {
      operations: { rebuild_index: unknown };
      indexed_vectors_count: number;
    };
    seen.add(typeof operations.rebuild_index);
    // The former graph is there until the new one is.
    expect(indexed).toBeGreaterThanOrEqual(COUNT - 200);
    await resultOf('PUT', '/points', { points: [{ id, vector: Array(SIZE).fill(9) }] });
    await resultOf('POST', '/points/delete', { points: [id] });
    expect(idsOf(await search(false))).toEqual(idsOf(before));
  }
  expect(await rebuilding).toBe(true);
  expect(seen).toContain('object');
  expect(await search(true)).toEqual(before);
  expect(idsOf(await search(false))).toEqual(idsOf(before));
  expect(await resultOf('GET', '/status')).toMatchObject({ indexed_vectors_count: COUNT - 100, operations: { rebuild_index: 'idle' } });
});

test('who does not wait is answered at once, and of a collection that there is not the truth', async () => {
  for (const operation of ['optimize', 'rebuild_index']) {
    expect(await resultOf('POST', `/operations/${operation}?wait=false`)).toBe(true);
    expect((await server.call('POST', `/collections/none/operations/${operation}?wait=false`)).status).toBe(404);
  }
  expect((await server.call('POST', '/collections/none/operations/flush')).status).toBe(404);
  expect((await server.call('GET', '/collections/none/status')).status).toBe(404);
  await resultOf('POST', '/operations/optimize');
});
