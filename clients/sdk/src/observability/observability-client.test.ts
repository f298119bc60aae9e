// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { answeringServer, json, NEVER } from '../http/answering-server.fixture.ts';
import { ObservabilityClient } from './observability-client.ts';

const token = (name: string) =>
  json(200, { expires: 60, access_token: `access ${name}`.replace(' ', '-'), refresh_token: `refresh-${name}`, token_type: 'Bearer' });
const EXPIRED = json(401, {
  message: 'Invalid or missing credential; send Authorization: Bearer <access token> or X-TLM-Key: <API key>',
  description: 'Unauthorized',
});
const USER = { username: 'ada@example.org', password: 'secret' };

test('path parameters, query strings and bodies come from one object, the tenant from the client', async () => {
  await using server = await answeringServer(json(200, []));
  const client = new ObservabilityClient({ url: server.url, tenant: 'acme', apiKey: 'key' });
  await client.listJobs({ asset_id: 'a/1', most_recent: true, limit: undefined });
  await client.updateProject({ project_id: 3, name: 'sales', description: null });
  await client.forTenant('other').listAssets();
  expect(server.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
    ['GET', '/api/backend/acme/sources/a%2F1/jobs?most_recent=true', ''],
    ['PUT', '/api/backend/acme/configuration/projects/3', '{"name":"sales","description":null}'],
    ['GET', '/api/backend/other/configuration/assets', ''],
  ]);
  expect(server.requests[0]?.headers).toMatchObject({ 'x-tlm-key': 'key' });
});

test('a missing path parameter is an error before anything is sent', async () => {
  await using server = await answeringServer(json(200, {}));
  const client = new ObservabilityClient({ url: server.url });
  await expect(client.getJob({ job_id: '' })).rejects.toThrow('needs `job_id`');
  expect(server.requests).toEqual([]);
});

test('an access token that has expired is renewed once, for all calls that were refused with it', async () => {
  let renewals = 0;
  await using server = await answeringServer((response, request) => {
    if (request.path === '/auth/token') {
      const isRenewal = request.body.includes('refresh_token');
      if (isRenewal) renewals += 1;
      return token(isRenewal ? 'new' : 'old')(response, request);
    }
    return request.headers.authorization === 'Bearer access-new' ? json(200, [])(response, request) : EXPIRED(response, request);
  });
  const client = new ObservabilityClient({ url: server.url });
  await client.signIn(USER);
  await Promise.all([client.listAssets(), client.listProjects(), client.listChannels()]);
  expect(renewals).toBe(1);
  expect(JSON.parse(server.requests.find(({ body }) => body.includes('refresh-old'))?.body ?? '')).toMatchObject({
    grant_type: 'refresh_token',
    tenant: 'default',
  });
});

test('without a session, a refusal stays one; after signing out, too', async () => {
  await using server = await answeringServer(token('old'), json(200, { message: 'The session has ended' }), EXPIRED);
  const client = new ObservabilityClient({ url: server.url });
  await client.signIn(USER);
  await client.signOut();
  await expect(client.listAssets()).rejects.toMatchObject({ name: 'AuthenticationError', code: 'unauthorized' });
  await client.signOut();
  expect(server.requests.map(({ path }) => path)).toEqual([
    '/auth/token',
    '/auth/token/revoke',
    '/api/backend/default/configuration/assets',
  ]);
  expect(JSON.parse(server.requests[1]?.body ?? '')).toEqual({ refresh_token: 'refresh-old' });
  expect(server.requests[2]?.headers).not.toHaveProperty('authorization');
});

test('a sign-out that does not arrive is one all the same', async () => {
  await using server = await answeringServer(token('old'), json(500, { message: 'Internal error' }), EXPIRED);
  const client = new ObservabilityClient({ url: server.url, retry: { retries: 0 } });
  await client.signIn(USER);
  await expect(client.signOut()).rejects.toMatchObject({ status: 500 });
  await expect(client.listAssets()).rejects.toMatchObject({ code: 'unauthorized' });
  expect(server.requests[2]?.headers).not.toHaveProperty('authorization');
});

describe('a session in a cookie', () => {
  const IN_COOKIE = { refresh_token_in: 'cookie', tenant: 'default', username: USER.username };
  const cookieToken = (name: string) => json(200, { expires: 60, access_token: `access-${name}`, token_type: 'Bearer' });
  /** Whether each request is sent with cookies. */
  const clientWithCookies = (url: string) => {
    const credentials: (string | undefined)[] = [];
    const client = new ObservabilityClient({
      url,
      refreshTokenIn: 'cookie',
      fetch: (target, init) => {
        credentials.push(init.credentials);
        return fetch(target, init);
      },
    });
    return { client, credentials };
  };

  test('is begun, renewed and ended without the token passing through the page; no other call takes cookies along', async () => {
    await using server = await answeringServer(
      cookieToken('old'),
      EXPIRED,
      cookieToken('new'),
      json(200, []),
      json(200, { message: 'The session has ended' }),
    );
    const { client, credentials } = clientWithCookies(server.url);
    await client.signIn(USER);
    await client.listAssets();
    await client.signOut();
    const sent = server.requests.map(({ body }) => (body === '' ? undefined : JSON.parse(body)));
    expect(sent).toEqual([
      { grant_type: 'password', password: USER.password, ...IN_COOKIE },
      undefined,
      { grant_type: 'refresh_token', ...IN_COOKIE },
      undefined,
      { refresh_token_in: 'cookie' },
    ]);
    expect(server.requests[3]?.headers.authorization).toBe('Bearer access-new');
    expect(credentials).toEqual(['include', undefined, 'include', undefined, 'include']);
  });

  test('goes on in the next page', async () => {
    await using server = await answeringServer(cookieToken('next'), json(200, []));
    const { client } = clientWithCookies(server.url);
    expect(await client.resume(USER)).toBe(true);
    await client.listAssets();
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({ grant_type: 'refresh_token', ...IN_COOKIE });
    expect(server.requests[1]?.headers.authorization).toBe('Bearer access-next');
  });

  test('that is not there is no failure; a service that cannot say is', async () => {
    const refused = json(401, {
      message: 'The refresh token is unknown, has expired or was used before',
      description: 'Unauthorized',
    });
    await using server = await answeringServer(refused, json(403, { message: 'no', description: 'Forbidden' }));
    const { client } = clientWithCookies(server.url);
    expect(await client.resume(USER)).toBe(false);
    await expect(client.resume(USER)).rejects.toMatchObject({ name: 'PermissionError' });
  });
});

test('a job is polled until it has ended, and each change is reported', async () => {
  const job = (status: string, fraction: number) =>
    json(200, { id: 'j', status, progress: { phase: 'measuring', rows_read: 1, fraction } });
  await using server = await answeringServer(job('PREPARING', 0), job('IN_PROGRESS', 0.5), job('IN_PROGRESS', 0.5), job('FINISHED', 1));
  const client = new ObservabilityClient({ url: server.url });
  const seen: (number | null)[] = [];
  const ended = await client.waitForJob('j', { pollMs: 1, onProgress: ({ progress }) => seen.push(progress.fraction) });
  expect(ended.status).toBe('FINISHED');
  expect(seen).toEqual([0, 0.5, 1]);
});

test('waiting for a job ends when it is cancelled', async () => {
  await using server = await answeringServer(NEVER);
  const controller = new AbortController();
  const running = new ObservabilityClient({ url: server.url }).waitForJob('j', { signal: controller.signal });
  await expect.poll(() => server.requests).toHaveLength(1);
  controller.abort(new Error('later'));
  await expect(running).rejects.toThrow('later');
});

test('an upload of a stream says how far it is, is sent once, and takes as long as it takes', async () => {
  await using server = await answeringServer(
    json(429, { message: 'The server has reached its limit of concurrent work; try again in 0 s' }, { 'retry-after': '0' }),
  );
  const client = new ObservabilityClient({ url: server.url });
  async function* bytes() {
    yield new Uint8Array(3);
    yield new Uint8Array(4);
  }
  const progress: unknown[] = [];
  await expect(client.upload('a.csv', bytes(), { onProgress: (now) => progress.push(now) })).rejects.toMatchObject({ code: 'overloaded' });
  expect(progress).toEqual([
    { bytesSent: 3, bytesTotal: null },
    { bytesSent: 7, bytesTotal: null },
  ]);
  expect(server.requests).toHaveLength(1);
  expect(server.requests[0]).toMatchObject({ path: '/default/uploads?name=a.csv', body: '\0'.repeat(7) });
});

test('an upload of bytes is sent again where that is advised', async () => {
  await using server = await answeringServer(json(429, { message: 'busy' }, { 'retry-after': '0' }), json(200, { id: 'u', name: 'a.csv' }));
  const client = new ObservabilityClient({ url: server.url });
  expect(await client.upload('a.csv', new Blob(['abc']), { onProgress: () => {} })).toMatchObject({ id: 'u' });
  expect(server.requests.map(({ body }) => body)).toEqual(['abc', 'abc']);
});
