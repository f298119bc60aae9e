// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { changeableAccess } from './changeable-access.ts';

const rules = { host: '127.0.0.1', allowedOrigins: [], allowedHosts: [], consoles: [], pages: [], trustedProxies: [] };

test('changed rules count for what was handed out before', () => {
  const access = changeableAccess(rules);
  const { web, clientAddress } = access;
  const fromPage = { method: 'GET', url: '/', headers: { host: 'db.example:80', origin: 'https://app.example' } };
  const forwarded = { 'x-forwarded-for': '203.0.113.5' };
  expect(web.judge(fromPage)).toMatchObject({ kind: 'refused', refusal: { code: 'host_not_allowed' } });
  expect(clientAddress('10.0.0.1', forwarded)).toBe('10.0.0.1');
  access.change({ ...rules, allowedHosts: ['db.example'], allowedOrigins: ['https://app.example'], trustedProxies: ['10.0.0.0/8'] });
  expect(web.judge(fromPage)).toEqual({ kind: 'page', origin: 'https://app.example' });
  expect(clientAddress('10.0.0.1', forwarded)).toBe('203.0.113.5');
  access.change(rules);
  expect(web.judge(fromPage)).toMatchObject({ kind: 'refused' });
});
