// SPDX-License-Identifier: Apache-2.0
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const result = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: unknown) =>
  ((await server.call(method, path, body)).body as { result: unknown }).result;
const refusal = async (method: 'PUT' | 'PATCH' | 'POST', path: string, body: unknown) => {
  const reply = await server.call(method, path, body);
  return [reply.status, (reply.body as { status: { error: string } }).status.error];
};

test.each([
  ['float16', [0.1, -2, 60_000], [0.099975586, -2, 60_000]],
  ['uint8', [0, 7, 255], [0, 7, 255]],
] as const)('vectors of %s are stored, returned and measured as such', async (datatype, sent, stored) => {
  const path = `/collections/${datatype}`;
  await server.call('PUT', path, { vectors: { size: 3, distance: 'Manhattan', datatype } });
  expect(await result('GET', path)).toMatchObject({ config: { params: { vectors: { datatype } } } });
  await server.call('PUT', `${path}/points`, {
    points: [
      { id: 1, vector: sent },
      { id: 2, vector: [1, 1, 1] },
    ],
  });
  expect(await result('POST', `${path}/points`, { ids: [1], with_vector: true })).toEqual([{ id: 1, payload: {}, vector: stored }]);
  expect(await result('POST', `${path}/points/search`, { vector: sent, limit: 1 })).toMatchObject([{ id: 1, score: 0 }]);
});

test('what a datatype cannot hold is refused, and nothing of it is written', async () => {
  await server.call('PUT', '/collections/narrow', { vectors: { bytes: { size: 2, distance: 'Dot', datatype: 'uint8' } } });
  const points = [
    { id: 1, vector: { bytes: [1, 2] } },
    { id: 2, vector: { bytes: [1, 256] } },
  ];
  const sentence = 'vector: component 1 is 256; the datatype uint8 takes numbers from 0 to 255; fractions are dropped';
  expect(await refusal('PUT', '/collections/narrow/points', { points })).toEqual([400, sentence]);
  expect(await result('POST', '/collections/narrow/points/count', {})).toEqual({ count: 0 });
  const query = { vector: { name: 'bytes', vector: [-2.5, 1] }, limit: 1 };
  expect((await refusal('POST', '/collections/narrow/points/search', query))[1]).toContain('component 0 is -2.5');
});

test('a datatype stays, on_disk changes', async () => {
  await server.call('PUT', '/collections/kept', { vectors: { size: 2, distance: 'Dot', on_disk: true } });
  await server.call('PUT', '/collections/kept/points', { points: [{ id: 1, vector: [1, 2] }] });
  expect(await refusal('PATCH', '/collections/kept', { vectors: { '': { datatype: 'float16' } } })).toEqual([
    400,
    expect.stringContaining('a change of the datatype of vectors that there are is not supported by this release'),
  ]);
  for (const on_disk of [false, true]) {
    expect(await result('PATCH', '/collections/kept', { vectors: { '': { on_disk } } })).toBe(true);
    expect(await result('GET', '/collections/kept')).toMatchObject({ config: { params: { vectors: { on_disk } } } });
    expect(await result('POST', '/collections/kept/points/search', { vector: [1, 0], limit: 1 })).toMatchObject([{ id: 1, score: 1 }]);
  }
});
