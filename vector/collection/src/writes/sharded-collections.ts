// SPDX-License-Identifier: Apache-2.0
/**
 * A collection in shards on one node. Its shards are made before its definition and removed after it, so that a shard without a definition is what a crash
 * has left, and goes at the next start.
 */
import type { CreateCollection } from '@sextant/contracts-vector';
import { collectionOfShard, isShardName, type Placement, shardName } from '../model/shards.ts';
import type { LogMark } from '../model/write-operation.ts';
import type { Catalog } from './catalog.ts';
import type { RegistryEntry } from './collections-registry.ts';

type ShardedCreation = {
  readonly name: string;
  readonly request: CreateCollection;
  readonly placement: Placement;
  /** What this node is called; it makes the shards that are placed on it. */
  readonly node: string | undefined;
  readonly mark?: LogMark | undefined;
};

export async function createSharded(catalog: Catalog, { name, request, placement, node, mark }: ShardedCreation): Promise<true> {
  catalog.refuseTaken(name);
  const made: string[] = [];
  try {
    for (const [index, nodes] of placement.entries()) {
      if (node === undefined || !nodes.includes(node)) continue;
      const shard = { collection: name, index, count: placement.length };
      await catalog.create(shardName(name, index), request, { mark, part: { shard } });
      made.push(shardName(name, index));
    }
    return await catalog.create(name, request, { mark, part: { placement } });
  } catch (error) {
    for (const shard of made) await catalog.delete(shard);
    throw error;
  }
}

/** The names of the shards that there could be on this node, of which `has` tells those that are there. */
export function localShards(name: string, placement: Placement | undefined, has: (shard: string) => boolean): readonly string[] {
  return (placement ?? []).map((_, index) => shardName(name, index)).filter(has);
}

export function orphans(entries: readonly RegistryEntry[]): readonly RegistryEntry[] {
  const defined = new Set(entries.flatMap(({ name, state }) => (state === 'live' ? [name] : [])));
  return entries.filter(({ name }) => isShardName(name) && !defined.has(collectionOfShard(name)));
}
