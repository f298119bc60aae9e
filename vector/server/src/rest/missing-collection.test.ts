// SPDX-License-Identifier: Apache-2.0
/** What a request asks for, and be it nothing, makes no difference where there is no such collection. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer({ capabilities: ['recommendations', 'discovery', 'groups'] });
  await server.call('PUT', '/collections/named', { vectors: { a: { size: 2, distance: 'Dot' } } });
  await server.call('PUT', '/collections/plain', { vectors: { size: 2, distance: 'Dot' } });
  await server.call('PUT', '/collections/plain/points', { points: [{ id: 1, vector: {} }] });
  await server.call('PUT', '/collections/named/points', { points: [{ id: 1, vector: {} }] });
});
afterAll(() => server[Symbol.asyncDispose]());

test.each([
  ['POST', '/points/search/batch', { searches: [] }],
  ['POST', '/points/query/batch', { searches: [] }],
  ['POST', '/points/recommend/batch', { searches: [] }],
  ['POST', '/points/discover/batch', { searches: [] }],
  ['POST', '/points/batch', { operations: [] }],
  ['POST', '/points', { ids: [] }],
  ['PUT', '/points', { points: [] }],
  ['PUT', '/points/vectors', { points: [] }],
  ['POST', '/points/delete', { points: [] }],
  ['POST', '/points/payload', { payload: {}, points: [] }],
  ['POST', '/points/payload/clear', { points: [] }],
])('%s %s of nothing is 404 without the collection', async (method, path, body) => {
  const reply = await server.call(method, `/collections/nowhere${path}`, body);
  expect([reply.status, reply.body]).toMatchObject([404, { status: { error: 'Collection not found: nowhere' } }]);
});

test('batches of nothing are answered with nothing where there is one', async () => {
  for (const kind of ['search', 'query', 'recommend', 'discover']) {
    const reply = await server.call('POST', `/collections/plain/points/${kind}/batch`, { searches: [] });
    expect([reply.status, reply.body]).toMatchObject([200, { result: [] }]);
  }
});

test.each([
  ['POST', '/collections/named/points/search', { vector: [1, 2], limit: 1 }, 'Not existing vector name error: (unnamed)'],
  [
    'POST',
    '/collections/named/points/search',
    { vector: { name: '', vector: [1, 2] }, limit: 1 },
    'Not existing vector name error: (unnamed)',
  ],
  ['POST', '/collections/named/points/query', { query: [1, 2] }, 'Not existing vector name error: (unnamed)'],
  ['POST', '/collections/named/points/query', { query: [1, 2], using: '' }, 'Not existing vector name error: (unnamed)'],
  ['POST', '/collections/named/points/recommend', { positive: [1], limit: 1 }, 'Not existing vector name error: (unnamed)'],
  ['PUT', '/collections/named/points', { points: [{ id: 1, vector: [1, 2] }] }, 'Not existing vector name error: (unnamed)'],
  ['PUT', '/collections/named/points', { points: [{ id: 1, vector: { '': [1, 2] } }] }, 'Not existing vector name error: (unnamed)'],
  ['PUT', '/collections/named/points/vectors', { points: [{ id: 1, vector: [1, 2] }] }, 'Not existing vector name error: (unnamed)'],
  ['POST', '/collections/named/points/vectors/delete', { points: [1], vector: [''] }, 'Not existing vector name error: (unnamed)'],
  ['PATCH', '/collections/named', { vectors: { '': { on_disk: true } } }, 'Not existing vector name error: (unnamed)'],
  ['POST', '/collections/plain/points/query', { query: 1 }, 'query: point 1 has no vector (unnamed)'],
  ['POST', '/collections/plain/points/recommend', { positive: [1], limit: 1 }, 'query: point 1 has no vector (unnamed)'],
  ['POST', '/collections/plain/points/search', { vector: [[1, 2]], limit: 1 }, /^vector \(unnamed\): expected a dense vector/],
  [
    'POST',
    '/collections/plain/points/search',
    { vector: [1, 2], limit: 1, params: { idf: 'global' } },
    /^params\.idf: .* which vector \(unnamed\) is not;/,
  ],
  [
    'POST',
    '/collections/plain/points/query',
    { query: [1, 2], params: { idf: 'global' } },
    /^params\.idf: .* which vector \(unnamed\) is not;/,
  ],
  ['POST', '/collections/plain/points/search', { vector: [1], limit: 1 }, 'Dimension mismatch for vector: expected 2, got 1'],
])('%s %s %j calls the unnamed vector by one name', async (method, path, body, text) => {
  const reply = await server.call(method, path, body);
  const { error } = (reply.body as { readonly status: { readonly error: string } }).status;
  if (typeof text === 'string') expect(error).toBe(text);
  else expect(error).toMatch(text);
});
