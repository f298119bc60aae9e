// SPDX-License-Identifier: Apache-2.0
/** What answers 501 until it is switched on. */
import { builtCapabilities } from '@sextant/contracts-vector';
import { seededRandom } from '@sextant/foundation-std';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing/test-server.ts';

let server: TestServer;
const call = (path: string, body: unknown) => server.call('POST', `/collections/things/points${path}`, body);

beforeAll(async () => {
  server = await testServer({ capabilities: builtCapabilities });
  await server.call('PUT', '/collections/kinds', { vectors: { size: 1, distance: 'Dot' } });
  await server.call('PUT', '/collections/kinds/points', { points: [{ id: 7, vector: [1], payload: { name: 'seven' } }] });
  await server.call('PUT', '/collections/things', { vectors: { size: 2, distance: 'Dot' } });
  await server.call('PUT', '/collections/things/points', {
    points: [
      { id: 1, vector: [0.9, 0], payload: { kind: 'a', n: 7 } },
      { id: 2, vector: [0.8, 0.1], payload: { kind: 'a', n: 7 } },
      { id: 3, vector: [0.7, 0.2], payload: { kind: 'a' } },
      { id: 4, vector: [0.6, 0.3], payload: { kind: ['b', 'c'], n: 8 } },
      { id: 5, vector: [0.5, 0.4], payload: { kind: 'b' } },
      { id: 6, vector: [0.4, 0.5], payload: { kind: 2.5 } },
      { id: 8, vector: [0.3, 0.6] },
    ],
  });
});
afterAll(() => server[Symbol.asyncDispose]());

const idsOf = (hits: unknown) => (hits as { id: unknown }[]).map(({ id }) => id);
const resultOf = async (path: string, body: unknown) => {
  const reply = await call(path, body);
  expect([reply.status, reply.body]).toEqual([200, expect.anything()]);
  return (reply.body as { result: unknown }).result;
};
const groupsOf = async (path: string, body: unknown) => {
  const { groups } = (await resultOf(path, body)) as { groups: { id: unknown; hits: unknown; lookup?: unknown }[] };
  return groups.map(({ id, hits }) => [id, idsOf(hits)]);
};

describe('grouped searches', () => {
  test('have the best hits of each group, the group of the best hit first', async () => {
    expect(await groupsOf('/search/groups', { vector: [1, 0], group_by: 'kind', group_size: 2, limit: 9 })).toEqual([
      ['a', [1, 2]],
      ['b', [4, 5]],
      ['c', [4]],
    ]);
  });

  test('look on while a group that has enough hides the others', async () => {
    expect(await groupsOf('/search/groups', { vector: [1, 0], group_by: 'kind', group_size: 1, limit: 2 })).toEqual([
      ['a', [1]],
      ['b', [4]],
    ]);
  });

  test('show payloads, vectors, and the point that a group is named after', async () => {
    const body = {
      query: [1, 0],
      group_by: 'n',
      limit: 2,
      with_payload: ['kind'],
      with_lookup: { collection: 'kinds', with_payload: true },
    };
    expect(await resultOf('/query/groups', body)).toEqual({
      groups: [
        {
          id: 7,
          hits: [
            { id: 1, version: expect.any(Number), score: 0.9, payload: { kind: 'a' } },
            { id: 2, version: expect.any(Number), score: 0.8, payload: { kind: 'a' } },
          ],
          lookup: { id: 7, payload: { name: 'seven' } },
        },
        { id: 8, hits: [{ id: 4, version: expect.any(Number), score: 0.6, payload: { kind: ['b', 'c'] } }] },
      ],
    });
  });

  test('of a query with prefetches group what these find when they are asked for as much more as a group holds', async () => {
    const body = { prefetch: [{ query: [1, 0], limit: 1 }], query: { fusion: 'rrf' }, group_by: 'kind', group_size: 5 };
    expect(await groupsOf('/query/groups', body)).toEqual([
      ['a', [1, 2, 3]],
      ['b', [4, 5]],
      ['c', [4]],
    ]);
  });

  test('of recommendations leave the examples out', async () => {
    expect(await groupsOf('/recommend/groups', { positive: [1], group_by: 'kind', group_size: 1, limit: 1 })).toEqual([['a', [2]]]);
  });

  test.each([
    [{ vector: [1, 0] }, 'body: required member `group_by` is missing'],
    [{ vector: [1, 0], group_by: 'kind', group_size: 0 }, 'group_size: expected an integer from 1 to 10000, got 0'],
    [{ vector: [1, 0], group_by: 'kind', with_lookup: 'nowhere', limit: 1 }, 'Collection not found: nowhere', 404],
    [{ vector: [1, 0], group_by: 'a[', limit: 1 }, expect.stringMatching(/^group_by: /)],
  ])('refuse %j', async (body, reason, status = 400) => {
    const reply = await call('/search/groups', body);
    expect([reply.status, reply.body]).toEqual([status, expect.objectContaining({ status: { error: reason } })]);
  });

  test('are as many and as full as the points allow, on every endpoint', async () => {
    const random = seededRandom(5);
    const vector = () => Array.from({ length: 4 }, () => Math.fround(random.next() * 2 - 1));
    const points = Array.from({ length: 300 }, (_, id) => ({ id, vector: vector(), payload: { g: random.integer(30) } }));
    await server.call('PUT', '/collections/many', { vectors: { size: 4, distance: 'Cosine' } });
    await server.call('PUT', '/collections/many/points', { points });
    const groupOf = new Map(points.map(({ id, payload }) => [id, payload.g]));
    const ask = async (path: string, body: object) =>
      ((await server.call('POST', `/collections/many/points${path}`, body)).body as { result: object }).result;
    const grouping = { group_by: 'g', group_size: 5, limit: 3 };
    for (let round = 0; round < 6; round++) {
      const query = vector();
      const examples = { positive: [round, query], negative: [round + 100] };
      const [found, recommended] = [await ask('/query', { query, limit: 300 }), await ask('/recommend', { ...examples, limit: 300 })];
      const expected = (hits: unknown) => {
        const groups = Map.groupBy(idsOf(hits), (id) => groupOf.get(Number(id)));
        return Array.from(groups, ([id, ids]) => [id, ids.slice(0, 5)]).slice(0, 3);
      };
      const answered = async (path: string, body: object) => {
        const { groups } = (await ask(path, { ...body, ...grouping })) as { groups: { id: unknown; hits: unknown }[] };
        return groups.map(({ id, hits }) => [id, idsOf(hits)]);
      };
      expect(await answered('/search/groups', { vector: query })).toEqual(expected((found as { points: unknown }).points));
      expect(await answered('/query/groups', { query })).toEqual(expected((found as { points: unknown }).points));
      expect(await answered('/recommend/groups', examples)).toEqual(expected(recommended));
    }
    await server.call('DELETE', '/collections/many');
  });
});

test('recommendations are near their examples, which are left out', async () => {
  expect(idsOf(await resultOf('/recommend', { positive: [1], limit: 2 }))).toEqual([2, 3]);
  expect(idsOf(await resultOf('/recommend', { positive: [1], negative: [8], strategy: 'best_score', limit: 1 }))).toEqual([2]);
  const batch = await resultOf('/recommend/batch', {
    searches: [
      { positive: [1], limit: 1 },
      { positive: [[0, 1]], limit: 1 },
    ],
  });
  expect((batch as unknown[]).map(idsOf)).toEqual([[2], [8]]);
  expect((await call('/recommend', { positive: [99], limit: 1 })).status).toBe(404);
});

test('discovery looks on the right side of its pairs', async () => {
  const context = [{ positive: 8, negative: 1 }];
  expect(idsOf(await resultOf('/discover', { target: [1, 0], context, limit: 1 }))).toEqual([6]);
  expect(idsOf(await resultOf('/discover', { context, limit: 1 }))).toEqual([6]);
  const batch = await resultOf('/discover/batch', { searches: [{ target: 1, limit: 1 }] });
  expect((batch as unknown[]).map(idsOf)).toEqual([[2]]);
  const reply = await call('/discover', { limit: 1 });
  expect([reply.status, reply.body]).toEqual([
    400,
    expect.objectContaining({ status: { error: 'body: required member `target` or `context` is missing' } }),
  ]);
});
