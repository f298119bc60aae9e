// SPDX-License-Identifier: Apache-2.0
/** Every route of the endpoint table, under each of its paths, asked by web pages that may not use the service. */
import { request } from 'node:http';
import { type Endpoint, endpoints } from '@sextant/contracts-observability';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../testing/test-service.ts';

const LISTED = 'https://app.example';

let service: TestService;
let admin: { readonly [name: string]: string };
beforeAll(async () => {
  service = await testService({
    environment: { OBSERVABILITY_ALLOWED_ORIGINS: LISTED, OBSERVABILITY_PUBLIC_URL: 'https://health.example.com:8443/' },
  });
  admin = await service.login();
});
afterAll(() => service[Symbol.asyncDispose]());

type Headers = { readonly [name: string]: string };

/** `fetch` lets nobody choose the name in `Host`. */
function send(method: string, path: string, headers: Headers) {
  return new Promise<{ readonly status: number; readonly headers: object; readonly text: string }>((resolve, reject) => {
    const sent = request(`${service.url}${path}`, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() }),
      );
    });
    sent.on('error', reject).end();
  });
}

const rows = Object.values<Endpoint>(endpoints).flatMap(({ method, path, aliases }) =>
  [path, ...aliases].map((each) => ({ method, path: each.replaceAll('{tenant}', 'default').replaceAll(/\{\w+\}/g, '1') })),
);

const PAGES = [
  ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, 'OBSERVABILITY_ALLOWED_ORIGINS'],
  ['another port', { origin: 'http://127.0.0.1:9999', 'sec-fetch-site': 'same-site' }, 'OBSERVABILITY_ALLOWED_ORIGINS'],
  ['a form', { origin: 'null', 'content-type': 'text/plain' }, 'OBSERVABILITY_ALLOWED_ORIGINS'],
  ['an image', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' }, 'OBSERVABILITY_ALLOWED_ORIGINS'],
  ['a name that leads here', { host: 'rebind.evil.example:6580' }, 'OBSERVABILITY_ALLOWED_HOSTS'],
] as const;

test('the OpenAPI document says where the service is reached', async () => {
  expect(JSON.parse((await send('GET', '/openapi.json', {})).text)).toMatchObject({
    servers: [{ url: 'https://health.example.com:8443/' }],
  });
});

describe.each(PAGES)('%s', (_what, headers, setting) => {
  test.each(rows)('is refused at $method $path, also with the credential of an admin', async ({ method, path }) => {
    const answer = await send(method, path, { ...headers, ...admin });
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.text)).toEqual({ message: expect.stringContaining(setting), description: 'Forbidden' });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control') || name === 'set-cookie')).toEqual([]);
  });

  test.each([
    ['OPTIONS', '/auth/token'],
    ['GET', '/nowhere'],
    ['PATCH', '/auth/token'],
    ['GET', '/%zz'],
    ['GET', '/console/capabilities'],
  ])('is refused at what is no route: %s %s', async (method, path) => {
    expect((await send(method, path, headers)).status).toBe(403);
  });
});

test('what the operator names answers: the public address, and pages that are listed', async () => {
  expect((await send('GET', '/healthz', { host: 'health.example.com' })).status).toBe(200);
  expect((await send('GET', '/healthz', { host: 'health.example.com:8443', origin: 'https://health.example.com:8443' })).status).toBe(200);
  const preflight = await send('OPTIONS', '/auth/default/apiKeys', { origin: LISTED, 'access-control-request-headers': 'x-tlm-key' });
  expect(preflight).toMatchObject({
    status: 204,
    headers: { 'access-control-allow-origin': LISTED, 'access-control-allow-headers': 'x-tlm-key' },
  });
  const answer = await send('GET', '/auth/default/apiKeys', { origin: LISTED, ...admin });
  expect(answer).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': LISTED, vary: 'origin' } });
});

test('a page that is listed has no session in a cookie, as consoles have', async () => {
  const body = { grant_type: 'password', username: 'admin@localhost', password: 'Correct-Horse-42', refresh_token_in: 'cookie' };
  const reply = await service.call('POST', '/auth/token', body, { origin: LISTED });
  expect(reply).toMatchObject({ status: 403, body: { message: expect.stringContaining('OBSERVABILITY_PUBLIC_URL') } });
  expect(reply.headers.has('access-control-allow-credentials')).toBe(false);
});

test.each(['/', '/console', '/docs'])('a link of another site leads to %s', async (path) => {
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  expect((await send('GET', path, headers)).status).toBe(200);
});
