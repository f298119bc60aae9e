// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { createWebAccess, type WebAccessOptions, type WebRequest } from './web-access.ts';

const OWN = '127.0.0.1:6573';
const OTHER_CONSOLE = 'http://127.0.0.1:6580';

const access = (options: Partial<WebAccessOptions> = {}) =>
  createWebAccess({
    host: '127.0.0.1',
    allowedHosts: [],
    allowedOrigins: [],
    consoles: ['http://{host}:6580', undefined, 'https://public.example'],
    pages: ['/', '/docs'],
    ...options,
  });
const judge = (headers: WebRequest['headers'], request: Partial<WebRequest> = {}, options?: Partial<WebAccessOptions>) =>
  access(options).judge({ method: 'POST', url: '/collections', ...request, headers: { host: OWN, ...headers } });
const kind = (...args: Parameters<typeof judge>) => judge(...args).kind;

describe('let in', () => {
  test.each([
    ['a program', {}],
    ['the fetch of Node.js', { 'sec-fetch-mode': 'cors' }],
    ['what a person types', { 'sec-fetch-site': 'none' }],
    ['what a page of the service loads', { 'sec-fetch-site': 'same-origin' }],
  ])('%s', (_who, headers) => {
    expect(judge(headers)).toEqual({ kind: 'admitted' });
  });

  test.each([
    ['of the service', { origin: `http://${OWN}` }],
    ['of the service, as the browser says', { origin: `http://${OWN}`, 'sec-fetch-site': 'same-origin' }],
    ['of the service behind a proxy that changed its name', { origin: 'https://proxied.example', 'sec-fetch-site': 'same-origin' }],
    ['of the other console', { origin: OTHER_CONSOLE, 'sec-fetch-site': 'same-site' }],
    ['of a console at a name of its own', { origin: 'https://public.example', 'sec-fetch-site': 'cross-site' }],
  ])('a page %s', (_which, headers) => {
    expect(judge(headers)).toEqual({ kind: 'page', origin: headers.origin });
    expect(access().consoleOrigin({ host: OWN, ...headers })).toBe(headers.origin);
  });

  test('a page that the operator lists, which is no console', () => {
    const options = { allowedOrigins: ['https://app.example', 'chrome-extension://abc'] };
    for (const origin of options.allowedOrigins) {
      expect(judge({ origin, 'sec-fetch-site': 'cross-site' }, {}, options)).toEqual({ kind: 'page', origin });
      expect(access(options).consoleOrigin({ host: OWN, origin })).toBeUndefined();
    }
    expect(kind({ origin: 'https://app.example.evil.example' }, {}, options)).toBe('refused');
  });

  test('every page, if the operator wants that', () => {
    const options = { allowedOrigins: ['*'] };
    expect(kind({ origin: 'null' }, {}, options)).toBe('page');
    expect(kind({ 'sec-fetch-site': 'cross-site' }, {}, options)).toBe('admitted');
    expect(kind({ origin: 'https://a.example', host: 'rebind.evil.example' }, {}, options)).toBe('refused');
  });

  test.each(['/', '/docs', '/docs/', '/docs?x=y'])('whoever follows a link to %s', (url) => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect(kind(headers, { method: 'GET', url })).toBe('admitted');
  });
});

describe('refused', () => {
  test.each([
    ['of another site', { origin: 'https://evil.example' }],
    ['of another port of this machine', { origin: 'http://127.0.0.1:9999', 'sec-fetch-site': 'same-site' }],
    ['of another name of this machine', { origin: 'http://localhost:6573', 'sec-fetch-site': 'cross-site' }],
    ['of another scheme', { origin: `https://${OWN}`, 'sec-fetch-site': 'same-site' }],
    ['that hides where it is from', { origin: 'null' }],
    ['that hides it and says that it is the same', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
    ['with an empty origin', { origin: '' }],
    ['with two origins', { origin: `http://${OWN}, https://evil.example` }],
    ['of a name that only begins as the service is called', { origin: `http://${OWN}.evil.example` }],
    ['of another site without an origin', { 'sec-fetch-site': 'cross-site' }],
    ['of another port without an origin', { 'sec-fetch-site': 'same-site' }],
    ['with a word that no browser sends', { 'sec-fetch-site': 'weird' }],
  ])('a page %s', (_which, headers) => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      for (const url of ['/', '/collections', '*']) {
        expect(judge(headers, { method, url })).toMatchObject({ kind: 'refused', refusal: { code: 'origin_not_allowed' } });
      }
    }
  });

  test.each([
    ['another path', '/collections', {}],
    ['a path below', '/docs/x', {}],
    ['a frame', '/', { 'sec-fetch-dest': 'iframe' }],
    ['an image', '/', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    ['nothing that says what for', '/', { 'sec-fetch-dest': undefined }],
  ])('a link of another site to %s', (_what, url, headers) => {
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect(kind({ ...link, ...headers }, { method: 'GET', url })).toBe('refused');
  });

  test('a name of somebody else, even for a page that has it too', () => {
    const host = 'rebind.evil.example:6573';
    const refusal = { code: 'host_not_allowed', details: { host } };
    expect(judge({ host })).toEqual({ kind: 'refused', refusal });
    expect(judge({ host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' })).toEqual({ kind: 'refused', refusal });
  });

  test('in words of bounded length', () => {
    const verdict = judge({ origin: `https://${'x'.repeat(9000)}` });
    expect(verdict).toMatchObject({ kind: 'refused', refusal: { details: { origin: expect.stringMatching(/^.{300}$/) } } });
  });
});
