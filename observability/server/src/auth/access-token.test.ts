// SPDX-License-Identifier: Apache-2.0
import { SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { ACCESS_TOKEN_LIFETIME_SECONDS, signAccessToken, verifyAccessToken } from './access-token.ts';

const signingKey = new TextEncoder().encode('k'.repeat(64));
const nowMs = 1_750_000_000_000;
const owner = { tenantId: 'default', user: { id: 'u1', email: 'a@example.com', role: 'editor' }, passwordVersion: 1 } as const;
const signed = () => signAccessToken(owner, { signingKey, nowMs });

test('a token says whose it is', async () => {
  const claims = await verifyAccessToken(await signed(), { signingKey, nowMs });
  expect(claims).toEqual({ tenantId: 'default', userId: 'u1', passwordVersion: 1 });
});

test('it lives one hour', async () => {
  const token = await signed();
  const after = (seconds: number) => verifyAccessToken(token, { signingKey, nowMs: nowMs + seconds * 1000 });
  expect(ACCESS_TOKEN_LIFETIME_SECONDS).toBe(3600);
  expect(await after(3599)).toBeDefined();
  expect(await after(3600)).toBeUndefined();
});

describe('is not a token', () => {
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"u1","tenant":"default","exp":9999999999}').toString('base64url')}.`;
  const foreign = new SignJWT({ tenant: 'default', password_version: 1 })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('u1')
    .setIssuer('someone-else')
    .setExpirationTime(9_999_999_999)
    .sign(signingKey);
  const otherKey = signAccessToken(owner, { signingKey: new TextEncoder().encode('x'.repeat(64)), nowMs });
  test.each([
    ['nothing', ''],
    ['text', 'a.b.c'],
    ['an unsigned one', unsigned],
    ['one of another issuer', foreign],
    ['one of another key', otherKey],
  ])('%s', async (_what, token) => {
    expect(await verifyAccessToken(await token, { signingKey, nowMs })).toBeUndefined();
  });
});
