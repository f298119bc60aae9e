// SPDX-License-Identifier: Apache-2.0
/** Copies of shards on a node that is gone come to other nodes by themselves, while clients write; new shards that were to have copies on it are given up. */
import { type ChildServer, isLongRun, missingNats } from '@sextant/foundation-testing';
import { describe, expect, test, vi } from 'vitest';
import { environmentOf, sextant } from '../clients/sextant.ts';
import { scrollAll, vectorApi } from '../vector-api.ts';
import { serverAt as at, type ClusterNodes, NODES, natsLog, startCluster } from './cluster-nodes.ts';
import { sharedCluster } from './shared-cluster.ts';

const missing = missingNats();
const SHARDS = 4;
const GONE = 1;
const INCOMPLETE = 'cluster_resharding_copies_incomplete';
/** Only what hangs takes so long, on however busy a machine. */
const PATIENCE = { timeout: 120_000, interval: 500 };

type NewCopy = { readonly shard_id: number; readonly peer_id: number };
type Telemetry = {
  readonly cluster: { readonly status: { readonly peer_id: number }; readonly peers: object };
  readonly collections: {
    readonly collections: readonly {
      readonly id: string;
      readonly shards: readonly {
        readonly id: number;
        readonly local: { readonly num_points: number } | null;
        readonly replicate_states: object;
      }[];
      readonly resharding: readonly NewCopy[];
    }[];
  };
};
type Replica = { readonly shard_id: number; readonly state: string };
type Info = {
  readonly peer_id: number;
  readonly local_shards: readonly (Replica & { readonly points_count: number })[];
  readonly remote_shards: readonly (Replica & { readonly peer_id: number })[];
  readonly shard_transfers: readonly unknown[];
  readonly resharding_operations: readonly NewCopy[];
};

describe.skipIf(missing !== undefined)(missing ?? 'three nodes over NATS', () => {
  test('replace the copies of one that is dead for long enough, and it may come back', { timeout: 300_000 }, async () => {
    await using log = await natsLog();
    await using cluster = await startCluster(log, { environment: { SERVICE_CLUSTER_REPLACE_SECONDS: '11' } });
    await create(cluster);
    const gone = (await infoOf(at(cluster, GONE))).peer_id;
    const held = (await infoOf(at(cluster, GONE))).local_shards.length;
    expect(held).toBeGreaterThan(0);
    await cluster.servers[GONE]?.kill();
    // It still counts as alive, so that copies of new shards are to be made on it.
    const dividing = sextant(['cluster', 'reshard', 'films'], environmentOf('/', { SEXTANT_URL: at(cluster, 0).address }));
    await expect.poll(async () => (await infoOf(at(cluster, 2))).resharding_operations.map(({ peer_id: peer }) => peer)).toContain(gone);
    for (const node of [0, 2]) {
      await expect.poll(() => metric(at(cluster, node), INCOMPLETE), PATIENCE).toBeGreaterThan(0);
      // What a copy is may change between the two questions.
      await vi.waitFor(async () => {
        const { telemetry, info } = await telemetryAndInfo(at(cluster, node));
        expect(telemetry).toEqual(info);
      }, PATIENCE);
    }
    let written = 100;
    const isReplaced = async () => {
      await write(at(cluster, written % 2 === 0 ? 0 : 2), written, 1);
      written += 1;
      return holders(cluster, 0);
    };
    await expect.poll(isReplaced, PATIENCE).toEqual(Array.from({ length: SHARDS }, () => [0, 2]));
    const begun = await Promise.all([0, 2].map((node) => metric(at(cluster, node), 'cluster_copies_replaced_total')));
    // Nobody begins what another one has begun already.
    expect(begun.reduce((sum, count) => sum + count, 0)).toBe(held);
    for (const node of [0, 2]) await expect.poll(() => metric(at(cluster, node), 'cluster_copies_lost'), PATIENCE).toBe(0);
    // The shards could not be divided without it and stay as they are.
    expect(await dividing).toMatchObject({ code: 1, stderr: expect.stringContaining('was aborted') });
    for (const node of [0, 2]) {
      expect(await infoOf(at(cluster, node))).toMatchObject({ shard_count: SHARDS, resharding_operations: [] });
      await expect.poll(() => metric(at(cluster, node), INCOMPLETE), PATIENCE).toBe(0);
    }
    await cluster.start(GONE);
    expect((await infoOf(at(cluster, GONE))).local_shards).toEqual([]);
    expect((await infoOf(at(cluster, 0))).remote_shards.map(({ peer_id: peer }) => peer)).not.toContain(gone);
    await expectAll(cluster, [0, 1, 2], written);
  });

  // The replacing is the same as above, and `room.test.ts` removes a node in each run.
  test.runIf(isLongRun())(
    'replace the copies of one that was removed, and wait for one that is dead where nothing else was set',
    {
      timeout: 300_000,
    },
    async () => {
      const { cluster } = await sharedCluster();
      await create(cluster);
      await cluster.servers[GONE]?.kill();
      const remove = (...more: readonly string[]) =>
        sextant(['cluster', 'remove', NODES[GONE], ...more], environmentOf('/', { SEXTANT_URL: at(cluster, 0).address }));
      const held = expect.stringMatching(/holds or receives \d shards of collections; .* remove it with force=true/);
      await expect.poll(() => remove(), PATIENCE).toMatchObject({ code: 6, stderr: held });
      const before = await infoOf(at(cluster, 0));
      expect(before.shard_transfers).toEqual([]);
      expect(before.remote_shards.map(({ state }) => state)).toContain('Dead');
      expect(await remove('--force')).toMatchObject({ code: 0 });
      await expect.poll(() => holders(cluster, 2), PATIENCE).toEqual(Array.from({ length: SHARDS }, () => [0, 2]));
      await expectAll(cluster, [0, 2], 100);
    },
  );
});

async function create(cluster: ClusterNodes): Promise<void> {
  const config = { vectors: { size: 2, distance: 'Dot' }, shard_number: SHARDS, replication_factor: 2 };
  await vectorApi(at(cluster, 0).client).call('PUT', '/collections/films', config);
  await write(at(cluster, 0), 0, 100);
}

async function write(server: ChildServer, from: number, count: number): Promise<void> {
  const points = Array.from({ length: count }, (_, place) => ({ id: from + place, vector: [from, place], payload: { place } }));
  await vectorApi(server.client).call('PUT', '/collections/films/points', { points });
}

/** What telemetry tells of the shards, and the same as the description of the collection has it. */
async function telemetryAndInfo(server: ChildServer) {
  const info = await infoOf(server);
  const { collections, cluster } = await vectorApi(server.client).call<Telemetry>('GET', '/telemetry?details_level=3');
  const films = collections.collections.find(({ id }) => id === 'films');
  const copies = [...info.local_shards.map((each) => ({ ...each, peer_id: info.peer_id })), ...info.remote_shards];
  const statesOf = (shard: number) =>
    Object.fromEntries(copies.filter(({ shard_id }) => shard_id === shard).map(({ peer_id: peer, state }) => [peer, state]));
  return {
    telemetry: {
      peer: cluster.status.peer_id,
      peers: Object.keys(cluster.peers).length,
      shards: films?.shards.map(({ id, local, replicate_states }) => ({ id, points: local?.num_points, states: replicate_states })),
      resharding: films?.resharding.map(({ shard_id, peer_id }) => ({ shard_id, peer_id })),
    },
    info: {
      peer: info.peer_id,
      peers: NODES.length,
      shards: Array.from({ length: SHARDS }, (_, id) => {
        const points = info.local_shards.find(({ shard_id: shard }) => shard === id)?.points_count;
        return { id, points, states: statesOf(id) };
      }),
      resharding: info.resharding_operations.map(({ shard_id, peer_id }) => ({ shard_id, peer_id })),
    },
  };
}

/** The nodes of each shard, once nothing is on its way. */
async function holders(cluster: ClusterNodes, node: number): Promise<readonly (readonly number[])[] | string> {
  const { peer_id: own, local_shards: local, remote_shards: remote, shard_transfers: transfers } = await infoOf(at(cluster, node));
  if (transfers.length > 0) return 'something is on its way';
  const alive = await Promise.all([0, 2].map(async (each) => [(await infoOf(at(cluster, each))).peer_id, each] as const));
  const names = new Map(alive);
  const all = [...local.map((each) => ({ ...each, peer_id: own })), ...remote];
  return Array.from({ length: SHARDS }, (_, shard) =>
    all
      .filter(({ shard_id, state }) => shard_id === shard && state === 'Active')
      .map(({ peer_id: peer }) => names.get(peer) ?? -1)
      .toSorted((one, other) => one - other),
  );
}

async function expectAll(cluster: ClusterNodes, nodes: readonly number[], written: number): Promise<void> {
  const read = async (node: number) => {
    await vectorApi(at(cluster, node).client).call('POST', '/collections/films/points/count?consistency=majority', {});
    return scrollAll(vectorApi(at(cluster, node).client).collection('films'));
  };
  const [first, ...others] = await Promise.all(nodes.map(read));
  expect(first).toHaveLength(written);
  for (const other of others) expect(other).toEqual(first);
}

async function metric(server: ChildServer, name: string): Promise<number> {
  const text = String((await server.client.request('GET', '/metrics')).body);
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
}

async function infoOf(server: ChildServer): Promise<Info> {
  return vectorApi(server.client).call<Info>('GET', '/collections/films/cluster');
}
