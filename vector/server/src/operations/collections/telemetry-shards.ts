// SPDX-License-Identifier: Apache-2.0
/** The shards of collections as telemetry has them: what is held here, who holds the rest, and what is on its way. */
import type { ClusterTelemetry, CollectionTelemetry, ShardKey, ShardTelemetry } from '@sextant/contracts-vector';
import type { EngineReads } from '@sextant/vector-collection';
import { shardName } from '@sextant/vector-collection';
import type { ClusterReads } from '../../cluster/cluster-reads.ts';
import { logStatusOf, peerIdOf, type ShardsOfCollection } from '../../cluster/peers.ts';

export type Detail = {
  readonly level: number;
  /** What stands for names and addresses where they are not to be said. */
  readonly hidden: ((name: string) => string) | undefined;
};

type Shards = Required<Pick<Extract<CollectionTelemetry, { readonly id: string }>, 'shards' | 'transfers' | 'resharding'>>;

/** The cluster is described from the first level on, with the addresses of its nodes from the second. */
const LEVELS = { status: 1, peers: 2 } as const;

export function clusterTelemetry(cluster: ClusterReads | undefined, nowMs: number, { level, hidden }: Detail): ClusterTelemetry {
  if (cluster === undefined) return { enabled: false };
  const { applied, last, isConnected } = cluster.status;
  const peers = [{ node: cluster.node, address: cluster.address }, ...cluster.others()];
  const status = {
    number_of_peers: peers.length,
    term: 0,
    commit: last,
    pending_operations: Math.max(0, last - applied),
    role: null,
    is_voter: true,
    peer_id: peerIdOf(cluster.node),
    consensus_thread_status: logStatusOf(isConnected, nowMs),
  };
  const uriOf = (address: string) => hidden?.(address) ?? address;
  return {
    enabled: true,
    ...(level < LEVELS.status ? {} : { status }),
    ...(level < LEVELS.peers
      ? {}
      : { peers: Object.fromEntries(peers.map(({ node, address }) => [peerIdOf(node), { uri: uriOf(address) }])) }),
  };
}

/** Of a collection in one piece, which every node has. */
export async function shardOfWhole(engine: EngineReads, name: string, cluster: ClusterReads | undefined): Promise<Shards> {
  const others = cluster?.others() ?? [];
  const states = others.map(({ node, isDead }) => [peerIdOf(node), isDead ? 'Dead' : 'Active'] as const);
  const shard: ShardTelemetry = {
    id: 0,
    key: null,
    local: await localFigures(engine, name),
    remote: others.map(({ node }) => ({ shard_id: 0, peer_id: peerIdOf(node) })),
    replicate_states: Object.fromEntries([[cluster === undefined ? 0 : peerIdOf(cluster.node), 'Active'], ...states]),
  };
  return { shards: [shard], transfers: [], resharding: [] };
}

export async function shardsOfDivided(
  cluster: ClusterReads,
  name: string,
  { local, remote, transfers, resharding }: ShardsOfCollection,
  { hidden }: Detail,
): Promise<Shards> {
  const alive = new Set(cluster.others().flatMap(({ node, isDead }) => (isDead ? [] : [node])));
  const keyOf = (key: ShardKey): ShardKey => hidden?.(String(key)) ?? key;
  const under = (key: ShardKey | undefined) => (key === undefined ? {} : { shard_key: keyOf(key) });
  const describe = async (shard: number): Promise<ShardTelemetry> => {
    const own = local.find((each) => each.shard === shard);
    const elsewhere = remote.filter((each) => each.shard === shard);
    const key = (own ?? elsewhere[0])?.key;
    const states = elsewhere.map(({ node, state }) => [peerIdOf(node), alive.has(node) ? state : 'Dead'] as const);
    return {
      id: shard,
      key: key === undefined ? null : keyOf(key),
      // One that is on its way here is not read yet.
      local: own?.state === 'Active' ? await localFigures(cluster.own, shardName(name, shard)) : null,
      remote: elsewhere.map(({ node }) => ({ shard_id: shard, peer_id: peerIdOf(node) })),
      replicate_states: Object.fromEntries([...(own === undefined ? [] : [[peerIdOf(cluster.node), own.state] as const]), ...states]),
    };
  };
  const numbers = [...new Set([...local, ...remote].map(({ shard }) => shard))].toSorted((one, other) => one - other);
  return {
    shards: await Promise.all(numbers.map(describe)),
    transfers: transfers.map(({ shard, from, to, isMove, comment }) => ({
      shard_id: shard,
      from: peerIdOf(from),
      to: peerIdOf(to),
      sync: !isMove,
      method: 'snapshot',
      // It may name nodes.
      ...(hidden === undefined ? { comment } : {}),
    })),
    resharding: resharding.map(({ id, shard, key, node }) => ({
      uuid: id,
      stage: 'migrating_points',
      direction: 'up',
      shard_id: shard,
      ...under(key),
      peer_id: peerIdOf(node),
    })),
  };
}

async function localFigures(engine: EngineReads, name: string): Promise<NonNullable<ShardTelemetry['local']>> {
  const { status, points_count } = await engine.collectionInfo(name);
  const { rowsLinked, vectorBytes, payloadBytes, vectors } = await engine.collectionFigures(name);
  return {
    variant_name: 'local',
    status,
    total_optimized_points: rowsLinked,
    vectors_size_bytes: vectorBytes,
    payloads_size_bytes: payloadBytes,
    num_points: points_count,
    num_vectors: vectors,
  };
}
