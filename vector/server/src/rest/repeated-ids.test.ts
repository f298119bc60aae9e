// SPDX-License-Identifier: Apache-2.0
/** Writes that give an id more than once: of an upsert the last point counts, vectors of one id are put together. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing/test-server.ts';

const UUID = '550e8400-e29b-41d4-a716-446655440000';

let server: TestServer;
const call = (method: string, path: string, body?: unknown) => server.call(method, `/collections/things${path}`, body);
beforeAll(async () => {
  server = await testServer();
});
beforeEach(async () => {
  await server.call('PUT', '/collections/things', { vectors: { size: 2, distance: 'Dot' } });
});
afterEach(() => server.reset());
afterAll(() => server[Symbol.asyncDispose]());

const ok = (result: unknown) => ({ usage: { hardware: null }, time: expect.any(Number), status: 'ok', result });
const error = (text: unknown) => ({ time: expect.any(Number), status: { error: text } });
const completed = ok({ operation_id: expect.any(Number), status: 'Completed' });

async function idsThere(): Promise<unknown> {
  const { body } = await call('POST', '/points/scroll', { limit: 100, with_payload: false });
  return (body as { result: { points: { id: unknown }[] } }).result.points.map(({ id }) => id);
}

test.each([
  [
    'points',
    {
      points: [
        { id: 1, vector: [1, 2], payload: { a: 1, b: 1 } },
        { id: 2, vector: [5, 6] },
        { id: 1, vector: [3, 4], payload: { a: 2 } },
      ],
    },
  ],
  [
    'a batch',
    {
      batch: {
        ids: [1, 2, 1],
        vectors: [
          [1, 2],
          [5, 6],
          [3, 4],
        ],
        payloads: [{ a: 1, b: 1 }, null, { a: 2 }],
      },
    },
  ],
])('%s with an id twice keeps the last', async (_, body) => {
  expect((await call('PUT', '/points', body)).body).toEqual(completed);
  expect(await idsThere()).toEqual([1, 2]);
  expect((await call('GET', '/points/1')).body).toEqual(ok({ id: 1, vector: [3, 4], payload: { a: 2 } }));
});

test('an id is the same in another spelling, and where vectors are cut from the body', async () => {
  const long = (component: number) => ({ id: UUID, vector: { long: Array.from({ length: 100 }, () => component) } });
  await server.call('PUT', '/collections/long', { vectors: { long: { size: 100, distance: 'Dot' } } });
  const points = [long(0.1234567), { ...long(0.25), id: UUID.replaceAll('-', '').toUpperCase() }];
  expect((await server.call('PUT', '/collections/long/points', { points })).status).toBe(200);
  expect((await server.call('POST', '/collections/long/points/count', {})).body).toMatchObject({ result: { count: 1 } });
  expect((await server.call('GET', `/collections/long/points/${UUID}`)).body).toMatchObject({ result: long(0.25) });
  await server.call('DELETE', '/collections/long');
});

test.each([
  [{ update_mode: 'insert_only' }, { 1: 0, 2: 4 }],
  [{ update_mode: 'update_only' }, { 1: 3 }],
  [{ update_filter: { must: { key: 'n', match: { value: 0 } } } }, { 1: 3, 2: 4 }],
  [{ update_filter: { must: { key: 'n', match: { value: 1 } } } }, { 1: 0, 2: 4 }],
])('an upsert with ids twice and %j asks what was there before the write', async (condition, expected) => {
  const point = (id: number, n: number) => ({ id, vector: [n, n], payload: { n } });
  await call('PUT', '/points', { points: [point(1, 0)] });
  const points = [point(1, 1), point(2, 2), point(1, 3), point(2, 4)];
  expect((await call('PUT', '/points', { points, ...condition })).status).toBe(200);
  const { body } = await call('POST', '/points/scroll', {});
  const found = (body as { result: { points: { id: number; payload: { n: number } }[] } }).result.points;
  expect(Object.fromEntries(found.map(({ id, payload }) => [id, payload.n]))).toEqual(expected);
});

test('an upsert may have no vectors, which an update may not', async () => {
  expect((await call('PUT', '/points', { points: [{ id: 1, vector: {} }] })).status).toBe(200);
  const reply = await call('PUT', '/points/vectors', {
    points: [
      { id: 1, vector: [1, 2] },
      { id: 1, vector: {} },
    ],
  });
  expect([reply.status, reply.body]).toEqual([400, error('points[1]: must specify vectors to update for point, and `vector` names none')]);
  const { body } = await call('POST', '/points', { ids: [1], with_vector: true });
  expect(body).toEqual(ok([{ id: 1, vector: {}, payload: {} }]));
});

test('the steps of a batch follow each other, whatever ids they share', async () => {
  const point = (vector: number[]) => ({ id: 1, vector });
  const operations = [
    { upsert: { points: [point([1, 1]), point([2, 2])] } },
    { update_vectors: { points: [point([3, 3]), point([4, 4])] } },
    { upsert: { points: [{ id: 2, vector: [5, 5] }] } },
  ];
  expect((await call('POST', '/points/batch', { operations })).status).toBe(200);
  expect((await call('POST', '/points', { ids: [1, 2], with_vector: true })).body).toMatchObject({
    result: [{ vector: [4, 4] }, { vector: [5, 5] }],
  });
});
