// SPDX-License-Identifier: Apache-2.0
/** Every route of the endpoint table, asked by web pages that may not use the service. */
import { request } from 'node:http';
import { builtCapabilities, type Endpoint } from '@sextant/contracts-vector';
import { endpoints } from '@sextant/contracts-vector/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing/test-server.ts';

const LISTED = 'https://app.example';
const JSON_TYPE = { 'content-type': 'application/json' };

let server: TestServer;
beforeAll(async () => {
  server = await testServer({ capabilities: builtCapabilities, allowedOrigins: [LISTED] });
});
afterAll(() => server[Symbol.asyncDispose]());

type Sent = {
  readonly method: string;
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body?: string;
};
type Answer = { readonly status: number; readonly headers: { readonly [name: string]: unknown }; readonly text: string };

/** `fetch` lets nobody choose the name in `Host`. */
function send({ method, path, headers, body }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${server.url}${path}`, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() }),
      );
    });
    sent.on('error', reject).end(body);
  });
}

const rows = Object.entries<Endpoint>(endpoints).map(([id, { method, path, refusal, body }]) => ({
  id,
  method,
  refusal,
  path: path.replaceAll(/\{\w+\}/g, '1'),
  body: body === undefined ? undefined : '{}',
}));

const cross = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' };
const PAGES = [
  ['another site', cross, 'SERVICE_ALLOWED_ORIGINS'],
  ['another port', { origin: 'http://127.0.0.1:9999', 'sec-fetch-site': 'same-site' }, 'SERVICE_ALLOWED_ORIGINS'],
  ['a form', { origin: 'null', 'content-type': 'text/plain' }, 'SERVICE_ALLOWED_ORIGINS'],
  ['an image', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }, 'SERVICE_ALLOWED_ORIGINS'],
  ['a frame', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }, 'SERVICE_ALLOWED_ORIGINS'],
  ['a name that leads here', { host: 'rebind.evil.example:6573' }, 'SERVICE_ALLOWED_HOSTS'],
] as const;

describe.each(PAGES)('%s', (_what, headers, setting) => {
  test.each(rows)('is refused at $method $path', async ({ method, path, refusal, body }) => {
    const answer = await send({ method, path, headers: { ...JSON_TYPE, ...headers }, ...(body !== undefined && { body }) });
    expect(answer.status).toBe(403);
    const refusalBody: unknown = JSON.parse(answer.text);
    const sentence = expect.stringContaining(setting);
    expect(refusalBody).toEqual(refusal === 'message' ? { status: 'error', message: sentence } : { time: 0, status: { error: sentence } });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test.each([
    ['OPTIONS', '/collections'],
    ['GET', '/nowhere'],
    ['DELETE', '/collections'],
    ['TRACE', '/'],
    ['POST', '/collections/%zz/points/search'],
    ['POST', '/collections/1/points/recommend'],
  ])('is refused at what is no route: %s %s', async (method, path) => {
    expect((await send({ method, path, headers })).status).toBe(403);
  });
});

test('a body that is refused is not waited for', async () => {
  const answer = await new Promise<number>((resolve, reject) => {
    const headers = { ...JSON_TYPE, ...cross, 'content-length': '1000000' };
    const sent = request(`${server.url}/collections/1`, { method: 'PUT', headers }, (response) => {
      resolve(response.statusCode ?? 0);
      sent.destroy();
    });
    sent.on('error', reject).write('{');
  });
  expect(answer).toBe(403);
});

test('nothing of it was done, and each refusal was counted', async () => {
  expect((await server.call('GET', '/auth/admin/exists')).body).toMatchObject({ result: false });
  expect((await server.call('GET', '/collections')).body).toMatchObject({ result: { collections: [] } });
  expect(server.observed.filter(({ status }) => status === 403).length).toBeGreaterThan(rows.length);
});

describe('a page that the operator lists', () => {
  test('asks ahead, and reads answers and refusals', async () => {
    const ahead = { origin: LISTED, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'api-key, content-type' };
    const preflight = await send({ method: 'OPTIONS', path: '/collections/a/points', headers: ahead });
    expect(preflight).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': LISTED,
        'access-control-allow-methods': expect.stringContaining('PUT'),
        'access-control-allow-headers': 'api-key, content-type',
        vary: 'origin, access-control-request-headers',
      },
    });
    for (const path of ['/collections', '/collections/none', '/nowhere']) {
      const { headers } = await send({ method: 'GET', path, headers: { origin: LISTED } });
      expect(headers).toMatchObject({
        'access-control-allow-origin': LISTED,
        'access-control-expose-headers': 'retry-after',
        vary: 'origin',
      });
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
  });

  test('proves with the setup code that it may create the admin', async () => {
    const body = JSON.stringify({ password: 'Correct-Horse-42' });
    const answer = await send({ method: 'POST', path: '/auth/admin', headers: { ...JSON_TYPE, origin: LISTED }, body });
    expect(answer).toMatchObject({ status: 403, text: expect.stringContaining('setup-code') });
  });
});
