// SPDX-License-Identifier: Apache-2.0
/** The shards of a collection, or of a key, become twice as many by way of the log; which nodes have the new ones is chosen before. */
import { randomUUID } from 'node:crypto';
import { ServiceError, type UpdateCollectionCluster } from '@sextant/contracts-vector';
import type { Cluster } from '../../cluster/peers.ts';
import type { WriteContext } from '../operation.ts';
import { placedNow } from './placed-now.ts';

type ClusterContext = Pick<WriteContext, 'engine'> & { readonly cluster: Cluster };
type Start = Extract<UpdateCollectionCluster, { readonly start_resharding: unknown }>['start_resharding'];

/** As many as a key can be made with. */
const SHARDS_MAX = 1000;

export async function startResharding(context: ClusterContext, collection: string, { peer_id: peer, shard_key }: Start): Promise<unknown> {
  const { cluster } = context;
  const { shards } = await placedNow(context, collection);
  if (peer != null) refuse('all shards are split at once, and the nodes with the fewest shards get the new ones; leave out the peer_id');
  const key = shard_key ?? undefined;
  const parents = shards.filter(({ place }) => place.key === key);
  const count = 2 * parents.length;
  if (count > SHARDS_MAX) refuse(`there are ${parents.length} shards, and at most ${SHARDS_MAX} are allowed`);
  const replicas = Math.max(1, ...parents.map(({ nodes }) => nodes.length));
  const nodes = await cluster.place({ shards: count, replicas });
  const fewest = Math.min(replicas, ...nodes.map((each) => each.length));
  if (fewest < replicas)
    refuse(`each shard needs ${replicas} copies, but only ${fewest} nodes are alive and have disk space; start the other nodes first`);
  const id = randomUUID();
  return cluster.changePlacement({ kind: 'begin_resharding', collection, id, nodes, ...(key === undefined ? {} : { key }) });
}

export async function abortResharding(context: ClusterContext, collection: string): Promise<unknown> {
  const { resharding } = await placedNow(context, collection);
  if (resharding === undefined) refuse('no resharding of the collection is in progress');
  return context.cluster.changePlacement({ kind: 'abort_resharding', collection, id: resharding.id });
}

function refuse(reason: string): never {
  throw new ServiceError('shard_change_refused', { reason });
}
