// SPDX-License-Identifier: Apache-2.0
/** Shards and peers: a single node has one shard of each collection and no peer; in a cluster every node has that shard, or each some of several. */
import { ServiceError, type ShardKey } from '@sextant/contracts-vector';
import { type Cluster, isDead, logStatusOf, type Peer, peerIdOf } from '../../cluster/peers.ts';
import { operation } from '../operation.ts';

export const cluster = operation('cluster', async ({ cluster: joined, clock }) =>
  joined === undefined ? { status: 'disabled' } : clusterStatus(joined, await joined.peers(), clock.nowMs()),
);

export const collectionClusterInfo = operation('collection_cluster_info', async ({ engine, cluster: joined }, { params }) => {
  const own = joined?.status.node;
  const peers = (await joined?.peers()) ?? [];
  const others = peers.filter(({ node }) => node !== own);
  const peer_id = own === undefined ? 0 : peerIdOf(own);
  const sharded = await joined?.shardsOf(params.collection_name);
  if (sharded !== undefined) {
    const alive = new Set(others.filter((peer) => !isDead(peer)).map(({ node }) => node));
    return {
      peer_id,
      shard_count: sharded.count,
      local_shards: sharded.local.map(({ shard, key, points, state }) => ({ shard_id: shard, ...under(key), points_count: points, state })),
      remote_shards: sharded.remote.map(({ shard, key, node, state }) => ({
        shard_id: shard,
        ...under(key),
        peer_id: peerIdOf(node),
        state: alive.has(node) ? state : 'Dead',
      })),
      shard_transfers: sharded.transfers.map(({ shard, from, to, isMove, comment }) => ({
        shard_id: shard,
        from: peerIdOf(from),
        to: peerIdOf(to),
        sync: !isMove,
        method: 'snapshot',
        comment,
      })),
      resharding_operations: sharded.resharding.map(({ shard, key, node, comment }) => ({
        direction: 'up',
        shard_id: shard,
        ...under(key),
        peer_id: peerIdOf(node),
        comment,
      })),
    };
  }
  const { points_count } = await engine.collectionInfo(params.collection_name);
  return {
    peer_id,
    shard_count: 1,
    local_shards: [{ shard_id: 0, points_count, state: 'Active' }],
    remote_shards: others.map((peer) => ({ shard_id: 0, peer_id: peerIdOf(peer.node), state: isDead(peer) ? 'Dead' : 'Active' })),
    shard_transfers: [],
    resharding_operations: [],
  };
});

export const removePeer = operation('remove_peer', async ({ cluster: joined }, { params, query }) => {
  if (joined === undefined) {
    const details = { endpoint: 'DELETE /cluster/peer/{peer_id}', instead: 'there are no peers to manage', allowed: '' };
    throw new ServiceError('standalone_mode', details);
  }
  const peer = (await joined.peers()).find(({ node }) => String(peerIdOf(node)) === params.peer_id);
  if (peer === undefined) throw new ServiceError('peer_not_found', { peer: params.peer_id });
  if (!isDead(peer)) throw new ServiceError('peer_alive', { peer: peer.node });
  const shards = joined.shardsOn(peer.node);
  if (shards > 0 && query.force !== 'true') throw new ServiceError('peer_has_shards', { peer: peer.node, shards });
  return joined.forget(peer.node);
});

function under(key: ShardKey | undefined): { readonly shard_key?: ShardKey } {
  return key === undefined ? {} : { shard_key: key };
}

/** The log stands where the published API has its consensus: nobody leads, and what waits here are positions of the log. */
function clusterStatus({ status: { node, applied, last, isConnected } }: Cluster, peers: readonly Peer[], nowMs: number) {
  return {
    status: 'enabled',
    peer_id: peerIdOf(node),
    peers: Object.fromEntries(
      peers.map((peer) => [
        peerIdOf(peer.node),
        {
          uri: peer.address,
          name: peer.node,
          applied: peer.applied,
          has_room: !peer.isFull,
          silent_seconds: Math.round(peer.silentMs / 1000),
        },
      ]),
    ),
    raft_info: { term: 0, commit: last, pending_operations: Math.max(0, last - applied), leader: null, role: null, is_voter: true },
    consensus_thread_status: logStatusOf(isConnected, nowMs),
    message_send_failures: {},
  };
}
