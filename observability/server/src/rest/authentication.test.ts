// SPDX-License-Identifier: Apache-2.0
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { manualClock, systemClock } from '@sextant/foundation-std';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../testing/test-service.ts';
import { ADMIN_EMAIL, PASSWORD } from '../testing/test-users.ts';

type Tokens = { readonly access_token: string; readonly refresh_token: string };

let service: TestService;
let admin: { readonly [name: string]: string };
beforeAll(async () => {
  service = await testService();
  admin = await service.login();
});
afterAll(async () => service[Symbol.asyncDispose]());

const GRANT = { grant_type: 'password', username: ADMIN_EMAIL, password: PASSWORD };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const refresh = (token: string) => service.call('POST', '/auth/token', { grant_type: 'refresh_token', refresh_token: token });

describe('the Authenticate API', () => {
  const expected = {
    status: 200,
    body: {
      expires: 3600,
      token_type: 'Bearer',
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      refresh_token: expect.any(String),
    },
  };

  test('takes JSON', async () => {
    expect(await service.call('POST', '/auth/token', GRANT)).toMatchObject(expected);
  });

  test('takes the query string in camel case, on the documented base', async () => {
    const query = new URLSearchParams({
      grantType: 'password',
      username: ADMIN_EMAIL,
      password: PASSWORD,
      tenant: 'default',
      clientId: 'x',
    });
    expect(await service.call('POST', `/api/auth/auth/token?${query}`)).toMatchObject(expected);
  });

  test('takes a form', async () => {
    const form = new URLSearchParams(GRANT).toString();
    expect(await service.call('POST', '/auth/token', form, { 'content-type': 'application/x-www-form-urlencoded' })).toMatchObject(
      expected,
    );
  });

  test.each([
    ['a wrong password', { ...GRANT, password: 'Wrong-Horse-42' }, 401],
    ['an unknown user', { ...GRANT, username: 'nobody@localhost' }, 401],
    ['an unknown tenant', { ...GRANT, tenant: 'nowhere' }, 401],
    ['no password', { ...GRANT, password: undefined }, 400],
    ['another grant', { ...GRANT, grant_type: 'authorization_code' }, 400],
    ['an unknown refresh token', { grant_type: 'refresh_token', refresh_token: 'sxr_x' }, 401],
    ['nothing', {}, 400],
  ])('refuses %s', async (_what, body, status) => {
    expect(await service.call('POST', '/auth/token', body)).toMatchObject({ status, body: { message: expect.any(String) } });
  });

  test('shows no difference between an unknown user, an unknown tenant and a wrong password', async () => {
    const bodies = [
      { ...GRANT, password: 'Wrong-Horse-42' },
      { ...GRANT, username: 'nobody' },
      { ...GRANT, tenant: 'nowhere' },
    ];
    const texts = await Promise.all(bodies.map(async (body) => (await service.call('POST', '/auth/token', body)).text));
    expect(new Set(texts).size).toBe(1);
  });
});

describe('a refresh token', () => {
  test('is used once, and gives the next', async () => {
    const first = (await service.call('POST', '/auth/token', GRANT)).body as Tokens;
    const second = (await refresh(first.refresh_token)).body as Tokens;
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(await service.call('GET', '/auth/default/apiKeys', undefined, bearer(second.access_token))).toMatchObject({ status: 200 });
  });

  test('that is used again ends its whole family', async () => {
    const first = (await service.call('POST', '/auth/token', GRANT)).body as Tokens;
    const second = (await refresh(first.refresh_token)).body as Tokens;
    expect(await refresh(first.refresh_token)).toMatchObject({ status: 401 });
    expect(await refresh(second.refresh_token)).toMatchObject({ status: 401 });
  });
});

describe('API keys', () => {
  test('are created, listed, read, used and deleted, and their secret is shown once', async () => {
    const created = await service.call('POST', '/auth/default/apiKeys', { name: 'pipeline' }, admin);
    expect(created).toMatchObject({ status: 200, body: { id: expect.any(String), name: 'pipeline', key: expect.any(String) } });
    const { id, key } = created.body as { id: string; key: string };
    const header = { 'x-tlm-key': key };
    const listed = await service.call('GET', '/auth/default/apiKeys', undefined, header);
    expect(listed).toMatchObject({ status: 200, body: { keys: expect.arrayContaining([{ id, name: 'pipeline' }]) } });
    expect(listed.text).not.toContain(key);
    const read = await service.call('GET', `/api/auth/auth/default/apiKeys/${id}`, undefined, header);
    expect([read.status, read.body]).toEqual([200, { id, name: 'pipeline' }]);
    expect(await service.call('DELETE', `/auth/default/apiKeys/${id}`, undefined, admin)).toMatchObject({
      status: 200,
      body: { message: expect.any(String) },
    });
    expect(await service.call('GET', `/auth/default/apiKeys/${id}`, undefined, admin)).toMatchObject({ status: 404 });
    expect(await service.call('DELETE', `/auth/default/apiKeys/${id}`, undefined, admin)).toMatchObject({ status: 404 });
    expect(await service.call('GET', '/auth/default/apiKeys', undefined, header)).toMatchObject({ status: 401 });
  });

  test.each([[{}], [{ name: '' }], [{ name: 1 }], [{ name: 'x', role: 'admin' }], ['not json'], [[]]])('%j makes none', async (body) => {
    expect(await service.call('POST', '/auth/default/apiKeys', body, admin)).toMatchObject({ status: 400 });
  });

  test('may do no more than who made them may do now, and end with that user', async () => {
    await service.loginAs('admin');
    const { body } = await service.call('GET', '/auth/default/users', undefined, admin);
    const maker = (body as { email: string; role: string }[]).find(({ email, role }) => role === 'admin' && email !== ADMIN_EMAIL);
    const asMaker = await service.login({ email: maker?.email ?? '' });
    const { key } = (await service.call('POST', '/auth/default/apiKeys', { name: 'k' }, asMaker)).body as { key: string };
    const header = { 'x-tlm-key': key };
    expect(await service.call('GET', '/auth/default/users', undefined, header)).toMatchObject({ status: 200 });
    await service.call('PUT', `/auth/default/user/${maker?.email}`, { first_name: 'a', last_name: 'b', role: 'viewer' }, admin);
    expect(await service.call('GET', '/auth/default/users', undefined, header)).toMatchObject({ status: 403 });
    expect(await service.call('GET', '/api/backend/default/incidents', undefined, header)).toMatchObject({ status: 200 });
    await service.call('DELETE', `/auth/default/users/${maker?.email}`, undefined, admin);
    expect(await service.call('GET', '/api/backend/default/incidents', undefined, header)).toMatchObject({ status: 401 });
  });
});

describe('users', () => {
  test('a token dies with the password that it was earned with, and with the user', async () => {
    const email = 'changing@example.com';
    await service.call(
      'POST',
      '/auth/default/users',
      { email, first_name: 'C', last_name: 'H', role: 'viewer', password: PASSWORD },
      admin,
    );
    const before = await service.login({ email });
    const change = { 'old-password': PASSWORD, 'new-password': 'Better-Horse-43' };
    expect(await service.call('PUT', `/auth/default/user/${email}/password`, change, before)).toMatchObject({ status: 200 });
    expect(await service.call('GET', '/api/backend/default/incidents', undefined, before)).toMatchObject({ status: 401 });
    const after = await service.login({ email, password: 'Better-Horse-43' });
    await service.call('DELETE', `/auth/default/users/${email}`, undefined, admin);
    expect(await service.call('GET', '/api/backend/default/incidents', undefined, after)).toMatchObject({ status: 401 });
  });

  test('a password that breaks the rules gets every rule', async () => {
    const body = { email: 'weak@example.com', first_name: '', last_name: '', role: 'viewer', password: 'weak' };
    expect(await service.call('POST', '/auth/default/users', body, admin)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('at least 12 characters') },
    });
  });

  test('the last admin stays', async () => {
    const other = await service.createTenant('one-admin');
    const path = '/auth/one-admin/users/admin@one-admin.example.com';
    expect(await service.call('DELETE', path, undefined, other)).toMatchObject({ status: 409 });
    expect(await service.call('PUT', path, { first_name: 'a', last_name: 'b', role: 'viewer' }, other)).toMatchObject({ status: 409 });
  });

  test('a role in a project counts for things of that project alone', async () => {
    const projects = '/api/backend/default/configuration/projects';
    const project = (await service.call('POST', projects, { name: 'mine' }, admin)).body as { id: number };
    const email = 'of-a-project@example.com';
    await service.call(
      'POST',
      '/auth/default/users',
      { email, first_name: 'O', last_name: 'P', role: 'viewer', password: PASSWORD },
      admin,
    );
    const asViewer = await service.login({ email });
    const asset = { name: 'a', type: 'UPLOAD', payload: {} };
    expect(await service.call('POST', `${projects}/${project.id}/assets`, asset, asViewer)).toMatchObject({ status: 403 });
    const roles = { project_roles: { [project.id]: 'editor' } };
    expect(await service.call('PUT', `/auth/default/users/${email}/assign`, roles, admin)).toMatchObject({ status: 200 });
    const created = await service.call('POST', `${projects}/${project.id}/assets`, asset, asViewer);
    expect(created).toMatchObject({ status: 200 });
    expect(await service.call('POST', `${projects}/0/assets`, asset, asViewer)).toMatchObject({ status: 403 });
    // An asset of another project is not there below one's own.
    const other = (await service.call('POST', `${projects}/0/assets`, asset, admin)).body as { id: string };
    expect(await service.call('PUT', `${projects}/${project.id}/assets/${other.id}`, { name: 'b' }, asViewer)).toMatchObject({
      status: 404,
    });
    const { id } = created.body as { id: string };
    expect(await service.call('PUT', `/api/backend/default/configuration/assets/${id}/lineage`, { parents: [] }, asViewer)).toMatchObject({
      status: 200,
    });
    const move = { source_project_id: 0, source_asset_ids: [other.id] };
    expect(await service.call('POST', `${projects}/${project.id}/assets/move`, move, asViewer)).toMatchObject({ status: 403 });
  });
});

test('the header Authentication is read where Authorization is missing', async () => {
  const { authorization = '' } = admin;
  const fresh = await service.loginAs('viewer');
  expect(
    await service.call('GET', '/api/backend/default/incidents', undefined, { authentication: fresh.authorization ?? authorization }),
  ).toMatchObject({
    status: 200,
  });
});

test('logins are slowed after twenty wrong passwords of one account at one address, say for how long, and lock nobody else out', async () => {
  // The time stands still: on a busy machine twenty hashes take so long that an attempt is allowed again.
  const { monotonicMs } = manualClock();
  // Behind a listed proxy the address is the one that the proxy adds, and what stands before it is not believed.
  const environment = { OBSERVABILITY_TRUSTED_PROXIES: '127.0.0.0/8' };
  await using own = await testService({ clock: { ...systemClock, monotonicMs }, environment });
  const wrong = (forwarded: string, username = GRANT.username) =>
    own.call('POST', '/auth/token', { ...GRANT, username, password: 'Wrong-Horse-42' }, { 'x-forwarded-for': forwarded });
  for (let attempt = 0; attempt < 20; attempt++) expect(await wrong(`1.1.1.${attempt}, 203.0.113.5`)).toMatchObject({ status: 401 });
  const refused = await wrong('203.0.113.5');
  expect(refused).toMatchObject({ status: 429 });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await wrong('203.0.113.5', GRANT.username.toUpperCase())).toMatchObject({ status: 429 });
  expect(await wrong('203.0.113.5', 'somebody@example.com')).toMatchObject({ status: 401 });
  expect(await wrong('203.0.113.6')).toMatchObject({ status: 401 });
});

test('an access token ends after one hour', async () => {
  const clock = manualClock(systemClock.nowMs());
  await using own = await testService({ clock: { ...systemClock, nowMs: clock.nowMs } });
  const header = await own.login();
  clock.advance(3_599_000);
  expect(await own.call('GET', '/api/backend/default/incidents', undefined, header)).toMatchObject({ status: 200 });
  clock.advance(1000);
  expect(await own.call('GET', '/api/backend/default/incidents', undefined, header)).toMatchObject({ status: 401 });
});

describe('tokens of an outside issuer', () => {
  const issuer = 'https://issuer.example';
  let own: TestService;
  let keys: Awaited<ReturnType<typeof generateKeyPair>>;
  const server = createServer();
  beforeAll(async () => {
    keys = await generateKeyPair('RS256');
    const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' };
    server.on('request', (_request, response) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] })),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    own = await testService({
      environment: {
        OBSERVABILITY_OIDC_ISSUER: issuer,
        OBSERVABILITY_OIDC_JWKS_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`,
        OBSERVABILITY_OIDC_AUDIENCE: 'sextant',
      },
    });
  });
  afterAll(async () => {
    await own[Symbol.asyncDispose]();
    server.close();
  });

  const signed = (claims: object, { audience = 'sextant', key = keys.privateKey, expires = '5m' } = {}) =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
      .setIssuer(issuer)
      .setSubject('someone')
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime(expires)
      .sign(key);
  const statusOf = async (token: string, path: string) => (await own.call('GET', path, undefined, bearer(token))).status;

  test('name tenant and role', async () => {
    const viewer = await signed({ tenant: 'default', role: 'viewer' });
    expect(await statusOf(viewer, '/api/backend/default/incidents')).toBe(200);
    expect(await statusOf(viewer, '/auth/default/users')).toBe(403);
    expect(await statusOf(await signed({ tenant: 'default', role: 'admin' }), '/auth/default/users')).toBe(200);
    expect(await statusOf(viewer, '/api/backend/nowhere/incidents')).toBe(404);
  });

  test('or a verified e-mail address of a user', async () => {
    expect(await statusOf(await signed({ email: ADMIN_EMAIL, email_verified: true }), '/auth/default/users')).toBe(200);
    expect(await statusOf(await signed({ email: ADMIN_EMAIL }), '/auth/default/users')).toBe(403);
    expect(await statusOf(await signed({ email: 'nobody@example.com', email_verified: true }), '/auth/default/users')).toBe(403);
  });

  test('are refused with another audience, an end in the past, another key, or a symmetric signature', async () => {
    const claims = { tenant: 'default', role: 'admin' };
    const other = await generateKeyPair('RS256');
    const symmetric = new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
      .setIssuer(issuer)
      .setAudience('sextant')
      .setSubject('x');
    const tokens = [
      await signed(claims, { audience: 'other' }),
      await signed(claims, { expires: '-5m' }),
      await signed(claims, { key: other.privateKey }),
      await symmetric.setExpirationTime('5m').sign(new TextEncoder().encode('x'.repeat(64))),
    ];
    for (const token of tokens) expect(await statusOf(token, '/auth/default/users')).toBe(401);
  });
});

describe('the first start', () => {
  test('prints a generated password once, which works', async () => {
    await using own = await testService({ environment: { OBSERVABILITY_ADMIN_PASSWORD: '' } });
    const password = /has the password (\S+)$/.exec(own.printed.join('\n').split('\n')[0] ?? '')?.[1] ?? '';
    const header = await own.login({ password });
    await own.restart();
    expect(own.printed.filter((sentence) => sentence.includes('password'))).toHaveLength(1);
    expect(await own.call('GET', '/auth/default/users', undefined, header)).toMatchObject({
      status: 200,
      body: [{ email: ADMIN_EMAIL, role: 'admin' }],
    });
  });

  test('takes the password that is set, and prints none', async () => {
    await using own = await testService({ environment: { OBSERVABILITY_ADMIN_PASSWORD: PASSWORD } });
    await own.login();
    expect(own.printed).toEqual([expect.stringMatching(/platform-token$/)]);
  });
});

describe('tenants', () => {
  const operator = () => bearer(service.platformToken);

  test('are created with their admin, and listed, by the platform operator', async () => {
    const body = { id: 'acme', name: 'Acme', admin_email: 'boss@acme.example' };
    const created = await service.call('POST', '/platform/tenants', body, operator());
    expect(created).toMatchObject({
      status: 200,
      body: { id: 'acme', name: 'Acme', admin: { email: 'boss@acme.example', password: expect.any(String) } },
    });
    const { password } = (created.body as { admin: { password: string } }).admin;
    const header = await service.login({ tenant: 'acme', email: 'boss@acme.example', password });
    expect(await service.call('GET', '/api/backend/acme/configuration/projects', undefined, header)).toMatchObject({
      status: 200,
      body: [{ id: 0, name: 'Default' }],
    });
    expect(await service.call('GET', '/platform/tenants', undefined, operator())).toMatchObject({
      status: 200,
      body: expect.arrayContaining([expect.objectContaining({ id: 'acme' })]),
    });
    expect(await service.call('POST', '/platform/tenants', body, operator())).toMatchObject({
      status: 409,
      body: { description: 'Conflict' },
    });
  });

  test('whose creation was cut off before its admin was there are finished by asking again', async () => {
    await using store = await service.openStore();
    await store.platform.tenants.create({ id: 'cut', name: 'Cut' });
    const body = { id: 'cut', admin_email: 'boss@cut.example', admin_password: PASSWORD };
    expect(await service.call('POST', '/platform/tenants', body, operator())).toMatchObject({ status: 200, body: { id: 'cut' } });
    await service.login({ tenant: 'cut', email: 'boss@cut.example' });
    expect(await service.call('POST', '/platform/tenants', body, operator())).toMatchObject({ status: 409 });
  });

  test('whose admins have all lost their passwords get one again, by the platform operator', async () => {
    const made = { id: 'locked', admin_email: 'boss@locked.example', admin_password: PASSWORD };
    await service.call('POST', '/platform/tenants', made, operator());
    const header = await service.login({ tenant: 'locked', email: 'boss@locked.example' });
    const restore = (body: object) => service.call('POST', '/platform/tenants/admin', { tenant: 'locked', ...body }, operator());

    const restored = await restore({ admin_email: 'Boss@locked.example' });
    expect(restored).toMatchObject({ status: 200, body: { id: 'locked', admin: { password: expect.any(String) } } });
    const { password } = (restored.body as { admin: { password: string } }).admin;
    expect(await service.call('GET', '/auth/locked/users', undefined, header)).toMatchObject({ status: 401 });
    const again = await service.login({ tenant: 'locked', email: 'boss@locked.example', password });

    expect(await restore({ admin_email: 'new@locked.example', admin_password: PASSWORD })).toMatchObject({
      status: 200,
      body: { admin: { email: 'new@locked.example' } },
    });
    await service.call('POST', '/auth/locked/users/new@locked.example/roles', { role: 'viewer' }, again);
    await restore({ admin_email: 'new@locked.example', admin_password: PASSWORD });
    expect(await service.call('GET', '/auth/locked/users', undefined, again)).toMatchObject({
      status: 200,
      body: [
        { email: 'boss@locked.example', role: 'admin' },
        { email: 'new@locked.example', role: 'admin' },
      ],
    });

    expect(await restore({ tenant: 'nowhere', admin_email: 'a@b.example' })).toMatchObject({ status: 404 });
    expect(await restore({ admin_email: 'a@b.example', admin_password: 'short' })).toMatchObject({ status: 400 });
    expect(await service.call('POST', '/platform/tenants/admin', { tenant: 'locked', admin_email: 'a@b.example' }, again)).toMatchObject({
      status: 403,
    });
  });

  test.each(['api', 'auth', 'platform', 'Upper', '', 'a b', 'x'.repeat(64), '../x'])('cannot be called %j', async (id) => {
    expect(await service.call('POST', '/platform/tenants', { id, admin_email: 'a@example.com' }, operator())).toMatchObject({
      status: 400,
    });
  });
});
