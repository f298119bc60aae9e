// SPDX-License-Identifier: Apache-2.0
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { senderOf } from './sender.ts';

test.each([
  ['curl', { host: 'localhost', 'user-agent': 'curl/8.7.1', accept: '*/*', 'content-type': 'application/json' }, 'program'],
  ['nothing', {}, 'program'],
  ['a page of any browser', { origin: 'null' }, 'browser'],
  ['a link', { referer: 'https://a.example/' }, 'browser'],
  ['a session', { cookie: 'a=b' }, 'browser'],
  ['a browser that says where from', { 'sec-fetch-site': 'none' }, 'browser'],
  ['a browser that says what it is', { 'sec-ch-ua': '"Chromium";v="140"' }, 'browser'],
  ['a web socket', { 'sec-websocket-key': 'x' }, 'browser'],
  ['a browser of long ago', { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' }, 'browser'],
  ['a proxy', { 'x-forwarded-for': '203.0.113.5' }, 'proxy'],
  ['a proxy of the standard', { forwarded: 'for=203.0.113.5' }, 'proxy'],
  ['a proxy that is silent about it otherwise', { via: '1.1 proxy' }, 'proxy'],
  ['a browser behind a proxy', { 'x-forwarded-proto': 'https', origin: 'https://a.example' }, 'proxy'],
] as const)('%s', (_what, headers, sender) => {
  expect(senderOf(headers)).toBe(sender);
});

test('the fetch of this Node.js is a program', async () => {
  const seen = Promise.withResolvers<string>();
  const server = createServer(({ headers }, response) => {
    seen.resolve(senderOf(headers));
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { method: 'POST', body: '{}' });
  expect(await seen.promise).toBe('program');
  server.close();
});
