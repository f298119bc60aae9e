// SPDX-License-Identifier: Apache-2.0
/** A collection of three nodes whose shards become twice as many while a client writes and counts. */

import { setTimeout as sleep } from 'node:timers/promises';
import { QdrantClient } from '@qdrant/js-client-grpc';
import { type ChildServer, missingNats } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { environmentOf, sextant } from '../clients/sextant.ts';
import { scrollAll, vectorApi } from '../vector-api.ts';
import { grpcAddressOf } from '../vector-server.ts';
import { type ClusterNodes, inTurn } from './cluster-nodes.ts';
import { sharedCluster } from './shared-cluster.ts';

const missing = missingNats();
const POINTS = 5;
/** Between two writes; without it the client takes all processors until the shards are divided. */
const PAUSE_MS = 50;

type Info = {
  readonly shard_count: number;
  readonly local_shards: readonly { readonly shard_id: number; readonly points_count: number }[];
  readonly resharding_operations: readonly { readonly shard_id: number; readonly direction: string; readonly comment: string }[];
};

describe.skipIf(missing !== undefined)(missing ?? 'three nodes over NATS', () => {
  test('divide shards while a client writes, and show each point once at every moment', { timeout: 240_000 }, async () => {
    const { cluster } = await sharedCluster();
    const next = inTurn(() => cluster);
    const LINE = { vectors: { size: 2, distance: 'Dot' } } as const;
    await send(next(), 'PUT', '/collections/films', { ...LINE, shard_number: 2 });
    await send(next(), 'PUT', '/collections/whole', LINE);

    let written = 0;
    let isOver = false;
    const writing = (async () => {
      while (!isOver) {
        await sleep(PAUSE_MS);
        const points = Array.from({ length: POINTS }, (_, place) => ({ id: written * POINTS + place, vector: [written, 1], payload: {} }));
        await send(next(), 'PUT', '/collections/films/points', { points });
        written += 1;
        const last = { filter: { must: [{ has_id: points.map(({ id }) => id) }] }, limit: 2 * POINTS };
        const { points: found } = (await send(next(), 'POST', '/collections/films/points/scroll?consistency=majority', last)) as {
          readonly points: readonly unknown[];
        };
        expect(found).toHaveLength(POINTS);
        const nearest = { ...last, vector: [1, 1], params: { exact: true } };
        expect(await send(next(), 'POST', '/collections/films/points/search?consistency=majority', nearest)).toHaveLength(POINTS);
        expect(await send(next(), 'POST', '/collections/films/points/count?consistency=majority', {})).toEqual({ count: written * POINTS });
      }
    })();
    const work = (async () => {
      await expect.poll(() => written).toBeGreaterThan(5);
      expect(await refused('films', { start_resharding: { direction: 'down' } })).toMatch(/^400 .*not supported/);
      expect(await refused('films', { start_resharding: { direction: 'up', peer_id: 1 } })).toMatch(/^400 .*leave out the peer_id/);
      expect(await refused('films', { start_resharding: { direction: 'up', shard_key: 'a' } })).toMatch(/^400 .*divided by their ids/);
      expect(await refused('whole', { start_resharding: { direction: 'up' } })).toMatch(/^400 .*not sharded/);
      expect(await refused('none', { start_resharding: { direction: 'up' } })).toMatch(/^404 /);
      expect(await refused('films', { abort_resharding: {} })).toMatch(/^400 .*no resharding of the collection is in progress/);
      expect(await refused('films', { finish_resharding: {} })).toMatch(/^400 .*ends by itself/);

      // A copy takes longer than these four questions, so that the command does not wait for it.
      const change = (body: object) => send(next(), 'POST', '/collections/films/cluster', body);
      expect(await cli('reshard', 'films', '--no-wait')).toMatchObject({ code: 0, stdout: '4 shards of films are being created.\n' });
      expect(await refused('films', { start_resharding: { direction: 'up' } })).toMatch(/^400 .*already being split/);
      const [north] = await caughtUp(cluster);
      const grpc = new QdrantClient({ url: grpcAddressOf(north), https: false }).api('collections');
      const { reshardingOperations } = await grpc.collectionClusterInfo({ collectionName: 'films' });
      expect(reshardingOperations.map(({ shardId, direction }) => [shardId, direction])).toEqual([2, 3, 4, 5].map((shard) => [shard, 0]));
      expect(await change({ abort_resharding: {} })).toBe(true);
      for (const server of await caughtUp(cluster))
        expect(await infoOf(server)).toMatchObject({ shard_count: 2, resharding_operations: [] });
      const aborted = await cli('reshard', 'films', '--abort');
      expect(aborted).toMatchObject({ code: 6, stderr: expect.stringContaining('no resharding of the collection is in progress') });

      expect(await cli('reshard', 'films')).toMatchObject({ code: 0, stdout: expect.stringContaining('films has 4 shards now.') });
    })();
    await Promise.race([work, writing.then(() => Promise.reject(new Error('the client ended')))]).finally(() => {
      isOver = true;
    });
    await writing;

    const infos = await Promise.all((await caughtUp(cluster)).map(infoOf));
    for (const info of infos) expect(info).toMatchObject({ shard_count: 4, resharding_operations: [] });
    const shards = infos.flatMap(({ local_shards: local }) => local);
    expect(shards.map(({ shard_id: shard }) => shard).toSorted((one, other) => one - other)).toEqual([6, 7, 8, 9]);
    expect(shards.reduce((sum, { points_count: count }) => sum + count, 0)).toBe(written * POINTS);
    expect(await send(next(), 'GET', '/collections/films')).toMatchObject({ config: { params: { shard_number: 4 } } });
    const views = await Promise.all(cluster.servers.map(({ client }) => scrollAll(vectorApi(client).collection('films'))));
    expect(views[0]).toHaveLength(written * POINTS);
    for (const view of views) expect(view).toEqual(views[0]);

    function cli(...args: string[]) {
      return sextant(['cluster', ...args], environmentOf('/', { SEXTANT_URL: next().address }));
    }

    async function refused(collection: string, body: object): Promise<string> {
      const reply = await next().client.request('POST', `/collections/${collection}/cluster`, body);
      return `${reply.status} ${(reply.body as { readonly status: { readonly error: string } }).status.error}`;
    }
  });
});

/** All nodes, once each has everything that was acknowledged by now. */
async function caughtUp({ servers }: ClusterNodes): Promise<readonly [ChildServer, ...ChildServer[]]> {
  for (const server of servers) await send(server, 'POST', '/collections/films/points/count?consistency=majority', {});
  const [first, ...others] = servers;
  if (first === undefined) throw new Error('every node was started');
  return [first, ...others];
}

function infoOf(server: ChildServer): Promise<Info> {
  return send(server, 'GET', '/collections/films/cluster') as Promise<Info>;
}

function send(server: ChildServer, method: string, path: string, body?: object): Promise<unknown> {
  return vectorApi(server.client).call(method, path, body);
}
