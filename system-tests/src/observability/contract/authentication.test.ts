/** Tokens, keys and roles as the specification and the clients of such a platform use them. */
import { jsonClient, temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, describe, expect, test } from 'vitest';
import { logIn } from '../observability-api.ts';
import { ADMIN, PLATFORM_TOKEN, startObservabilityServer } from '../observability-server.ts';
import { startServiceUnderTest } from './service-under-test.ts';
import { assertRefused, bodyOf, wire } from './wire.ts';

const service = await startServiceUnderTest();
afterAll(() => service[Symbol.asyncDispose]());
const { server, admin, anonymous } = service;

const credentials = { username: ADMIN.email, password: ADMIN.password };

describe('the Authenticate API', () => {
  const query = new URLSearchParams({ grantType: 'password', ...credentials }).toString();
  const snake = { grant_type: 'password', ...credentials, tenant: 'default' };

  test.each([
    ['query string, below the documented base', () => anonymous.post(`/api/auth/auth/token?${query}`)],
    ['query string, at the bare origin', () => anonymous.post(`/auth/token?${query}`)],
    ['JSON body in snake case', () => anonymous.post('/api/auth/auth/token', snake)],
    [
      'form body',
      () =>
        server.client.request('POST', '/api/auth/auth/token', Buffer.from(query), {
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        }),
    ],
  ])('gives a token of one hour by %s', async (_, ask) => {
    const { status, body } = await ask();
    expect(status).toBe(200);
    expect(body).toEqual({
      expires: 3600,
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      refresh_token: expect.any(String),
      token_type: 'Bearer',
    });
  });

  test('exchanges a refresh token once; a second use ends what came of it', async () => {
    const first = await tokenOf({ grantType: 'password', ...credentials });
    const second = await tokenOf({ grantType: 'refresh_token', refreshToken: first.refresh_token });
    expect(second.refresh_token).not.toBe(first.refresh_token);
    const bearer = { authorization: `Bearer ${second.access_token}` };
    expect((await wire(server, bearer).get('/api/backend/default/incidents')).status).toBe(200);
    const again = new URLSearchParams({ grantType: 'refresh_token', refreshToken: first.refresh_token });
    assertRefused(await anonymous.post(`/api/auth/auth/token?${again}`), 401, /refresh token/);
  });

  test.each([
    ['a wrong password', { grant_type: 'password', username: ADMIN.email, password: 'wrong' }, 401, /password is wrong/],
    ['an unknown user', { grant_type: 'password', username: 'nobody@example.com', password: 'wrong' }, 401, /password is wrong/],
    ['an unknown grant', { grant_type: 'client_credentials' }, 400, /grant_type/],
    ['a missing password', { grant_type: 'password', username: ADMIN.email }, 400, /password/],
    ['a made-up refresh token', { grant_type: 'refresh_token', refresh_token: 'x' }, 401, /refresh token/],
  ] as const)('refuses %s', async (_, body, status, sentence) => {
    assertRefused(await anonymous.post('/api/auth/auth/token', body), status, sentence);
  });

  async function tokenOf(parameters: { readonly [name: string]: string }) {
    const reply = await anonymous.post(`/api/auth/auth/token?${new URLSearchParams(parameters)}`);
    return bodyOf<{ readonly access_token: string; readonly refresh_token: string }>(reply);
  }
});

describe('a request', () => {
  test.each(['authorization', 'authentication'])('may carry its bearer token in the header %s', async (header) => {
    const { authorization = '' } = await logIn(server.client, ADMIN);
    expect((await wire(server, { [header]: authorization }).get('/api/backend/default/incidents')).status).toBe(200);
  });

  test('may carry an API key in place of the token, until the key is deleted', async () => {
    const created = await admin.post('/api/auth/auth/default/apiKeys', { name: 'pipeline' });
    const { id, key } = bodyOf<{ readonly id: string; readonly key: string }>(created);
    const withKey = wire(server, { 'x-tlm-key': key });
    expect((await withKey.get('/api/backend/default/incidents')).status).toBe(200);
    expect((await admin.delete(`/api/auth/auth/default/apiKeys/${id}`)).status).toBe(200);
    assertRefused(await withKey.get('/api/backend/default/incidents'), 401, /credential/);
  });

  test.each([
    ['no credential', {}],
    ['a made-up token', { authorization: 'Bearer made.up.token' }],
    ['a made-up key', { 'x-tlm-key': 'made-up' }],
    ['a token of another scheme', { authorization: 'Basic YWRtaW46YWRtaW4=' }],
  ])('with %s is answered 401', async (_, headers) => {
    assertRefused(await wire(server, headers).get('/api/backend/default/incidents'), 401, /credential/);
  });

  test('to an unknown tenant is answered 404, to a tenant where the caller has no role 403', async () => {
    const platform = wire(server, { authorization: `Bearer ${PLATFORM_TOKEN}` });
    const created = await platform.post('/platform/tenants', {
      id: 'second',
      admin_email: 'admin@second.example',
      admin_password: 'Correct-Horse-43',
    });
    expect(created).toMatchObject({ status: 200, body: { id: 'second' } });
    assertRefused(await admin.get('/api/backend/nowhere/incidents'), 404, /nowhere/);
    assertRefused(await admin.get('/api/backend/second/incidents'), 403, /no role in tenant second/);
  });

  test('of a role too small is answered 403 with the role that it needs', async () => {
    const viewer = { tenant: 'default', email: 'viewer@example.com', password: 'Only-Looking-1' };
    const user = new URLSearchParams({ email: viewer.email, first_name: 'V', last_name: 'W', role: 'viewer', password: viewer.password });
    expect((await admin.post(`/api/auth/auth/default/users?${user}`)).status).toBe(200);
    const asViewer = wire(server, await logIn(server.client, viewer));
    expect((await asViewer.get('/api/backend/default/incidents')).status).toBe(200);
    assertRefused(await asViewer.get('/configuration/tenants/default/spark-job-config'), 403, /admin/);
    assertRefused(await asViewer.get('/api/auth/auth/default/apiKeys'), 403, /admin/);
  });
});

describe('the service', () => {
  test.each(['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs'])('answers %s without a credential', async (path) => {
    expect((await anonymous.get(path)).status).toBe(200);
  });

  test('names an unknown path and a wrong method', async () => {
    expect(await anonymous.get('/api/backend/nothing')).toMatchObject({ status: 404, body: { description: 'Not Found' } });
    const wrong = await anonymous.delete('/auth/token');
    expect(wrong).toMatchObject({ status: 405, body: { description: 'Method Not Allowed' } });
    expect(wrong.headers.allow).toBe('POST');
  });

  test('keeps a token valid across a restart', async () => {
    await using own = await temporaryDirectory();
    await using before = await startObservabilityServer({ directory: own.path });
    const headers = await logIn(before.client, ADMIN);
    await before.stop();
    await using after = await startObservabilityServer({ directory: own.path });
    using client = jsonClient({ baseUrl: after.address });
    expect((await wire({ client }, headers).get('/api/backend/default/incidents')).status).toBe(200);
    await after.stop();
  });
});
