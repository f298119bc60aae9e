// SPDX-License-Identifier: Apache-2.0
import { manualClock, systemClock } from '@sextant/foundation-std';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Reply, type TestService, testService } from '../testing/test-service.ts';
import { ADMIN_EMAIL, PASSWORD } from '../testing/test-users.ts';

const CONSOLE_ELSEWHERE = 'http://127.0.0.1:6573';
const PUBLIC = 'https://health.example.com';
const GRACE_MS = 30_000;
const DAY_MS = 86_400_000;
const IN_COOKIE = { refresh_token_in: 'cookie' };
const PASSWORD_GRANT = { grant_type: 'password', username: ADMIN_EMAIL, password: PASSWORD, ...IN_COOKIE };
const RENEWAL = { grant_type: 'refresh_token', username: ADMIN_EMAIL, ...IN_COOKIE };

const clock = manualClock(systemClock.nowMs());
let service: TestService;
let origin: string;
beforeAll(async () => {
  service = await testService({ clock: { ...systemClock, nowMs: clock.nowMs }, environment: { OBSERVABILITY_PUBLIC_URL: `${PUBLIC}/` } });
  origin = new URL(service.url).origin;
});
afterAll(async () => service[Symbol.asyncDispose]());

const ask = (body: object, { cookie, ...headers }: { readonly [name: string]: string } = {}, path = '/auth/token') =>
  service.call('POST', path, body, { origin, ...(cookie !== undefined && { cookie }), ...headers });
const signIn = async (headers?: { readonly [name: string]: string }) => cookieOf(await ask(PASSWORD_GRANT, headers));
const renew = (cookie: string, body: object = {}) => ask({ ...RENEWAL, ...body }, { cookie });
const signOut = (cookie: string) => ask(IN_COOKIE, { cookie }, '/auth/token/revoke');

/** The pair that a browser would send back. */
function cookieOf({ headers }: Reply): string {
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}

test('signing in puts the refresh token in a cookie that no script reads and that goes to the token endpoints alone', async () => {
  const reply = await ask(PASSWORD_GRANT);
  expect(reply).toMatchObject({ status: 200, body: { access_token: expect.any(String), token_type: 'Bearer', expires: 3600 } });
  expect(reply.text).not.toContain('refresh_token');
  expect(reply.headers.get('set-cookie')).toMatch(
    /^sextant_session_[0-9a-f]{8}=sxr_[\w-]+; Path=\/auth\/token; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
  );
});

test('the cookie is for the path that it was asked by, and encrypted connections alone where the page has one', async () => {
  const reply = await ask(PASSWORD_GRANT, { origin: PUBLIC }, '/api/auth/auth/token/');
  expect(reply.headers.get('set-cookie')).toMatch(/; Path=\/api\/auth\/auth\/token; .*; Secure$/);
});

test('without being asked for, no cookie is set and none is read', async () => {
  const cookie = await signIn();
  const reply = await ask({ grant_type: 'password', username: ADMIN_EMAIL, password: PASSWORD }, { cookie });
  expect(reply.body).toHaveProperty('refresh_token');
  expect(reply.headers.has('set-cookie')).toBe(false);
  expect(await ask({ grant_type: 'refresh_token' }, { cookie })).toMatchObject({ status: 400 });
});

describe('renewing', () => {
  test('gives an access token and the next cookie', async () => {
    const cookie = await signIn();
    const reply = await renew(cookie);
    expect(reply).toMatchObject({ status: 200, body: { access_token: expect.any(String) } });
    expect(cookieOf(reply)).not.toBe(cookie);
    const { access_token } = reply.body as { access_token: string };
    const header = { authorization: `Bearer ${access_token}` };
    expect(await service.call('GET', '/auth/default/apiKeys', undefined, header)).toMatchObject({ status: 200 });
  });

  test('in several tabs at once goes well in each, and each of their cookies goes on', async () => {
    const cookie = await signIn();
    const replies = await Promise.all(Array.from({ length: 5 }, () => renew(cookie)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    clock.advance(GRACE_MS);
    for (const reply of replies) expect(await renew(cookieOf(reply))).toMatchObject({ status: 200 });
  });

  test('with a cookie that was used before ends the session', async () => {
    const first = await signIn();
    const second = cookieOf(await renew(first));
    clock.advance(GRACE_MS);
    expect(await renew(first)).toMatchObject({ status: 401 });
    expect(await renew(second)).toMatchObject({ status: 401 });
  });

  test('ends thirty days after the last time', async () => {
    const cookie = cookieOf(await renew(await signIn()));
    clock.advance(30 * DAY_MS);
    expect(await renew(cookie)).toMatchObject({ status: 401 });
  });

  test('gives nobody the session of another user, and leaves that one be', async () => {
    const email = 'other@example.com';
    const admin = await service.login();
    const user = { email, first_name: 'O', last_name: 'T', role: 'viewer', password: PASSWORD };
    await service.call('POST', '/auth/default/users', user, admin);
    const cookie = await signIn();
    expect(await renew(cookie, { username: email })).toMatchObject({ status: 401 });
    expect(await renew(cookie, { username: undefined })).toMatchObject({ status: 401 });
    expect(await renew(cookie, { tenant: 'nowhere' })).toMatchObject({ status: 401 });
    expect(await renew(cookie, { username: ADMIN_EMAIL.toUpperCase() })).toMatchObject({ status: 200 });
  });

  test.each([
    ['no cookie', undefined],
    ['an empty cookie', 'sextant_session_00000000='],
    ['the cookie of another service', 'sextant_session_00000000=sxr_x; a=b'],
  ])('needs a session: %s', async (_what, cookie) => {
    const reply = await ask(RENEWAL, cookie === undefined ? {} : { cookie });
    expect(reply).toMatchObject({ status: 401, body: { message: expect.stringContaining('refresh token') } });
    expect(reply.headers.has('set-cookie')).toBe(false);
  });

  test('takes a token from one place', async () => {
    expect(await renew(await signIn(), { refresh_token: 'sxr_x' })).toMatchObject({ status: 400 });
  });
});

describe('signing out', () => {
  test('ends every token of the session, and the cookie', async () => {
    const first = await signIn();
    const other = await signIn();
    const second = cookieOf(await renew(first));
    const reply = await signOut(second);
    expect(reply).toMatchObject({ status: 200, body: { message: expect.any(String) } });
    expect(reply.headers.get('set-cookie')).toMatch(
      /^sextant_session_[0-9a-f]{8}=; Path=\/auth\/token; Max-Age=0; HttpOnly; SameSite=Strict$/,
    );
    expect(await renew(first)).toMatchObject({ status: 401 });
    expect(await renew(second)).toMatchObject({ status: 401 });
    expect(await renew(other)).toMatchObject({ status: 200 });
  });

  test('works with a token in the body, and never says whether there was one', async () => {
    const { refresh_token } = (await ask({ ...PASSWORD_GRANT, refresh_token_in: 'body' })).body as { refresh_token: string };
    const replies = await Promise.all(
      [refresh_token, 'sxr_unknown'].map((token) => service.call('POST', '/auth/token/revoke', { refresh_token: token })),
    );
    expect(replies[0]?.text).toBe(replies[1]?.text);
    expect(await service.call('POST', '/auth/token', { grant_type: 'refresh_token', refresh_token })).toMatchObject({ status: 401 });
    expect(await service.call('POST', '/auth/token/revoke', {})).toMatchObject({ status: 400 });
  });
});

describe('pages', () => {
  test.each([
    ['of another site', { origin: 'https://evil.example' }],
    ['of another port of this host', { origin: 'http://127.0.0.1:9999', 'sec-fetch-site': 'same-site' }],
    ['that hide where they are from', { origin: 'null' }],
    ['that say an empty origin', { origin: '' }],
  ])('%s get no session, renew none and end none', async (_what, headers) => {
    const cookie = await signIn();
    for (const reply of [
      await ask(PASSWORD_GRANT, headers),
      await ask(RENEWAL, { cookie, ...headers }),
      await ask(IN_COOKIE, { cookie, ...headers }, '/auth/token/revoke'),
    ]) {
      expect(reply).toMatchObject({ status: 403, body: { message: expect.stringContaining('OBSERVABILITY_ALLOWED_ORIGINS') } });
      expect(reply.headers.has('set-cookie')).toBe(false);
      expect(reply.headers.has('access-control-allow-origin')).toBe(false);
      expect(reply.headers.has('access-control-allow-credentials')).toBe(false);
    }
    expect(await renew(cookie)).toMatchObject({ status: 200 });
  });

  test.each([
    ['of the vector service', { origin: CONSOLE_ELSEWHERE, 'sec-fetch-site': 'same-site' }],
    ['of the public address', { origin: PUBLIC }],
    ['of this service behind a proxy that changed its name', { origin: 'https://proxied.example', 'sec-fetch-site': 'same-origin' }],
  ])('%s may send cookies, to the token endpoints alone', async (_what, headers) => {
    for (const path of ['/auth/token', '/auth/token/revoke', '/api/auth/auth/token?x=y']) {
      const ahead = await service.call('OPTIONS', path, undefined, { ...headers, 'access-control-request-headers': 'content-type' });
      expect(ahead.headers.get('access-control-allow-origin')).toBe(headers.origin);
      expect(ahead.headers.get('access-control-allow-credentials')).toBe('true');
      expect(ahead.headers.get('vary')).toContain('origin');
    }
    const reply = await ask(PASSWORD_GRANT, headers);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('access-control-allow-credentials')).toBe('true');
    const elsewhere = await service.call('OPTIONS', '/auth/default/apiKeys', undefined, headers);
    expect(elsewhere.headers.get('access-control-allow-origin')).toBe(headers.origin);
    expect(elsewhere.headers.has('access-control-allow-credentials')).toBe(false);
  });
});
