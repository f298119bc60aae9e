// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { manualClock, systemClock } from '@sextant/foundation-std';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing/test-server.ts';

const PASSWORD = 'Correct-Horse-42';
const refusal = (message: unknown) => ({ status: 'error', message });

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
});
afterEach(() => server[Symbol.asyncDispose]());

async function login(): Promise<{ authorization: string }> {
  await server.call('POST', '/auth/admin', { password: PASSWORD });
  const { body } = await server.call('POST', '/auth/admin/login', { password: PASSWORD });
  return { authorization: `Bearer ${(body as { token: string }).token}` };
}

async function enforce(): Promise<{ authorization: string }> {
  const admin = await login();
  await server.call('PATCH', '/auth/enabled', { enabled: true }, admin);
  return admin;
}

describe('the admin', () => {
  test('is created once, logs in and is said to exist', async () => {
    expect((await server.call('GET', '/auth/admin/exists')).body).toMatchObject({
      status: 'ok',
      result: false,
      usage: { hardware: null },
      time: expect.any(Number),
    });
    const created = await server.call('POST', '/auth/admin', { password: PASSWORD });
    expect([created.status, created.body]).toEqual([200, { status: 'success', message: 'User registered successfully' }]);
    const again = await server.call('POST', '/auth/admin', { password: PASSWORD });
    expect([again.status, again.body]).toEqual([409, refusal('Username already exists')]);
    expect((await server.call('GET', '/auth/admin/exists')).body).toMatchObject({ result: true });
    const reply = await server.call('POST', '/auth/admin/login', { password: PASSWORD });
    expect(reply.body).toEqual({ token: expect.any(String), message: 'Login successful', expires_in: 3600 });
    const wrong = await server.call('POST', '/auth/admin/login', { password: 'Wrong-Horse-4242' });
    expect([wrong.status, wrong.body]).toEqual([401, { token: null, message: 'Invalid username or password', expires_in: 0 }]);
  });

  test('refuses what is not well formed, and says which field', async () => {
    for (const [method, path, body, message] of [
      ['POST', '/auth/admin', {}, 'Missing required field: password'],
      ['POST', '/auth/admin', undefined, 'Missing required field: password'],
      ['POST', '/auth/admin', { password: null }, 'Missing required field: password'],
      ['POST', '/auth/admin', { password: 12 }, 'password: expected a string, got 12'],
      ['POST', '/auth/admin', { password: 'short' }, expect.any(String)],
      ['POST', '/auth/admin', { password: PASSWORD, username: 'root' }, 'username: unknown member; expected one of password, setup_code'],
      ['POST', '/auth/admin', '{"password"', expect.stringMatching(/^Format error in JSON body/)],
      ['POST', '/auth/admin/login', {}, 'Missing required field: password'],
      ['POST', '/auth/admin/login', { password: '  ' }, 'Missing required field: password'],
    ] as const) {
      const reply = await server.call(method, path, body);
      expect([path, body, reply.status, reply.body]).toEqual([path, body, 400, refusal(message)]);
    }
  });

  test('names the methods that a path has', async () => {
    for (const [method, path, allowed] of [
      ['GET', '/auth/admin/login', 'POST'],
      ['PUT', '/auth/admin', 'POST'],
      ['POST', '/auth/admin/exists', 'GET'],
      ['DELETE', '/auth/enabled', 'GET, PATCH'],
      ['PATCH', '/auth/api_key', 'POST'],
      ['GET', '/auth/api_key/7', 'DELETE'],
      ['PUT', '/auth/api_key/7/rotate', 'POST'],
    ] as const) {
      const reply = await server.call(method, path);
      expect([path, reply.status, reply.headers.get('allow')]).toEqual([path, 405, allowed]);
      const known = path.replace('/7', '/{token_id}');
      expect(reply.body).toEqual(refusal(`Method ${method} is not allowed on ${known}; allowed: ${allowed}`));
    }
  });
});

describe('from a browser', () => {
  const page = { origin: '' };
  const codeOf = () => readFileSync(`${server.dataDirectory}/setup-code`, 'utf8');
  beforeEach(() => {
    page.origin = server.url;
  });

  test('the admin is created with the setup code alone', async () => {
    const without = await server.call('POST', '/auth/admin', { password: PASSWORD }, page);
    expect([without.status, without.body]).toEqual([403, refusal(expect.stringContaining('file setup-code of the data directory'))]);
    expect(without.text).not.toContain(server.dataDirectory);
    const code = codeOf();
    expect((await server.call('POST', '/auth/admin', { password: PASSWORD, setup_code: code }, page)).status).toBe(200);
    const again = await server.call('POST', '/auth/admin/reset-password', { password: PASSWORD, setup_code: code }, page);
    expect(again.status).toBe(403);
  });

  test('the password is reset with the code or the JWT', async () => {
    const admin = await login();
    const reset = (body: object, headers: object) => server.call('POST', '/auth/admin/reset-password', body, { ...page, ...headers });
    expect((await reset({ password: PASSWORD }, {})).status).toBe(403);
    expect((await reset({ password: PASSWORD }, admin)).status).toBe(200);
    expect((await reset({ password: PASSWORD }, admin)).status, 'the JWT of the old password').toBe(403);
    expect((await reset({ password: PASSWORD, setup_code: codeOf() }, {})).status).toBe(200);
  });
});

test('what comes through a proxy is not from this machine', async () => {
  for (const headers of [{ 'x-forwarded-for': '203.0.113.5' }, { forwarded: 'for=203.0.113.5' }, { via: '1.1 proxy' }])
    for (const path of ['/auth/admin', '/auth/admin/reset-password']) {
      const reply = await server.call('POST', path, { password: PASSWORD }, headers);
      expect([headers, reply.status, reply.body]).toEqual([headers, 403, refusal(expect.stringContaining('proxy'))]);
    }
  expect((await server.call('GET', '/auth/admin/exists')).body).toMatchObject({ result: false });
});

test('no access token resets the password of the admin, and so none outlives its deletion', async () => {
  const admin = await enforce();
  const reset = (headers: { readonly [name: string]: string }) =>
    server.call('POST', '/auth/admin/reset-password', { password: 'Battery-Staple-43' }, headers);
  for (const permission of ['read', 'write', 'admin', 'read,write,admin']) {
    const { body } = await server.call('POST', '/auth/api_key', { name: permission, permission }, admin);
    const { id, api_key } = body as { id: number; api_key: string };
    for (const headers of [{ 'api-key': api_key }, { authorization: `Bearer ${api_key}` }]) {
      const reply = await reset(headers);
      expect([reply.status, reply.body]).toEqual([403, refusal(expect.stringContaining('not an access token'))]);
    }
    expect((await server.call('DELETE', `/auth/api_key/${id}`, undefined, admin)).status).toBe(200);
    expect((await reset({ 'api-key': api_key })).status).toBe(401);
  }
  expect((await reset({})).status).toBe(403);
  expect((await server.call('POST', '/auth/admin/login', { password: PASSWORD })).status).toBe(200);
  expect((await reset(admin)).status).toBe(200);
});

describe('the switch', () => {
  test('wants the admin JWT in both states, and the field', async () => {
    const without = await server.call('PATCH', '/auth/enabled', { enabled: true });
    expect([without.status, without.body]).toEqual([401, refusal('Invalid or missing authorization token')]);
    const admin = await login();
    const missing = await server.call('PATCH', '/auth/enabled', {}, admin);
    expect([missing.status, missing.body]).toEqual([400, refusal('Missing required field: enabled')]);
    expect((await server.call('PATCH', '/auth/enabled', { enabled: true }, admin)).body).toMatchObject({ status: 'ok', result: true });
    expect((await server.call('PATCH', '/auth/enabled', { enabled: false })).status).toBe(401);
    expect((await server.call('PATCH', '/auth/enabled', { enabled: false }, admin)).body).toMatchObject({ result: false });
  });

  test('on, guards everything but the title, health and login', async () => {
    await enforce();
    for (const [method, path] of [
      ['GET', '/collections'],
      ['PUT', '/collections/a'],
      ['POST', '/collections/a/points/search'],
      ['GET', '/metrics'],
      ['GET', '/telemetry'],
      ['GET', '/cluster'],
      ['GET', '/issues'],
      ['GET', '/docs'],
      ['POST', '/collections/a/points/recommend'],
    ] as const) {
      const reply = await server.call(method, path);
      expect([path, reply.status, reply.body]).toEqual([
        path,
        401,
        { time: expect.any(Number), status: { error: 'Invalid or missing authorization token' } },
      ]);
      expect(reply.headers.get('www-authenticate')).toBe('Bearer');
    }
    for (const path of ['/', '/healthz', '/livez', '/readyz', '/auth/admin/exists'])
      expect((await server.call('GET', path)).status).toBe(200);
    expect((await server.call('POST', '/auth/admin/login', { password: PASSWORD })).status).toBe(200);
  });
});

test('everybody may ask whether authentication is enforced', async () => {
  const enforced = async () => (await server.call('GET', '/auth/enabled')).body;
  expect(await enforced()).toEqual({ usage: expect.any(Object), time: expect.any(Number), status: 'ok', result: false });
  await enforce();
  expect(await enforced()).toMatchObject({ result: true });
});

describe('access tokens', () => {
  test('cannot be managed while enforcement is off', async () => {
    const reply = await server.call('GET', '/auth/api_keys', undefined, await login());
    expect([reply.status, reply.body]).toEqual([403, refusal('API key management API requires auth_enabled=true')]);
    expect((await server.call('DELETE', '/auth/api_key/1')).status).toBe(403);
  });

  test('grant what their permission says, by either header, until they are rotated or deleted', async () => {
    const admin = await enforce();
    const created = await server.call('POST', '/auth/api_key', { name: 'reader', permission: 'read' }, admin);
    expect(created.body).toMatchObject({
      id: expect.any(Number),
      name: 'reader',
      permission: 'read',
      description: '',
      will_expire: false,
      expired_at: null,
    });
    const { id, api_key: secret } = created.body as { id: number; api_key: string };
    const token = { 'api-key': secret };
    expect((await server.call('GET', '/collections', undefined, token)).status).toBe(200);
    expect((await server.call('GET', '/collections', undefined, { authorization: `Bearer ${secret}` })).status).toBe(200);
    const write = await server.call('PUT', '/collections/a', { vectors: { size: 1, distance: 'Dot' } }, token);
    expect([write.status, write.body]).toEqual([403, { time: expect.any(Number), status: { error: expect.stringContaining('write') } }]);
    expect((await server.call('GET', '/auth/api_keys', undefined, token)).status).toBe(403);
    expect((await server.call('GET', '/auth/api_keys', undefined, admin)).body).toEqual([
      expect.not.objectContaining({ api_key: expect.anything() }),
    ]);

    const rotated = await server.call('POST', `/auth/api_key/${id}/rotate`, undefined, admin);
    expect(rotated.body).toMatchObject({ id, name: 'reader', description: '' });
    expect((await server.call('GET', '/collections', undefined, token)).status).toBe(401);
    const fresh = { 'api-key': (rotated.body as { api_key: string }).api_key };
    expect((await server.call('GET', '/collections', undefined, fresh)).status).toBe(200);

    const deleted = await server.call('DELETE', `/auth/api_key/${id}`, undefined, admin);
    expect(deleted.body).toEqual({ status: 'success', message: 'Access token deleted successfully' });
    expect((await server.call('GET', '/collections', undefined, fresh)).status).toBe(401);
    const gone = await server.call('DELETE', `/auth/api_key/${id}`, undefined, admin);
    expect([gone.status, gone.body]).toEqual([404, refusal('Access token not found')]);
  });

  test('take a lifetime of 0 from clients that send one for a token that does not expire', async () => {
    const request = { name: 'a', description: '', permission: 'read', will_expire: false, expires_in_seconds: 0 };
    const created = await server.call('POST', '/auth/api_key', request, await enforce());
    expect([created.status, created.body]).toEqual([200, expect.objectContaining({ will_expire: false, expired_at: null })]);
  });

  test('are refused without a credential, and when they are not well described', async () => {
    const admin = await enforce();
    const without = await server.call('DELETE', '/auth/api_key/1');
    expect([without.status, without.body]).toEqual([401, refusal('Invalid or missing authorization token')]);
    for (const [body, message] of [
      [{ permission: 'read' }, 'Missing required field: name'],
      [{ name: 'a' }, 'Missing required field: permission'],
      [{ name: 'a', permission: 'everything' }, expect.stringContaining('permission')],
      [{ name: 'a', permission: 'read', will_expire: 'yes' }, 'will_expire: expected true or false, got the string "yes"'],
      [
        { name: 'a', permission: 'read', will_expire: true, expires_in_seconds: 0 },
        'expires_in_seconds: expected an integer from 1 where will_expire is true, got 0',
      ],
    ]) {
      const reply = await server.call('POST', '/auth/api_key', body, admin);
      expect([reply.status, reply.body]).toEqual([400, refusal(message)]);
    }
  });
});

test('behind a listed proxy logins are slowed by the address that the proxy adds, and nothing that it passes on is of this machine', async () => {
  // The time stands still: on a busy machine hashes take so long that an attempt is allowed again.
  const { monotonicMs } = manualClock();
  await using proxied = await testServer({ clock: { ...systemClock, monotonicMs }, trustedProxies: ['127.0.0.1', '::1'] });
  const from = (address: string) => ({ 'x-forwarded-for': address });
  expect((await proxied.call('POST', '/auth/admin', { password: PASSWORD }, from('203.0.113.5'))).status).toBe(403);
  expect((await proxied.call('POST', '/auth/admin', { password: PASSWORD })).status).toBe(200);
  const login = (address: string) => proxied.call('POST', '/auth/admin/login', { password: 'wrong' }, from(address));
  let attempts = 0;
  while ((await login('203.0.113.5')).status === 401) attempts++;
  expect(attempts).toBeGreaterThan(2);
  expect((await login('203.0.113.6')).status).toBe(401);
  expect((await login('1.2.3.4, 203.0.113.5')).status).toBe(429);
});
