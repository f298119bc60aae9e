// SPDX-License-Identifier: Apache-2.0
/** Snapshots of collections in shards: this node packs the shards that it has, and gets the others from nodes that have them. */
import { ServiceError, type SnapshotDescription } from '@sextant/contracts-vector';
import { type CatalogView, createShardedSnapshot, type Snapshots, shardName } from '@sextant/vector-collection';
import { placedCollection } from '../placed-shards.ts';
import { type FetchOptions, fetchShard } from './receive-copy.ts';

export type SnapshotsOfShardsOptions = FetchOptions & {
  readonly node: string;
  readonly view: CatalogView;
  readonly snapshots: Pick<Snapshots, 'pack'>;
  /** The position of the log that everything is at by now; this node has it when it answers. */
  readonly caughtUp: () => Promise<number>;
  /** Ends what is on its way. */
  readonly signal: AbortSignal;
};

const RETRY_SECONDS = 30;
const KEYED = {
  operation: 'create_snapshot',
  reason: 'shard keys divide the points of the collection, and no snapshot has keys yet; scroll its points key by key instead',
};

/**
 * Each shard has everything that was acknowledged before the snapshot was asked for. One is made at a time on a node.
 * @returns what makes one
 */
export function snapshotsOfShards(options: SnapshotsOfShardsOptions): (collection: string) => Promise<SnapshotDescription> {
  const { node, view, snapshots, caughtUp, folder, clock, signal } = options;
  let isBusy = false;

  return async (collection) => {
    if (isBusy) throw new ServiceError('snapshots_busy', { seconds: RETRY_SECONDS });
    isBusy = true;
    try {
      const atLeast = await caughtUp();
      const placed = placedCollection(view, collection);
      if (placed === undefined) throw new ServiceError('collection_not_found', { collection });
      if (placed.shardKeys !== undefined) throw new ServiceError('not_in_cluster', KEYED);
      const pack = (index: number) => packOne({ name: placed.name, index, atLeast });
      return await createShardedSnapshot({ collection: placed.name, count: placed.shards.length, pack, folder, clock, signal });
    } finally {
      isBusy = false;
    }
  };

  /** A shard may move meanwhile, so that its nodes are looked up when it is its turn. */
  async function packOne({ name, index, atLeast }: { readonly name: string; readonly index: number; readonly atLeast: number }) {
    const shard = shardName(name, index);
    const holders = placedCollection(view, name)?.shards[index]?.nodes ?? [];
    if (holders.includes(node) && view.servedView(shard) !== undefined) return snapshots.pack(shard);
    try {
      return await fetchShard({ name: shard, holders, atLeast, signal }, options);
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new ServiceError('shard_unavailable', { collection: name, reason }, { cause: error });
    }
  }
}
