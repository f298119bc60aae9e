// SPDX-License-Identifier: Apache-2.0
/** Which nodes hold the shards of a collection is changed by way of the log; what depends on the nodes that are there now is asked before. */
import { randomUUID } from 'node:crypto';
import { ServiceError, type UpdateCollectionCluster } from '@sextant/contracts-vector';
import { type Cluster, isDead, type Peer, type PlacedCollection, peerIdOf } from '../../cluster/peers.ts';
import { operation, type WriteContext } from '../operation.ts';
import { placedNow } from './placed-now.ts';
import { abortResharding, startResharding } from './resharding.ts';
import { dropShardKey, makeShardKey } from './shard-keys.ts';

/** Of one collection, as this node knows it. */
type Change = PlacedCollection & { readonly collection: string; readonly cluster: Cluster; readonly peers: readonly Peer[] };

export const updateCollectionCluster = operation(
  'update_collection_cluster',
  async ({ engine, cluster }, { params: { collection_name: collection }, body }) => {
    if (cluster === undefined) {
      const instead = 'a collection has one shard; /collections/{collection_name}/cluster describes it';
      throw new ServiceError('standalone_mode', { endpoint: 'POST /collections/{collection_name}/cluster', instead, allowed: 'GET' });
    }
    if ('create_sharding_key' in body) await makeShardKey({ engine, cluster }, collection, body.create_sharding_key);
    else if ('drop_sharding_key' in body) await dropShardKey({ engine, cluster }, collection, body.drop_sharding_key);
    else if ('start_resharding' in body) await startResharding({ engine, cluster }, collection, body.start_resharding);
    else if ('abort_resharding' in body) await abortResharding({ engine, cluster }, collection);
    else await changeReplicas({ engine, cluster }, collection, body);
    return true;
  },
);

type ReplicaChange = Extract<
  UpdateCollectionCluster,
  | { readonly move_shard: unknown }
  | { readonly replicate_shard: unknown }
  | { readonly abort_transfer: unknown }
  | { readonly drop_replica: unknown }
>;

async function changeReplicas(
  { engine, cluster }: Pick<WriteContext, 'engine'> & { readonly cluster: Cluster },
  collection: string,
  body: ReplicaChange,
): Promise<void> {
  const placed = await placedNow({ engine, cluster }, collection);
  await run({ ...placed, collection, cluster, peers: await cluster.peers() }, body);
}

function run(change: Change, body: ReplicaChange): Promise<unknown> {
  if ('move_shard' in body) return begin(change, { ...body.move_shard, isMove: true });
  if ('replicate_shard' in body) return begin(change, { ...body.replicate_shard, isMove: false });
  if ('abort_transfer' in body) return abort(change, body.abort_transfer);
  return drop(change, body.drop_replica);
}

type Way = { readonly shard_id: number; readonly from_peer_id: number; readonly to_peer_id: number };

async function begin(change: Change, { shard_id: shard, isMove, ...way }: Way & { readonly isMove: boolean }): Promise<unknown> {
  const { collection, cluster } = change;
  const from = nodeOf(change, way.from_peer_id);
  const to = nodeOf(change, way.to_peer_id);
  const target = change.peers.find(({ node }) => node === to);
  if (target !== undefined && isDead(target)) refuse(`the node ${to} is away; start it first`);
  const transfer = { id: randomUUID(), shard, from, to, isMove };
  return cluster.changePlacement({ kind: 'begin_transfer', collection, transfer });
}

async function abort(change: Change, { shard_id: shard, ...way }: Way): Promise<unknown> {
  const { collection, cluster, transfers } = change;
  const from = nodeOf(change, way.from_peer_id);
  const to = nodeOf(change, way.to_peer_id);
  const found = transfers.find((transfer) => transfer.shard === shard && transfer.from === from && transfer.to === to);
  if (found === undefined) refuse(`shard ${shard} is not being transferred from ${from} to ${to}`);
  return cluster.changePlacement({ kind: 'end_transfer', collection, id: found.id, isDone: false });
}

/** Whether a copy would be left that answers depends on the nodes that are there, and on their disks. */
async function drop(change: Change, { shard_id: shard, peer_id: peer }: { readonly shard_id: number; readonly peer_id: number }) {
  const { collection, cluster, shards } = change;
  const node = nodeOf(change, peer);
  const nodes = shards.find(({ number }) => number === shard)?.nodes ?? [];
  const others = nodes.filter((other) => other !== node);
  if (nodes.includes(node) && others.length > 0 && !(await cluster.answersFor({ collection: change.name, index: shard }, others))) {
    refuse(`no other node that holds shard ${shard} answers now (${others.join(', ')}), so this copy may be the last one`);
  }
  return cluster.changePlacement({ kind: 'drop_replica', collection, shard, node });
}

/** A node that is gone for good may still be in a placement. */
function nodeOf({ peers, shards, transfers }: Change, peer: number): string {
  const nodes = [...peers.map(({ node }) => node), ...shards.flatMap((shard) => shard.nodes), ...transfers.map(({ to }) => to)];
  const found = nodes.find((node) => peerIdOf(node) === peer);
  if (found === undefined) throw new ServiceError('peer_not_found', { peer: String(peer) });
  return found;
}

function refuse(reason: string): never {
  throw new ServiceError('shard_change_refused', { reason });
}
