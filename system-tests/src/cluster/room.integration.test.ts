// SPDX-License-Identifier: Apache-2.0
/** Two nodes over PostgreSQL, which ends their connections: they go on; and a node whose disk is full, with writes that the other one takes for its shards. */
import { openSmallDisk, smallDiskProblem } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { environmentOf, sextant } from '../clients/sextant.ts';
import { vectorApi } from '../vector-api.ts';
import { LOGS, startCluster } from './cluster-nodes.ts';

const { missing: noLog, start } = LOGS.PostgreSQL ?? { missing: 'no PostgreSQL', start: () => Promise.reject(new Error('no PostgreSQL')) };
const missing = noLog ?? smallDiskProblem();
const EAST = 1;
const SHARDS = 3;
const DISK_BYTES = 128 * 1024 * 1024;
const PATIENCE = { timeout: 60_000 };

describe.skipIf(missing !== undefined)(missing ?? 'two nodes over PostgreSQL', () => {
  test('outlive the end of their connections, refuse writes to the shards of one that is full, and remove one that is dead', {
    timeout: 240_000,
  }, async () => {
    using disk = openSmallDisk(DISK_BYTES);
    await using log = await start();
    await using cluster = await startCluster(log, { count: 2, directories: { [EAST]: `${disk.path}/data` } });
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
    await call('PUT', '/collections/films', { vectors: { size: 1, distance: 'Dot' }, shard_number: SHARDS });
    expect(new Set(await outcomes())).toEqual(new Set(['200 ']));
    await cluster.cutLog();
    await expect.poll(async () => new Set(await outcomes()), PATIENCE).toEqual(new Set(['200 ']));
    expect(await call('POST', '/collections/films/points/count?consistency=majority', {})).toEqual({ count: ids.length });

    disk.fill();
    const peers = async () =>
      Object.values(((await call('GET', '/cluster')) as { readonly peers: { readonly [id: string]: object } }).peers);
    await expect.poll(peers, PATIENCE).toContainEqual(expect.objectContaining({ name: 'east', has_room: false }));
    await expect
      .poll(async () => new Set((await outcomes()).map((outcome) => outcome.slice(0, 3))), PATIENCE)
      .toEqual(new Set(['200', '507']));
    const refused = (await outcomes()).find((outcome) => outcome.startsWith('507'));
    expect(refused).toContain('The disk of the node east, which holds a copy of what is written to films, is full');
    expect(await call('POST', '/collections/films/points/delete?wait=true', { filter: {} })).toMatchObject({ status: 'Completed' });
    // New shards go to the node that has room.
    await call('PUT', '/collections/others', { vectors: { size: 1, distance: 'Dot' }, shard_number: SHARDS });
    expect(await call('GET', '/collections/others/cluster')).toMatchObject({ local_shards: { length: SHARDS }, remote_shards: [] });

    disk.empty();
    await expect.poll(async () => new Set(await outcomes()), PATIENCE).toEqual(new Set(['200 ']));

    // Removing a node is refused until it counts as dead, and then for what it holds.
    await cluster.servers[EAST]?.kill();
    const address = cluster.servers[0]?.address ?? '';
    const remove = (...more: readonly string[]) =>
      sextant(['cluster', 'remove', 'east', ...more], environmentOf('/', { SEXTANT_URL: address }));
    const held = expect.stringMatching(/holds or receives \d shards of collections; .* remove it with force=true/);
    await expect.poll(() => remove(), { ...PATIENCE, interval: 1000 }).toMatchObject({ code: 6, stderr: held });
    expect(await remove('--force')).toMatchObject({ code: 0 });
    expect(await peers()).toMatchObject([{ name: 'north' }]);
  });
});
