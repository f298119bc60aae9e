/** What answers 501 until it is switched on. */
import { builtCapabilities } from '@sextant/contracts-vector';
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

  test('of a query with prefetches group what it finds', async () => {
    const body = { prefetch: [{ query: [1, 0], limit: 4 }], query: { fusion: 'rrf' }, group_by: 'kind', group_size: 9 };
    expect(await groupsOf('/query/groups', body)).toEqual([
      ['a', [1, 2, 3]],
      ['b', [4]],
      ['c', [4]],
    ]);
  });

  test('of recommendations leave the examples out', async () => {
    expect(await groupsOf('/recommend/groups', { positive: [1], group_by: 'kind', group_size: 1, limit: 1 })).toEqual([['a', [2]]]);
  });

  test.each([
    [{ vector: [1, 0] }, 'body: required member `group_by` is missing'],
    [{ vector: [1, 0], group_by: 'kind', group_size: 0 }, 'group_size: expected an integer from 1 to 10000, got 0'],
    [{ vector: [1, 0], group_by: 'kind', with_lookup: 'nowhere', limit: 1 }, undefined],
  ])('refuse %j', async (body, reason) => {
    const reply = await call('/search/groups', body);
    if (reason === undefined) expect(idsOf((reply.body as { result: { groups: unknown } }).result.groups)).toEqual(['a']);
    else expect([reply.status, reply.body]).toEqual([400, expect.objectContaining({ status: { error: reason } })]);
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
