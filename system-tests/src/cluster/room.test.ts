// SPDX-License-Identifier: Apache-2.0
/** A node whose disk is full, and writes that others take for its shards. */
import { openSmallDisk, smallDiskProblem } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { vectorApi } from '../vector-api.ts';
import { LOGS, NODES, startCluster } from './cluster-nodes.ts';

const { missing: noLog, start } = LOGS.PostgreSQL ?? { missing: 'no PostgreSQL', start: () => Promise.reject(new Error('no PostgreSQL')) };
const missing = noLog ?? smallDiskProblem();
const SOUTH = 2;
const DISK_BYTES = 128 * 1024 * 1024;
const PATIENCE = { timeout: 60_000 };

describe.skipIf(missing !== undefined)(missing ?? 'three nodes over PostgreSQL', () => {
  test('refuse writes to the shards of the one that is full, until it has room', { timeout: 240_000 }, async () => {
    using disk = openSmallDisk(DISK_BYTES);
    await using log = await start();
    await using cluster = await startCluster(log, { directories: { [SOUTH]: `${disk.path}/data` } });
    const call = (method: string, path: string, body?: object) => {
      const server = cluster.servers[0];
      if (server === undefined) throw new Error('every node was started');
      return vectorApi(server.client).call(method, path, body);
    };
    const upsert = async (id: number) => {
      const reply = await cluster.servers[0]?.client.request('PUT', '/collections/films/points', { points: [{ id, vector: [id] }] });
      const { status } = (reply?.body ?? {}) as { readonly status?: { readonly error?: string } };
      return `${reply?.status} ${status?.error ?? ''}`;
    };
    const ids = Array.from({ length: 30 }, (_, id) => id);
    const outcomes = async () => {
      const all: string[] = [];
      for (const id of ids) all.push(await upsert(id));
      return all;
    };
    await call('PUT', '/collections/films', { vectors: { size: 1, distance: 'Dot' }, shard_number: NODES.length });
    expect(new Set(await outcomes())).toEqual(new Set(['200 ']));

    disk.fill();
    const peers = async () =>
      Object.values(((await call('GET', '/cluster')) as { readonly peers: { readonly [id: string]: object } }).peers);
    await expect.poll(peers, PATIENCE).toContainEqual(expect.objectContaining({ name: 'south', has_room: false }));
    await expect
      .poll(async () => new Set((await outcomes()).map((outcome) => outcome.slice(0, 3))), PATIENCE)
      .toEqual(new Set(['200', '507']));
    const refused = (await outcomes()).find((outcome) => outcome.startsWith('507'));
    expect(refused).toContain('The disk of the node south, which holds a copy of what is written to films, is full');
    expect(await call('POST', '/collections/films/points/delete?wait=true', { filter: {} })).toMatchObject({ status: 'Completed' });
    // New shards go to nodes that have room.
    await call('PUT', '/collections/others', { vectors: { size: 1, distance: 'Dot' }, shard_number: NODES.length });
    const { remote_shards: remote, local_shards: local } = (await call('GET', '/collections/others/cluster')) as {
      readonly local_shards: readonly object[];
      readonly remote_shards: readonly { readonly peer_id: number }[];
    };
    expect(local.length + remote.length).toBe(NODES.length);
    expect(new Set(remote.map(({ peer_id: peer }) => peer)).size).toBe(1);

    disk.empty();
    await expect.poll(async () => new Set(await outcomes()), PATIENCE).toEqual(new Set(['200 ']));
  });
});
