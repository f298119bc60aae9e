// SPDX-License-Identifier: Apache-2.0
/** Keys that divide the points of a collection among shards; they come and go by way of the log, with nodes that are chosen before. */
import { type BodyOf, ServiceError } from '@sextant/contracts-vector';
import { type Cluster, isDead, peerIdOf } from '../../cluster/peers.ts';
import { operation, type WriteContext } from '../operation.ts';

export const createShardKey = operation('create_shard_key', async (context, { params, body }) => {
  const cluster = clusterOf(context, 'PUT /collections/{collection_name}/shards', 'GET');
  await makeShardKey({ ...context, cluster }, params.collection_name, body);
  return true;
});

export const deleteShardKey = operation('delete_shard_key', async (context, { params, body }) => {
  const cluster = clusterOf(context, 'POST /collections/{collection_name}/shards/delete', '');
  await dropShardKey({ ...context, cluster }, params.collection_name, body);
  return true;
});

export const listShardKeys = operation('list_shard_keys', async ({ engine }, { params }) => ({
  shard_keys: (await engine.shardKeys(params.collection_name)).map((key) => ({ key })),
}));

type ClusterContext = Pick<WriteContext, 'engine'> & { readonly cluster: Cluster };

export async function makeShardKey(
  { engine, cluster }: ClusterContext,
  collection: string,
  { shard_key: key, shards_number, replication_factor, placement }: BodyOf<'create_shard_key'>,
): Promise<unknown> {
  await cluster.caughtUp();
  const defaults = cluster.placed(collection)?.defaults ?? { shards: 1, replicas: 1 };
  // A collection that does not exist is reported before anything about nodes.
  await engine.collectionInfo(collection);
  // An empty list is what clients send that name none.
  const among = placement == null || placement.length === 0 ? undefined : await nodesOf(cluster, placement);
  const nodes = await cluster.place({ shards: shards_number ?? defaults.shards, replicas: replication_factor ?? defaults.replicas, among });
  if (nodes.some((each) => each.length === 0)) {
    throw new ServiceError('shard_change_refused', { reason: `none of the nodes ${among?.join(', ')} is alive; start one first` });
  }
  return cluster.changePlacement({ kind: 'create_shard_key', collection, key, nodes });
}

export async function dropShardKey(
  { engine, cluster }: ClusterContext,
  collection: string,
  { shard_key: key }: BodyOf<'delete_shard_key'>,
): Promise<unknown> {
  await engine.collectionInfo(collection);
  return cluster.changePlacement({ kind: 'drop_shard_key', collection, key });
}

async function nodesOf(cluster: Cluster, peerIds: readonly number[]): Promise<readonly string[]> {
  const peers = await cluster.peers();
  const named = peerIds.map((id) => {
    const peer = peers.find(({ node }) => peerIdOf(node) === id);
    if (peer === undefined) throw new ServiceError('peer_not_found', { peer: String(id) });
    return peer;
  });
  const alive = named.filter((peer) => !isDead(peer));
  return (alive.length > 0 ? alive : named).map(({ node }) => node);
}

function clusterOf({ cluster }: Pick<WriteContext, 'cluster'>, endpoint: string, allowed: string): Cluster {
  if (cluster !== undefined) return cluster;
  const instead = 'a collection has one shard; /collections/{collection_name}/cluster describes it';
  throw new ServiceError('standalone_mode', { endpoint, instead, allowed });
}
