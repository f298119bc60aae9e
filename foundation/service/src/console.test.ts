// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { OWN_ORIGIN, serveConsole } from './console.ts';

const services = { vector: OWN_ORIGIN, observability: 'http://{host}:6580' };

async function built() {
  const directory = await temporaryDirectory();
  mkdirSync(join(directory.path, 'assets'));
  writeFileSync(
    join(directory.path, 'index.html'),
    '<meta nonce="__CSP_NONCE__"><meta content="__SERVICES__"><script nonce="__CSP_NONCE__">',
  );
  writeFileSync(join(directory.path, 'assets', 'main-1.js'), 'plain');
  writeFileSync(join(directory.path, 'assets', 'main-1.js.br'), 'brotli');
  writeFileSync(join(directory.path, 'secret.txt'), 'no type, no file');
  const app = fastify();
  serveConsole(app, { services, capabilities: ['status'], pages: ['/'], folder: pathToFileURL(`${directory.path}/`) });
  return {
    get: (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers }),
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await directory[Symbol.asyncDispose]();
    },
  };
}

test('the page has a nonce of its own each time, and may speak to the two services alone', async () => {
  await using served = await built();
  const [first, second] = [await served.get('/console', { host: 'data.example:6573' }), await served.get('/')];
  const nonceOf = (text: string) => /nonce="([^"]+)"/.exec(text)?.[1] ?? '';
  expect(nonceOf(first.body)).toHaveLength(24);
  expect(nonceOf(first.body)).not.toBe(nonceOf(second.body));
  const policy = String(first.headers['content-security-policy']);
  expect(policy).toContain(`'nonce-${nonceOf(first.body)}'`);
  expect(policy).toContain("connect-src 'self' http://data.example:6580;");
  expect(policy).toContain("default-src 'none'");
  expect(first.body).toContain('vector=self&observability=http%3A%2F%2Fdata.example%3A6580');
  expect(first.headers['cache-control']).toBe('no-cache');
});

test('a host that would change the policy or the page is not written into them', async () => {
  await using served = await built();
  const { headers, body } = await served.get('/console', { host: "x.example;script-src'*'" });
  expect(headers['content-security-policy']).toContain('http://localhost:6580;');
  expect(body).not.toContain('x.example');
});

test('assets are kept for ever, and come compressed to those who take it', async () => {
  await using served = await built();
  const compressed = await served.get('/console/assets/main-1.js', { 'accept-encoding': 'gzip, br;q=0.9' });
  expect(compressed.headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': 'text/javascript; charset=utf-8',
    vary: 'accept-encoding',
  });
  expect(compressed.headers['cache-control']).toContain('immutable');
  expect(compressed.body).toBe('brotli');
  expect((await served.get('/console/assets/main-1.js')).body).toBe('plain');
});

test('the page learns what is switched on', async () => {
  await using served = await built();
  const { headers, body } = await served.get('/console/capabilities');
  expect(JSON.parse(body)).toEqual({ capabilities: ['status'] });
  expect(headers['cache-control']).toBe('no-cache');
});

test.each([
  '/console/assets/main-2.js',
  '/console/assets/../secret.txt',
  '/console/assets/%2e%2e%2fsecret.txt',
  '/console/assets/main-1.js.br',
])('nothing else is served: %s', async (path) => {
  await using served = await built();
  expect((await served.get(path)).statusCode).toBe(404);
});

test('without a build the page says how to get one', async () => {
  const app = fastify();
  serveConsole(app, { services, folder: pathToFileURL('/nowhere/at/all/') });
  const { statusCode, body } = await app.inject('/console');
  expect([statusCode, body]).toEqual([404, expect.stringContaining('bootstrap')]);
  await app.close();
});
