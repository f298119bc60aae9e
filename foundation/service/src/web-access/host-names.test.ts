// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { createHostNames, hostNameOf } from './host-names.ts';

const names = (host: string, ...allowedHosts: string[]) => createHostNames({ host, allowedHosts, machine: 'Workshop' });

describe('a service answers to', () => {
  test.each([
    ['127.0.0.1', 'localhost:6573'],
    ['127.0.0.1', 'LocalHost'],
    ['127.0.0.1', 'localhost.:80'],
    ['127.0.0.1', 'app.localhost:1'],
    ['127.0.0.1', '127.0.0.1:6573'],
    ['127.0.0.1', '127.9.8.7'],
    ['127.0.0.1', '[::1]:6573'],
    ['127.0.0.1', '[0:0:0:0:0:0:0:1]'],
    ['127.0.0.1', '[::ffff:127.0.0.1]:1'],
    ['db.internal', 'db.internal:6573'],
    ['10.1.2.3', '10.1.2.3:6573'],
    ['0.0.0.0', '192.168.1.7:6573'],
    ['::', '[fe80::1]:6573'],
    ['0.0.0.0', 'workshop:6573'],
    ['::', 'localhost'],
  ])('bound to %s, %s', (host, header) => {
    const { isAllowed } = names(host);
    expect([isAllowed(header), isAllowed(header)]).toEqual([true, true]);
  });

  test('what its operator lists, under any port', () => {
    const { isAllowed } = names('127.0.0.1', 'db.example.com', '10.0.0.9');
    expect(['db.example.com', 'DB.example.com:443', '10.0.0.9:1'].map(isAllowed)).toEqual([true, true, true]);
    expect(isAllowed('example.com')).toBe(false);
  });

  test('every name, if the operator wants that', () => {
    expect(names('127.0.0.1', '*').isAllowed('rebind.evil.example')).toBe(true);
  });

  test('a client of HTTP/1.0, which says no name', () => {
    expect(names('127.0.0.1').isAllowed(undefined)).toBe(true);
  });
});

describe('a service does not answer to', () => {
  test.each([
    ['127.0.0.1', 'rebind.evil.example:6573'],
    ['127.0.0.1', 'localhost.evil.example'],
    ['127.0.0.1', '127.0.0.1.evil.example'],
    ['127.0.0.1', 'evil-localhost'],
    ['127.0.0.1', 'workshop'],
    ['127.0.0.1', '192.168.1.7'],
    ['127.0.0.1', '0.0.0.0:6573'],
    ['127.0.0.1', 'localhost@evil.example'],
    ['127.0.0.1', 'evil.example/localhost'],
    ['127.0.0.1', 'localhost, evil.example'],
    ['127.0.0.1', 'localhost:99999999'],
    ['127.0.0.1', ''],
    ['127.0.0.1', ':6573'],
    ['127.0.0.1', '[::1'],
    ['127.0.0.1', '*'],
    ['0.0.0.0', 'rebind.evil.example'],
    ['0.0.0.0', 'workshop.evil.example'],
    ['10.1.2.3', '10.1.2.4'],
  ])('bound to %s, %j', (host, header) => {
    const { isAllowed } = names(host);
    expect([isAllowed(header), isAllowed(header)]).toEqual([false, false]);
  });

  test('what it has refused before, after something else and after any number of names', () => {
    const { isAllowed } = names('127.0.0.1');
    for (let each = 0; each < 1000; each += 1) expect(isAllowed(`${each}.evil.example`)).toBe(false);
    expect(isAllowed('localhost')).toBe(true);
    expect(isAllowed('0.evil.example')).toBe(false);
    expect(isAllowed('localhost')).toBe(true);
  });
});

test.each([
  ['LOCALHOST:80', 'localhost'],
  ['[0::1]:5', '::1'],
  ['127.1', '127.0.0.1'],
  ['a.example.', 'a.example'],
  ['a b', undefined],
  ['http://a', undefined],
])('the name in %j is %j', (header, name) => {
  expect(hostNameOf(header)).toBe(name);
});
