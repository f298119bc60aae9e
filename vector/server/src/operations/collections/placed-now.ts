// SPDX-License-Identifier: Apache-2.0
import { ServiceError } from '@sextant/contracts-vector';
import type { Cluster, PlacedCollection } from '../../cluster/peers.ts';
import type { WriteContext } from '../operation.ts';

/**
 * Where the shards of a collection are by what is in the log now.
 * @throws ServiceError `shard_change_refused` for one in one piece, or that there is none
 */
export async function placedNow(
  { engine, cluster }: Pick<WriteContext, 'engine'> & { readonly cluster: Cluster },
  collection: string,
): Promise<PlacedCollection> {
  await cluster.caughtUp();
  const placed = cluster.placed(collection);
  if (placed !== undefined) return placed;
  // A collection that does not exist is reported first.
  await engine.collectionInfo(collection);
  const reason =
    'the collection is not sharded, and every node holds a full copy; only a collection created with a shard_number above 1 has shards';
  throw new ServiceError('shard_change_refused', { reason });
}
