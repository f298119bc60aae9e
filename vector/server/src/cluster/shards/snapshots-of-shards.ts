// SPDX-License-Identifier: Apache-2.0
/** Snapshots of collections in shards, and of all collections of a cluster: this node packs the shards that it has, and gets the others from nodes that have them. */
import { ServiceError, type SnapshotDescription, type SnapshotKey } from '@sextant/contracts-vector';
import { assert } from '@sextant/foundation-std';
import {
  type Catalog,
  type CatalogView,
  createFullSnapshot,
  createShardedSnapshot,
  type PackedCollection,
  packShardedSnapshot,
  type ShardedSnapshotOptions,
  type Snapshots,
} from '@sextant/vector-collection';
import type { PlacedCollection } from '../peers.ts';
import { placedCollection } from '../placed-shards.ts';
import { type FetchOptions, fetchShard } from './receive-copy.ts';

export type SnapshotsOfShardsOptions = FetchOptions & {
  readonly node: string;
  readonly view: CatalogView;
  readonly catalog: Pick<Catalog, 'names' | 'aliases' | 'recoveries'>;
  readonly snapshots: Pick<Snapshots, 'pack'>;
  /** The position of the log that everything is at by now; this node has it when it answers. */
  readonly caughtUp: () => Promise<number>;
  /** Ends what is on its way. */
  readonly signal: AbortSignal;
};

const RETRY_SECONDS = 30;
/** An archive has so many members, of which one is the collection without points. */
const SHARDS_MAX = 9_999;

export type SnapshotsOfShards = {
  /** Of a collection in shards. */
  readonly create: (collection: string) => Promise<SnapshotDescription>;
  /** Of all collections, whether they are in shards or in one piece. */
  readonly createFull: () => Promise<SnapshotDescription>;
};

/** Each shard has everything that was acknowledged before the snapshot was asked for. One is made at a time on a node. */
export function snapshotsOfShards(options: SnapshotsOfShardsOptions): SnapshotsOfShards {
  const { node, view, catalog, snapshots, caughtUp, folder, clock, signal } = options;
  let isBusy = false;

  return {
    create: (collection) =>
      alone(async (atLeast) => {
        const placed = placedCollection(view, collection);
        if (placed === undefined) throw new ServiceError('collection_not_found', { collection });
        catalog.recoveries.requireWhole(placed.name);
        return createShardedSnapshot(shardsOf(placed, atLeast));
      }),
    createFull: () =>
      alone((atLeast) => {
        const pack = async (collection: string) => {
          const placed = placedCollection(view, collection);
          return placed === undefined ? snapshots.pack(collection) : packShardedSnapshot(shardsOf(placed, atLeast));
        };
        return createFullSnapshot({ catalog, pack, folder, clock, signal });
      }),
  };

  async function alone(make: (atLeast: number) => Promise<SnapshotDescription>): Promise<SnapshotDescription> {
    if (isBusy) throw new ServiceError('snapshots_busy', { seconds: RETRY_SECONDS });
    isBusy = true;
    try {
      return await make(await caughtUp());
    } finally {
      isBusy = false;
    }
  }

  function shardsOf(placed: PlacedCollection, atLeast: number): ShardedSnapshotOptions {
    const count = placed.shards.length;
    if (count > SHARDS_MAX) {
      const reason = `a snapshot holds at most ${SHARDS_MAX} shards, and ${JSON.stringify(placed.name)} has ${count}`;
      throw new ServiceError('not_in_cluster', { operation: 'create_snapshot', reason });
    }
    const pack = (part: number | 'definition') => packOne(placed, part, atLeast);
    return { collection: placed.name, count, keys: keysOf(placed), pack, folder, clock, signal };
  }

  /** A shard may move meanwhile, so that its nodes are looked up when it is its turn. Every node has the definition. */
  async function packOne({ name, shards }: PlacedCollection, part: number | 'definition', atLeast: number): Promise<PackedCollection> {
    if (part === 'definition') return snapshots.pack(name);
    const shard = shards[part];
    assert(shard !== undefined, 'a snapshot has the shards that were counted');
    const placed = placedCollection(view, name)?.shards.find((known) => known.name === shard.name);
    if (placed === undefined) {
      const { key } = shard.place;
      const what = key === undefined ? 'the shards have changed' : `the shard key ${JSON.stringify(key)} was dropped`;
      throw new ServiceError('shard_unavailable', { collection: name, reason: `${what} while the snapshot was made` });
    }
    if (placed.nodes.includes(node) && view.servedView(shard.name) !== undefined) return snapshots.pack(shard.name);
    try {
      return await fetchShard({ name: shard.name, holders: placed.nodes, atLeast, signal }, options);
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new ServiceError('shard_unavailable', { collection: name, reason }, { cause: error });
    }
  }
}

/** As a recovery makes them again, with the nodes that hold most of a key's shards for its replicas. */
function keysOf({ shards, shardKeys }: PlacedCollection): readonly SnapshotKey[] | undefined {
  return shardKeys?.keys.map(({ key, shards: numbers }) => ({
    key,
    shards: numbers.length,
    replicas: Math.max(...shards.filter(({ number }) => numbers.includes(number)).map(({ nodes }) => nodes.length)),
  }));
}
