// SPDX-License-Identifier: Apache-2.0
import { builtCapabilities } from '@sextant/contracts-vector';
import { endpoints, isOperationId } from '@sextant/contracts-vector/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing/test-server.ts';

const PASSWORD = 'Correct-Horse-42';
const POINTS = {
  points: [
    { id: 1, vector: [1, 0] },
    { id: 2, vector: [0, 1], payload: { lookup_from: { collection: 'other' } } },
  ],
};
const REFUSED = /^This access token is limited to some collections, and /;

let server: TestServer;
let admin: { authorization: string };
let limited: { authorization: string };

beforeAll(async () => {
  server = await testServer({ capabilities: builtCapabilities });
  await server.call('POST', '/auth/admin', { password: PASSWORD });
  const { body } = await server.call('POST', '/auth/admin/login', { password: PASSWORD });
  admin = { authorization: `Bearer ${(body as { token: string }).token}` };
  await server.call('PATCH', '/auth/enabled', { enabled: true }, admin);
  for (const name of ['own', 'other', 'led-to']) {
    await server.call('PUT', `/collections/${name}`, { vectors: { size: 2, distance: 'Dot' } }, admin);
    await server.call('PUT', `/collections/${name}/points`, POINTS, admin);
  }
  const alias = (alias_name: string, collection_name: string) => ({ create_alias: { alias_name, collection_name } });
  await server.call(
    'POST',
    '/collections/aliases',
    { actions: [alias('of-own', 'own'), alias('of-other', 'other'), alias('listed', 'led-to')] },
    admin,
  );
  limited = await token({ permission: 'read,write', collections: ['own', 'listed', 'not-yet'] });
});
afterAll(() => server[Symbol.asyncDispose]());

async function token(request: object): Promise<{ authorization: string }> {
  const made = await server.call('POST', '/auth/api_key', { name: 'limited', ...request }, admin);
  expect(made).toMatchObject({ status: 200 });
  return { authorization: `Bearer ${(made.body as { api_key: string }).api_key}` };
}

function errorOf({ body }: { readonly body: unknown }): string {
  const { status } = body as { readonly status: { readonly error?: string } };
  return status.error ?? '';
}

describe('a token that is limited to some collections', () => {
  test('is listed with them, and cannot be admin', async () => {
    expect((await server.call('GET', '/auth/api_keys', undefined, admin)).body).toMatchObject([
      { collections: ['own', 'listed', 'not-yet'] },
    ]);
    for (const [request, reason] of [
      [{ permission: 'read,admin', collections: ['own'] }, /^collections: a token with the permission admin/],
      [{ permission: 'read', collections: [] }, /^collections: /],
      [{ permission: 'read', collections: ['a/b'] }, /^collections\[0\]: expected a collection name/],
    ] as const) {
      const reply = await server.call('POST', '/auth/api_key', { name: 'limited', ...request }, admin);
      expect([reply.status, (reply.body as { message: string }).message]).toEqual([400, expect.stringMatching(reason)]);
    }
  });

  test('reads and writes them by their names and aliases', async () => {
    for (const name of ['own', 'of-own', 'listed']) {
      expect(await server.call('POST', `/collections/${name}/points/search`, { vector: [1, 0], limit: 1 }, limited)).toMatchObject({
        status: 200,
      });
      expect(await server.call('PUT', `/collections/${name}/points`, POINTS, limited)).toMatchObject({ status: 200 });
    }
    expect(await server.call('PUT', '/collections/not-yet', { vectors: { size: 2, distance: 'Dot' } }, limited)).toMatchObject({
      status: 200,
    });
    expect(await server.call('DELETE', '/collections/not-yet', undefined, limited)).toMatchObject({ status: 200 });
  });

  test('sees no others in lists', async () => {
    expect((await server.call('GET', '/collections', undefined, limited)).body).toMatchObject({
      result: { collections: [{ name: 'own' }] },
    });
    const { body } = await server.call('GET', '/aliases', undefined, limited);
    expect(
      (body as { result: { aliases: { alias_name: string }[] } }).result.aliases.map(({ alias_name }) => alias_name).toSorted(),
    ).toEqual(['listed', 'of-own']);
  });

  test('keeps its limit with another secret', async () => {
    const another = await server.call('POST', '/auth/api_key', { name: 'rotated', permission: 'read', collections: ['own'] }, admin);
    const { id } = another.body as { id: number };
    const rotated = await server.call('POST', `/auth/api_key/${id}/rotate`, undefined, admin);
    const { api_key: secret, collections } = rotated.body as { api_key: string; collections: string[] };
    expect(collections).toEqual(['own']);
    expect(await server.call('GET', '/collections/other', undefined, { authorization: `Bearer ${secret}` })).toMatchObject({ status: 403 });
  });

  const named = Object.entries(endpoints).filter(([id, { path }]) => isOperationId(id) && path.includes('{collection_name}'));
  test.each(named.map(([id, { method, path }]) => [id, method, path] as const))(
    '%s of another collection is refused, and of none that there is',
    async (id, method, path) => {
      for (const name of ['other', 'of-other', 'nowhere']) {
        const place = path.replace('{collection_name}', name).replace(/\{\w+\}/g, '1');
        const reply = await server.call(method, place, bodyOf(id), limited);
        // A body that is not as it should be is refused before, and tells nothing of collections.
        if (reply.status === 400) expect(JSON.stringify(reply.body)).not.toMatch(/exist|found/);
        else expect([reply.status, errorOf(reply)]).toEqual([403, expect.stringMatching(REFUSED)]);
      }
    },
  );

  test.each([
    ['GET', '/metrics'],
    ['GET', '/telemetry'],
    ['GET', '/issues'],
    ['GET', '/cluster'],
    ['GET', '/snapshots'],
    ['POST', '/snapshots'],
    ['POST', '/collections/aliases'],
  ])('%s %s is about all collections, and refused', async (method, path) => {
    const body = path.endsWith('aliases') ? { actions: [{ delete_alias: { alias_name: 'of-other' } }] } : undefined;
    const reply = await server.call(method, path, body, limited);
    expect([reply.status, errorOf(reply)]).toEqual([403, expect.stringMatching(REFUSED)]);
  });

  test.each([
    ['/points/query', { query: 1, lookup_from: { collection: 'other' } }],
    ['/points/query', { prefetch: [{ prefetch: { query: 1, lookup_from: { collection: 'other' } }, query: [0, 1] }], query: [1, 0] }],
    [
      '/points/query/batch',
      { searches: [{ query: [1, 0] }, { query: { recommend: { positive: [1] } }, lookup_from: { collection: 'of-other' } }] },
    ],
    ['/points/recommend', { positive: [1], limit: 1, lookup_from: { collection: 'other' } }],
    ['/points/query/groups', { query: [1, 0], group_by: 'a', with_lookup: 'other' }],
    ['/points/search/groups', { vector: [1, 0], group_by: 'a', limit: 1, group_size: 1, with_lookup: { collection: 'other' } }],
  ])('%s that looks something up in another collection is refused', async (path, body) => {
    const reply = await server.call('POST', `/collections/own${path}`, body, limited);
    expect([reply.status, errorOf(reply)]).toEqual([403, expect.stringMatching(REFUSED)]);
    const allowed = JSON.parse(JSON.stringify(body).replaceAll(/"(?:of-)?other"/g, '"listed"')) as object;
    expect(await server.call('POST', `/collections/own${path}`, allowed, limited)).toMatchObject({ status: 200 });
  });

  test('recovers none from the folder of snapshots', async () => {
    const made = await server.call('POST', '/collections/other/snapshots', undefined, admin);
    const { name } = (made.body as { result: { name: string } }).result;
    const reply = await server.call('PUT', '/collections/own/snapshots/recover', { location: `file:///${name}` }, limited);
    expect([reply.status, errorOf(reply)]).toEqual([403, expect.stringMatching(REFUSED)]);
  });
});

function bodyOf(operation: string): unknown {
  const bodies: { readonly [operation: string]: unknown } = {
    create_collection: { vectors: { size: 2, distance: 'Dot' } },
    upsert_points: POINTS,
    search_points: { vector: [1, 0], limit: 1 },
    search_batch: { searches: [{ vector: [1, 0], limit: 1 }] },
    query_batch: { searches: [{ query: [1, 0] }] },
    delete_points: { points: [1] },
    retrieve_points: { ids: [1] },
    set_payload: { payload: { a: 1 }, points: [1] },
  };
  const { method } = endpoints[operation as keyof typeof endpoints];
  return bodies[operation] ?? (method === 'GET' ? undefined : {});
}
