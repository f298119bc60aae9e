// SPDX-License-Identifier: Apache-2.0
import { connect } from 'node:net';
import { type CollectionInfo, capabilities, ServiceError } from '@sextant/contracts-vector';
import { endpoints, openApiDocument } from '@sextant/contracts-vector/schemas';
import { parseJson, stringifyJson } from '@sextant/foundation-std';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PRODUCT } from '../product.ts';
import { type TestServer, testServer } from '../testing/test-server.ts';

const BODY_LIMIT_BYTES = 100_000;
const error = (text: unknown) => ({ time: expect.any(Number), status: { error: text } });

let server: TestServer;
beforeAll(async () => {
  server = await testServer({ bodyLimitBytes: BODY_LIMIT_BYTES });
});
afterEach(() => server.reset());
afterAll(() => server[Symbol.asyncDispose]());

describe('the service', () => {
  test('says its title and a version that clients of the published API understand', async () => {
    const { body } = await server.call('GET', '/');
    expect(body).toEqual({
      title: 'sextant - vector search engine',
      version: expect.stringMatching(/^1\.19\.\d+$/),
      product_version: PRODUCT.version,
    });
  });

  test.each([
    ['/healthz', 'healthz check passed'],
    ['/livez', 'healthz check passed'],
    ['/readyz', 'all shards are ready'],
  ])('answers %s in plain text', async (path, text) => {
    const reply = await server.call('GET', path);
    expect([reply.status, reply.text, reply.headers.get('content-type')]).toEqual([200, text, 'text/plain; charset=utf-8']);
  });

  test('shows its metrics and counts responses by route, not by path', async () => {
    await using counted = await testServer();
    expect((await counted.call('GET', '/metrics')).text).toContain('app_info');
    await counted.call('GET', '/collections/secret-name');
    await counted.call('GET', '/no/such/path');
    expect(counted.observed.map(({ endpoint, method, status }) => [endpoint, method, status])).toEqual([
      ['/metrics', 'GET', 200],
      ['/collections/{collection_name}', 'GET', 404],
      ['unknown', 'GET', 404],
    ]);
  });

  test('refuses a query string of the metrics that means nothing', async () => {
    const reply = await server.call('GET', '/metrics?timeout=1000000000');
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('timeout')]);
  });

  test('takes the clearing of issues, which are found at each look', async () => {
    expect(await server.call('DELETE', '/issues')).toMatchObject({ status: 200, body: { result: true } });
  });

  test('tells what does not work as it is configured', async () => {
    expect((await server.call('GET', '/issues')).body).toMatchObject({ result: { issues: [] } });
    const described = { optimizer_status: { error: 'no disk' }, warnings: [{ message: 'no codes' }] };
    await using troubled = await testServer({
      faults: {
        listCollections: async () => ['a', 'b', 'gone'],
        collectionInfo: async (collection) => {
          if (collection === 'a') return described as unknown as CollectionInfo;
          const code = collection === 'b' ? 'collection_unreadable' : 'collection_deleted';
          throw new ServiceError(code, { collection, reason: 'damaged' });
        },
      },
    });
    expect((await troubled.call('GET', '/issues')).body).toMatchObject({
      result: {
        issues: [
          { collection: 'a', description: 'no disk' },
          { collection: 'a', description: 'no codes' },
          { collection: 'b', description: expect.stringContaining('could not be opened: damaged') },
        ],
      },
    });
  });

  test('documents itself as OpenAPI and as a page that fetches and runs nothing', async () => {
    expect((await server.call('GET', '/openapi.json')).body).toEqual(
      parseJson(stringifyJson(openApiDocument({ version: PRODUCT.version }))),
    );
    const { text, headers } = await server.call('GET', '/docs');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    for (const { path } of Object.values(endpoints)) expect(text).toContain(`<code>${path}</code>`);
    expect(text).not.toMatch(/<script|src=|@import|https?:/);
  });
});

describe('while collections load', () => {
  test.each(['/', '/healthz', '/livez', '/metrics'])('%s answers', async (path) => {
    server.setState('loading');
    expect((await server.call('GET', path)).status).toBe(200);
  });

  test('readyz says not yet', async () => {
    server.setState('loading');
    const reply = await server.call('GET', '/readyz');
    expect([reply.status, reply.text]).toEqual([503, 'some shards are not ready']);
  });

  test('everything else is a failed precondition', async () => {
    server.setState('loading');
    for (const [method, path, body] of [
      ['GET', '/collections', undefined],
      ['PUT', '/collections/a', {}],
      ['POST', '/collections/a/points/search', { vector: [1] }],
      ['GET', '/aliases', undefined],
      ['GET', '/telemetry', undefined],
      ['GET', '/cluster', undefined],
    ] as const) {
      const reply = await server.call(method, path, body);
      expect([path, reply.status, reply.body]).toEqual([path, 412, error('Engine not initialized')]);
    }
    const auth = await server.call('POST', '/auth/admin', { password: 'x' });
    expect([auth.status, auth.body]).toEqual([412, { status: 'error', message: 'Engine not initialized' }]);
    server.setState('ready');
    expect((await server.call('GET', '/collections')).status).toBe(200);
  });

  test('a server that closes turns requests away', async () => {
    server.setState('closing');
    expect((await server.call('GET', '/collections')).status).toBe(503);
  });
});

describe('what is not there', () => {
  test.each(capabilities.flatMap(({ endpoints: rows }) => rows).map(({ method, path }) => [method, path] as const))(
    '%s %s answers 501',
    async (method, path) => {
      const reply = await server.call(method, path.replaceAll(/\{\w+\}/g, 'x'), method === 'GET' || method === 'DELETE' ? undefined : {});
      expect([reply.status, reply.body]).toEqual([501, error(`Not implemented: ${method} ${path}`)]);
    },
  );

  test.each(['/nope', '/collections/a/nope', '/collections/a/points/1/2', '/auth', '/../etc/passwd%00'])('%s is no path', async (path) => {
    const reply = await server.call('POST', path, {});
    expect([reply.status, reply.body]).toEqual([404, error(expect.stringMatching(/^No such path: POST \//))]);
  });

  test.each([
    ['DELETE', '/collections', 'GET'],
    ['POST', '/collections/a', 'DELETE, GET, PATCH, PUT'],
    ['GET', '/collections/a/points/scroll', 'POST'],
    ['PATCH', '/collections/a/points', 'POST, PUT'],
    ['POST', '/', 'GET'],
    ['PUT', '/aliases', 'GET, POST'],
    ['HEAD', '/collections/a/points/search', 'POST'],
    ['GET', '/collections/a/points/search', 'POST'],
  ])('%s is not a method of %s', async (method, path, allowed) => {
    const reply = await server.call(method, path);
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, allowed]);
  });

  test('a path that cannot be decoded is refused', async () => {
    const reply = await server.call('GET', '/collections/%zz');
    expect([reply.status, reply.body]).toEqual([400, error(expect.any(String))]);
  });
});

describe('a request that cannot be read', () => {
  const sent = async (text: string) => {
    const { port } = new URL(server.url);
    const socket = connect({ host: '127.0.0.1', port: Number(port) });
    socket.end(text);
    const chunks = [];
    for await (const chunk of socket) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };

  test.each([
    ['hello\r\n\r\n', '400 Bad Request', 'the request is not valid HTTP'],
    [`GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`, '431 Request Header Fields Too Large', 'exceed 16 KiB'],
    [`GET / HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, '431 Request Header Fields Too Large', 'exceed 16 KiB'],
    [
      'POST /collections/a/points HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n{}',
      '400 Bad Request',
      'not valid HTTP',
    ],
  ])('is refused with the reason: case %#', async (text, status, reason) => {
    const answer = await sent(text);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status}\r\n`));
    expect(answer).toContain(reason);
  });
});

describe('a body', () => {
  const path = '/collections/a/points/count';

  test('over the limit is refused with the limit', async () => {
    for (const body of ['x'.repeat(BODY_LIMIT_BYTES + 1), new Uint8Array(BODY_LIMIT_BYTES * 20)]) {
      const reply = await server.call('POST', path, body);
      expect([reply.status, reply.body]).toEqual([413, error(expect.stringContaining(`the limit of ${BODY_LIMIT_BYTES} bytes`))]);
    }
  });

  test('of the limit is read', async () => {
    const reply = await server.call('POST', path, '{}'.padEnd(BODY_LIMIT_BYTES, ' '));
    expect(reply.status).toBe(404);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    'nonsense',
    'application/jsonx',
    'text/plain; application/json',
  ])('of type %s is refused', async (type) => {
    const reply = await server.call('POST', path, '{}', { 'content-type': type });
    expect([reply.status, reply.body]).toEqual([415, error(`The body has the content type ${type}; send Content-Type: application/json`)]);
  });

  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'application/vnd.api+json'])(
    'of type %s is read',
    async (type) => {
      expect((await server.call('POST', path, '{}', { 'content-type': type })).status).toBe(404);
    },
  );

  test('without a type is refused', async () => {
    const response = await fetch(server.url + path, { method: 'POST', body: new TextEncoder().encode('{"filter": 1}') });
    expect([response.status, await response.json()]).toEqual([
      415,
      error('The body has no content type; send Content-Type: application/json'),
    ]);
  });

  test.each(['{', '{"a":}', "{'filter':{}}", '{"filter":{}}}', 'nul', '[1,]', '\u0000'])('of %j is not JSON', async (text) => {
    const reply = await server.call('POST', path, text);
    expect([reply.status, reply.body]).toEqual([400, error(expect.stringMatching(/^Format error in JSON body: /))]);
  });

  test.each([
    `{"filter":${'{"must":'.repeat(10_000)}{}${'}'.repeat(10_001)}`,
    `{"filter":${'['.repeat(40_000)}${']'.repeat(40_000)}}`,
    `{"filter":{"must":{"has_id":[18446744073709551615],"x":${'['.repeat(40_000)}${']'.repeat(40_000)}}}}`,
  ])('nested without end is refused: case %#', async (text) => {
    expect((await server.call('POST', path, text)).status).toBe(400);
  });

  test('with members of prototypes is refused like any unknown member', async () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const reply = await server.call('POST', path, `{"${name}":{}}`);
      expect([reply.status, reply.body]).toEqual([400, error(expect.stringContaining('unknown member'))]);
    }
  });
});

describe('a failure that only we can act on', () => {
  test('is named in the answer, and its cause goes to the log alone', async () => {
    const fail = async () => Promise.reject(new Error('disk /dev/sda1 is on fire'));
    const reads = { nearest: fail, query: fail, collectionInfo: fail };
    const faults = { ...reads, upsert: fail, deletePoints: fail, setPayload: fail, createFieldIndex: fail };
    await using failing = await testServer({ faults });
    for (const [method, path, body, text] of [
      ['PUT', '/collections/a/points', { points: [] }, 'Upsert failed'],
      ['POST', '/collections/a/points/delete', { points: [] }, 'Delete failed'],
      ['POST', '/collections/a/points/search', { vector: [1] }, 'Search failed'],
      ['POST', '/collections/a/points/query', { query: [1] }, 'Search failed'],
      ['POST', '/collections/a/points/payload', { payload: {}, points: [1] }, 'Payload operation failed'],
      ['PUT', '/collections/a/index', { field_name: 'a', field_schema: 'bool' }, 'Field index failed'],
      ['GET', '/collections/a', undefined, 'Internal error'],
    ] as const) {
      const reply = await failing.call(method, path, body);
      expect([reply.status, reply.body]).toEqual([500, error(text)]);
    }
    expect(failing.failures).toHaveLength(7);
    expect(failing.failures[0]).toMatchObject({
      message: 'upsert_points failed',
      details: { err: { message: 'disk /dev/sda1 is on fire' } },
    });
  });
});

describe('browsers', () => {
  test('no answer says that a page may read it, unless a page asks that may', async () => {
    const { headers } = await server.call('GET', '/collections');
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('and others may ask for the head of what they may get', async () => {
    const reply = await server.call('HEAD', '/collections');
    expect([reply.status, reply.text, reply.headers.get('content-type')]).toEqual([200, '', 'application/json; charset=utf-8']);
  });
});
