// SPDX-License-Identifier: Apache-2.0
/** The shards of a collection, wherever they are, as who asks all of them has them. */
import { ServiceError } from '@sextant/contracts-vector';
import type { EngineReads } from '../engine.ts';
import type { CollectionConfig } from '../model/collection-config.ts';
import { collectionOfShard, isShardName, type ShardPlace } from '../model/shards.ts';

/** What a shard is asked. Each question goes by the name of the shard, as it would by that of a collection. */
export type ShardReads = Pick<
  EngineReads,
  | 'collectionInfo'
  | 'collectionFigures'
  | 'collectionStatus'
  | 'inputNorms'
  | 'optimizations'
  | 'retrieve'
  | 'scroll'
  | 'count'
  | 'facet'
  | 'nearest'
  | 'sparseCounts'
  | 'sample'
>;

export type Shard = {
  readonly name: string;
  /** Absent of a definition, which has no points. */
  readonly place?: ShardPlace;
  readonly reads: ShardReads;
};

export type ShardedCollection = {
  readonly name: string;
  readonly config: CollectionConfig;
  /** In the order of their numbers. */
  readonly shards: readonly Shard[];
};

/** Asks all shards at once; the first that refuses, refuses for all, in the name of the collection. */
export function askAll<Answer>(
  { shards }: Pick<ShardedCollection, 'shards'>,
  ask: (reads: ShardReads, name: string, shard: Shard) => Promise<Answer>,
): Promise<readonly Answer[]> {
  return Promise.all(shards.map((shard) => askOne(shard, (reads, name) => ask(reads, name, shard))));
}

async function askOne<Answer>({ name, reads }: Shard, ask: (reads: ShardReads, name: string) => Promise<Answer>): Promise<Answer> {
  try {
    return await ask(reads, name);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { collection } = error.details;
    if (typeof collection !== 'string' || !isShardName(collection)) throw error;
    throw new ServiceError(error.code, { ...error.details, collection: collectionOfShard(collection) }, { cause: error });
  }
}
