// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { createClientAddress, isNetwork } from './client-address.ts';

const TRUSTED = ['10.0.0.0/8', '192.0.2.7', 'fd00::/8'];

test.each<[string, readonly string[], string, string | undefined, string]>([
  ['nobody is trusted', [], '10.0.0.1', '203.0.113.5', '10.0.0.1'],
  ['a stranger claims to be a proxy', TRUSTED, '198.51.100.1', '203.0.113.5', '198.51.100.1'],
  ['a proxy says nothing', TRUSTED, '10.0.0.1', undefined, '10.0.0.1'],
  ['one proxy', TRUSTED, '10.0.0.1', '203.0.113.5', '203.0.113.5'],
  ['the client invents hops before its own', TRUSTED, '10.0.0.1', '127.0.0.1, 203.0.113.5', '203.0.113.5'],
  ['two proxies', TRUSTED, '10.0.0.1', '127.0.0.1, 203.0.113.5, 192.0.2.7', '203.0.113.5'],
  ['proxies all the way', TRUSTED, '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['a hop that is no address', TRUSTED, '10.0.0.1', '203.0.113.5, unknown', '10.0.0.1'],
  ['ports and brackets', TRUSTED, '10.0.0.1', '203.0.113.5:4711', '203.0.113.5'],
  ['IPv6', TRUSTED, 'fd00::1', '[2001:db8::5]:4711', '2001:db8::5'],
  ['IPv4 mapped into IPv6', TRUSTED, '::ffff:10.0.0.1', '::ffff:203.0.113.5', '203.0.113.5'],
  ['no peer', TRUSTED, '', '203.0.113.5', ''],
])('%s', (_, trusted, peer, forwarded, client) => {
  expect(createClientAddress(trusted)(peer, forwarded === undefined ? {} : { 'x-forwarded-for': forwarded })).toBe(client);
});

test('a header of thousands of hops is looked at from its end, as far as proxies go', () => {
  const hops = ['203.0.113.5', ...Array.from({ length: 5000 }, () => '10.0.0.2')].join(',');
  expect(createClientAddress(TRUSTED)('10.0.0.1', { 'x-forwarded-for': hops })).toBe('10.0.0.2');
});

test.each([
  ['10.0.0.1', true],
  ['10.0.0.0/8', true],
  ['::1', true],
  ['fd00::/128', true],
  ['10.0.0.0/33', false],
  ['fd00::/129', false],
  ['10.0.0/8', false],
  ['proxy.example.com', false],
  ['10.0.0.0/8/8', false],
  ['', false],
])('%s is a network: %s', (text, is) => {
  expect(isNetwork(text)).toBe(is);
});
