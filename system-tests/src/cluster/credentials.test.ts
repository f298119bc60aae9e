// SPDX-License-Identifier: Apache-2.0
/** Who may do what on three nodes that enforce it: an admin, logins and tokens that are made at one node are known at all, and so is their end. */
import { describe, expect, test } from 'vitest';
import { type ClusterNodes, LOGS, NODES, startCluster } from './cluster-nodes.ts';

const { missing, start } = LOGS.NATS ?? { missing: 'no NATS', start: () => Promise.reject(new Error('no NATS')) };
const PASSWORD = 'Correct-Horse-42';
/** Only what hangs takes so long, on however busy a machine. */
const PATIENCE = { timeout: 60_000 };

type Token = { readonly id: number; readonly api_key: string };

describe.skipIf(missing !== undefined)(missing ?? 'three nodes over NATS', () => {
  test('know each other’s credentials', { timeout: 240_000 }, async () => {
    await using log = await start();
    await using cluster = await startCluster(log, { environment: { SERVICE_AUTH_ENABLED: 'true' } });
    const [north, east, south] = NODES.map((_, node) => asking(cluster, node));
    if (north === undefined || east === undefined || south === undefined) throw new Error('there are three nodes');

    expect(await north('POST', '/auth/admin', { password: PASSWORD })).toMatchObject({ status: 200 });
    const loggedIn = async () =>
      (await east('POST', '/auth/admin/login', { password: PASSWORD })).body as { readonly token?: string | null };
    await expect.poll(async () => (await loggedIn()).token, PATIENCE).toEqual(expect.any(String));
    const { token: jwt = '' } = await loggedIn();
    const asAdmin = { authorization: `Bearer ${jwt}` };
    expect(await south('POST', '/auth/admin', { password: PASSWORD }, asAdmin)).toMatchObject({ status: 409 });

    // At the same moment, by way of all nodes.
    const made = await Promise.all(
      [north, east, south].map((ask) => ask('POST', '/auth/api_key', { name: 'x', permission: 'read,write' }, asAdmin)),
    );
    expect(made.map(({ status }) => status)).toEqual([200, 200, 200]);
    const tokens = made.map(({ body }) => body as Token);
    expect(tokens.map(({ id }) => id).toSorted((one, other) => one - other)).toEqual([1, 2, 3]);
    const [first] = tokens;
    const withToken = { 'api-key': first?.api_key ?? '' };
    const config = { vectors: { size: 1, distance: 'Dot' }, shard_number: 3 };
    expect(await south('PUT', '/collections/films', config)).toMatchObject({ status: 401 });
    await expect.poll(async () => (await south('PUT', '/collections/films', config, withToken)).status, PATIENCE).toBe(200);
    const count = '/collections/films/points/count';
    for (const ask of [north, east, south]) {
      await expect.poll(async () => (await ask('POST', count, {}, withToken)).status, PATIENCE).toBe(200);
      expect(await ask('POST', count, {})).toMatchObject({ status: 401 });
    }

    // A token that is deleted ends everywhere, also on a node that is started again.
    expect(await north('DELETE', `/auth/api_key/${first?.id}`, undefined, asAdmin)).toMatchObject({ status: 200 });
    expect(await north('POST', count, {}, withToken)).toMatchObject({ status: 401 });
    await cluster.servers[2]?.kill();
    await cluster.start(2);
    for (const ask of [east, asking(cluster, 2)]) {
      await expect.poll(async () => (await ask('POST', count, {}, withToken)).status, PATIENCE).toBe(401);
      expect(await ask('POST', count, {}, asAdmin)).toMatchObject({ status: 200 });
    }

    // The switch is one for all.
    expect(await east('PATCH', '/auth/enabled', { enabled: false }, asAdmin)).toMatchObject({ status: 200 });
    await expect.poll(async () => (await north('POST', count, {})).status, PATIENCE).toBe(200);
  });
});

function asking(cluster: ClusterNodes, node: number) {
  return async (method: string, path: string, body?: object, headers: { readonly [name: string]: string } = {}) => {
    const server = cluster.servers[node];
    if (server === undefined) throw new Error('every node was started');
    return server.client.request(method, path, body, { headers });
  };
}
