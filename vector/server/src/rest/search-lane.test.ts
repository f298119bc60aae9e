// SPDX-License-Identifier: Apache-2.0
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Reply, type TestServer, testServer } from '../testing/test-server.ts';

let server: TestServer;
const POINTS = '/collections/c/points';
const vector = Array.from({ length: 24 }, (_, index) => index - 8.5);

beforeAll(async () => {
  server = await testServer();
  await server.call('PUT', '/collections/c', { vectors: { size: 24, distance: 'Dot' } });
  const points = Array.from({ length: 30 }, (_, id) => ({
    id,
    vector: vector.map((value) => value * (id + 1)),
    payload: { n: id, text: 'ü"\\' },
  }));
  await server.call('PUT', POINTS, { points });
});
afterAll(() => server[Symbol.asyncDispose]());

/** All that a client sees of an answer, but for what is another each time. */
function seen({ status, headers, body }: Reply) {
  const { date: _date, 'content-length': _length, ...rest } = Object.fromEntries(headers);
  return { status, headers: rest, body: { ...(body as object), time: 0 } };
}

/** A query string makes a path one that the lane leaves to the application. */
async function both(path: string, body: unknown, headers?: { readonly [name: string]: string }) {
  const short = await server.call('POST', POINTS + path, body, headers);
  const whole = await server.call('POST', `${POINTS + path}?timeout=5`, body, headers);
  return { short: seen(short), whole: seen(whole) };
}

const search = { vector, limit: 3 };

describe('a search that goes the short way is answered as by the application', () => {
  test.each([
    ['/search', search],
    ['/search', { ...search, with_payload: true, with_vector: true }],
    ['/search', { ...search, with_payload: ['n'] }],
    ['/search/batch', { searches: [search, { ...search, with_payload: true }] }],
    ['/query', { query: vector, with_payload: true }],
    ['/query', { query: { sample: 'random' }, limit: 1000 }],
    ['/query/batch', { searches: [{ query: vector }, { query: 3 }] }],
  ])('%s of %j', async (path, body) => {
    const { short, whole } = await both(path, body);
    expect(short.status).toBe(200);
    if (!JSON.stringify(body).includes('sample')) expect(short).toEqual(whole);
    else expect(short.headers).toEqual(whole.headers);
  });

  test.each([
    ['/search', '{"vector": [1, 2'],
    ['/search', { limit: 3 }],
    ['/search', { vector: vector.slice(1), limit: 3 }],
    ['/search', { vector, limit: 3, wrong: 1 }],
    ['/search', Uint8Array.of(0x7b, 0xff, 0x7d)],
    ['/query/batch', { searches: [{ query: { recommend: {} } }] }],
    ['/../x/points/search', search],
  ])('so is one that is refused: %s of %j', async (path, body) => {
    const { short, whole } = await both(path, body);
    expect(short.status).toBeGreaterThanOrEqual(400);
    expect(short).toEqual(whole);
  });

  test.each([
    [{ 'content-type': 'text/plain' }, 415],
    [{ 'content-type': 'application/vnd.api+json' }, 200],
    [{ origin: 'https://elsewhere.example' }, 403],
    [{ origin: 'http://127.0.0.1:6580' }, 200],
  ])('so is one with the headers %j', async (headers, status) => {
    const { short, whole } = await both('/search', search, headers);
    expect(short.status).toBe(status);
    expect(short).toEqual(whole);
  });

  test('so is one of a collection that is not there, or has no name that could be', async () => {
    for (const name of ['none', 'a%20b', '..', 'x'.repeat(300)]) {
      const short = await server.call('POST', `/collections/${name}/points/search`, search);
      const whole = await server.call('POST', `/collections/${name}/points/search?timeout=5`, search);
      expect(seen(short)).toEqual(seen(whole));
    }
  });
});

test('the short way asks for the same permission', async () => {
  await using guarded = await testServer({ enforced: true });
  const reply = await guarded.call('POST', '/collections/c/points/search', search);
  expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  const withBadJwt = await guarded.call('POST', '/collections/c/points/search', search, { authorization: 'Bearer not.a.jwt' });
  expect(withBadJwt.status).toBe(401);
});

test.each([
  ['loading', 412],
  ['closing', 503],
] as const)('the short way is closed while the service is %s', async (state, status) => {
  server.setState(state);
  const reply = await server.call('POST', `${POINTS}/search`, search);
  server.setState('ready');
  expect(reply.status).toBe(status);
});

test('searches are counted by the pattern of their path', async () => {
  const before = server.observed.length;
  await server.call('POST', `${POINTS}/search`, search);
  await server.call('POST', `${POINTS}/query`, { limit: 0 });
  expect(server.observed.slice(before)).toEqual([
    { collection: 'c', endpoint: '/collections/{collection_name}/points/search', method: 'POST', status: 200, seconds: expect.any(Number) },
    { collection: 'c', endpoint: '/collections/{collection_name}/points/query', method: 'POST', status: 400, seconds: expect.any(Number) },
  ]);
});

test('a body over the limit is refused whichever way it goes', async () => {
  await using small = await testServer({ bodyLimitBytes: 100 });
  const reply = await small.call('POST', '/collections/c/points/search', search);
  expect(reply.status).toBe(413);
});

test('a body may come in pieces, several requests on one connection, and a client may leave in the middle', async () => {
  const { port } = new URL(server.url);
  const body = JSON.stringify(search);
  const head = `POST ${POINTS}/search HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  const socket = connect({ host: '127.0.0.1', port: Number(port) });
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString();
  });
  for (const piece of [head, body.slice(0, 20), `${body.slice(20)}${head}${body}${head}${body.slice(0, 5)}`]) {
    socket.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  while (received.split('HTTP/1.1 200').length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  socket.destroy();
  expect((await server.call('POST', `${POINTS}/search`, search)).status).toBe(200);
  expect(server.failures).toEqual([]);
});
