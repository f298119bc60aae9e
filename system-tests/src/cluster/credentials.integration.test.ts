// SPDX-License-Identifier: Apache-2.0
/** Who may do what on three nodes that enforce it: an admin, logins and tokens that are made at one node are known at all, and so is their end. */
import { missingNats } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { type ClusterNodes, NODES, serverAt } from './cluster-nodes.ts';
import { sharedCluster } from './shared-cluster.ts';

const missing = missingNats();
const PASSWORD = 'Correct-Horse-42';
/** Only what hangs takes so long, on however busy a machine. */
const PATIENCE = { timeout: 60_000 };

type Token = { readonly id: number; readonly api_key: string };

describe.skipIf(missing !== undefined)(missing ?? 'three nodes over NATS', () => {
  test('know each other’s credentials', { timeout: 240_000 }, async () => {
    const { cluster } = await sharedCluster();
    const [north, east, south] = NODES.map((_, node) => asking(cluster, node));
    if (north === undefined || east === undefined || south === undefined) throw new Error('there are three nodes');

    expect(await north('POST', '/auth/admin', { password: PASSWORD })).toMatchObject({ status: 200 });
    const loggedIn = async () =>
      (await east('POST', '/auth/admin/login', { password: PASSWORD })).body as { readonly token?: string | null };
    await expect.poll(async () => (await loggedIn()).token, PATIENCE).toEqual(expect.any(String));
    const { token: jwt = '' } = await loggedIn();
    const asAdmin = { authorization: `Bearer ${jwt}` };
    expect(await south('POST', '/auth/admin', { password: PASSWORD }, asAdmin)).toMatchObject({ status: 409 });
    expect(await south('PATCH', '/auth/enabled', { enabled: true }, asAdmin)).toMatchObject({ status: 200 });
    for (const ask of [north, east, south]) await expectSwitch(ask, true);

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
    for (const ask of [north, east, asking(cluster, 2)]) await expectSwitch(ask, false);
    expect(await north('POST', count, {})).toMatchObject({ status: 200 });
  });
});

/** Whether credentials are asked for, as a node knows it. */
async function expectSwitch(ask: ReturnType<typeof asking>, isOn: boolean): Promise<void> {
  await expect.poll(async () => (await ask('GET', '/auth/enabled')).body, PATIENCE).toMatchObject({ result: isOn });
}

function asking(cluster: ClusterNodes, node: number) {
  return async (method: string, path: string, body?: object, headers: { readonly [name: string]: string } = {}) => {
    return serverAt(cluster, node).client.request(method, path, body, { headers });
  };
}
