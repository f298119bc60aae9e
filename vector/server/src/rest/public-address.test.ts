// SPDX-License-Identifier: Apache-2.0
/** A service behind a proxy: it is asked by the name that people know, and by pages of its origin there. */
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing/test-server.ts';

const PUBLIC = 'https://vectors.example.com/db';

let server: TestServer;
let plain: TestServer;
beforeAll(async () => {
  [server, plain] = await Promise.all([testServer({ publicUrl: PUBLIC }), testServer()]);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await plain[Symbol.asyncDispose]();
});

/** `fetch` lets nobody choose the name in `Host`. */
function send(to: TestServer, headers: { readonly [name: string]: string }) {
  return new Promise<readonly [status: number | undefined, allowed: string | undefined]>((resolve, reject) => {
    const sent = request(`${to.url}/collections`, { headers }, (response) => {
      response.resume();
      response.on('end', () => resolve([response.statusCode, response.headers['access-control-allow-origin']]));
    });
    sent.on('error', reject).end();
  });
}

test.each([
  ['a program by the public name', { host: 'vectors.example.com' }, [200, undefined]],
  [
    'a page of the public origin',
    { host: 'vectors.example.com', origin: 'https://vectors.example.com' },
    [200, 'https://vectors.example.com'],
  ],
  [
    'that page where the proxy changes the name',
    { host: '127.0.0.1', origin: 'https://vectors.example.com' },
    [200, 'https://vectors.example.com'],
  ],
  ['another scheme of that name', { host: '127.0.0.1', origin: 'http://vectors.example.com' }, [403, undefined]],
  ['another port of that name', { host: '127.0.0.1', origin: 'https://vectors.example.com:8443' }, [403, undefined]],
  ['a name below it', { host: 'evil.vectors.example.com' }, [403, undefined]],
  ['another site', { host: 'vectors.example.com', origin: 'https://evil.example' }, [403, undefined]],
] as const)('%s', async (_who, headers, answer) => {
  expect(await send(server, headers)).toEqual(answer);
});

test('without a public address neither its name nor its pages are known', async () => {
  expect(await send(plain, { host: 'vectors.example.com' })).toEqual([403, undefined]);
  expect(await send(plain, { host: '127.0.0.1', origin: 'https://vectors.example.com' })).toEqual([403, undefined]);
});

test('the OpenAPI document says where the service is reached', async () => {
  const serversOf = async (asked: TestServer) => ((await asked.call('GET', '/openapi.json')).body as { readonly servers: unknown }).servers;
  expect([await serversOf(server), await serversOf(plain)]).toEqual([[{ url: PUBLIC }], [{ url: '/' }]]);
});
