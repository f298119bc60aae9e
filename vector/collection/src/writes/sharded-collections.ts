// SPDX-License-Identifier: Apache-2.0
/**
 * A collection in shards on one node. Its shards are made before its definition says so and removed after that, so that a shard that no definition names is
 * what a crash has left, and goes at the next start.
 */
import { type CreateCollection, ServiceError } from '@sextant/contracts-vector';
import type { CollectionConfig } from '../model/collection-config.ts';
import { collectionOfShard, comingShards, isShardName, keysNamed, placedShards, type ShardedDefinition } from '../model/shards.ts';
import {
  type CollectionOperation,
  isAfter,
  isPointOperation,
  type LogMark,
  type PlacementOperation,
  type Recovery,
} from '../model/write-operation.ts';
import type { Catalog } from './catalog.ts';
import type { CollectionWriter } from './collection-writer.ts';
import type { RegistryEntry } from './collections-registry.ts';
import { changedDefinition } from './placement-changes.ts';

type ShardedCreation = {
  readonly name: string;
  readonly request: CreateCollection;
  readonly placement: readonly (readonly string[])[];
  /** What this node is called; it makes the shards that are placed on it. */
  readonly node: string | undefined;
  readonly mark?: LogMark | undefined;
  /** Of the collection, not of its shards. */
  readonly recovery?: Recovery | undefined;
};

export async function createSharded(catalog: Catalog, { name, request, placement, node, mark, recovery }: ShardedCreation): Promise<true> {
  catalog.refuseTaken(name);
  const definition: ShardedDefinition =
    request.sharding_method === 'custom' ? { placement: {}, shardKeys: { next: 0, keys: [] } } : { placement };
  const made: string[] = [];
  try {
    for (const shard of placedShards(name, definition)) {
      if (node === undefined || !shard.nodes.includes(node)) continue;
      await catalog.create(shard.name, request, { mark, part: { shard: shard.place } });
      made.push(shard.name);
    }
    return await catalog.create(name, request, { mark, part: definition, recovery });
  } catch (error) {
    for (const shard of made) await catalog.delete(shard);
    throw error;
  }
}

type PlacementChange = { readonly operation: PlacementOperation; readonly node: string | undefined; readonly mark: LogMark | undefined };

/**
 * Passes over what is on disk already. A new shard has the schema of its definition and counts on from its number, so a point that is written under a key that
 * was dropped and made again has a higher version than before.
 * @throws ServiceError `shard_change_refused` or `shard_key_not_found`
 */
export async function changePlacement(
  catalog: Catalog,
  writer: CollectionWriter,
  { operation, node, mark }: PlacementChange,
): Promise<void> {
  if (mark !== undefined && !isAfter(mark, writer.followed.applied)) return;
  const { name, config } = writer;
  const changed = numbered(name, changedDefinition(config, operation));
  const known = new Set(placedShards(name, config).map((shard) => shard.name));
  const made: string[] = [];
  try {
    // Those that take the place of others come with their points.
    for (const shard of operation.kind === 'create_shard_key' ? placedShards(name, changed) : []) {
      if (known.has(shard.name) || node === undefined || !shard.nodes.includes(node)) continue;
      await catalog.createLike(writer, { name: shard.name, place: shard.place, mark });
      made.push(shard.name);
    }
    await writer.reconfigure(() => changed, mark);
  } catch (error) {
    for (const shard of made) await catalog.delete(shard);
    throw error;
  }
}

/** Says how many shards there are, where ids alone divide the points. */
function numbered(name: string, config: CollectionConfig): CollectionConfig {
  if (config.shardNumbers === undefined) return config;
  return { ...config, params: { ...config.params, shard_number: placedShards(name, config).length } };
}

/** The shards of a collection on this node that an operation is about, those included that take the place of others later. */
export function localShards(
  name: string,
  config: CollectionConfig | undefined,
  { has, operation }: { readonly has: (shard: string) => boolean; readonly operation?: CollectionOperation | undefined },
): readonly string[] {
  const keys = operation !== undefined && isPointOperation(operation) ? keysNamed(operation.shardKey) : undefined;
  return [...placedShards(name, config ?? {}), ...comingShards(name, config ?? {})].flatMap((shard) => {
    const { key } = shard.place;
    const isNamed = keys === undefined || key === undefined || keys.includes(key);
    return isNamed && has(shard.name) ? [shard.name] : [];
  });
}

/** Refuses an upsert that does not say where its points go, in every part alike. */
export function requireKey({ config, name }: CollectionWriter, operation: CollectionOperation): void {
  if (config.params.sharding_method !== 'custom' || operation.kind !== 'upsert' || operation.shardKey !== undefined) return;
  throw new ServiceError('shard_key_required', { collection: collectionOfShard(name) });
}

/**
 * What the definition says of an operation whose keys are all gone: known to be there when it was asked for, they were dropped before it came. The operation has
 * its number and changes nothing.
 */
export function refuseGoneKeys({ config, name }: CollectionWriter, operation: CollectionOperation): void {
  const { shardKeys } = config;
  const keys = isPointOperation(operation) ? keysNamed(operation.shardKey) : undefined;
  if (shardKeys === undefined || keys === undefined || shardKeys.keys.some(({ key }) => keys.includes(key))) return;
  throw new ServiceError('shard_key_not_found', { key: JSON.stringify(keys[0]), collection: name });
}

export function orphans(entries: readonly RegistryEntry[]): readonly RegistryEntry[] {
  const defined = new Set(entries.flatMap(({ name, state }) => (state === 'live' ? [name] : [])));
  return entries.filter(({ name }) => isShardName(name) && !defined.has(collectionOfShard(name)));
}
