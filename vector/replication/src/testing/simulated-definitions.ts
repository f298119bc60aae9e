// SPDX-License-Identifier: Apache-2.0
/** Where the points of simulated collections are, by the rules of real ones: in one piece, in shards, or in shards of keys that come and go. */
import type { Random } from '@sextant/foundation-std';
import {
  type CatalogOperation,
  type CollectionOperation,
  changedDefinition,
  comingShards,
  isPointOperation,
  keysNamed,
  type PlacedShard,
  placedShards,
  type ShardedDefinition,
  shardOfPoint,
} from '@sextant/vector-collection';
import { placeShards } from '../placement.ts';

/** By the names of collections. */
export type Definitions = Map<string, ShardedDefinition>;

/** What a catalog's operation makes of the definition of its collection. @throws ServiceError where it is refused */
export function definitionAfter(definitions: Definitions, operation: CatalogOperation): ShardedDefinition | undefined {
  switch (operation.kind) {
    case 'create_collection':
      return {};
    case 'create_sharded_collection':
      return operation.request.sharding_method === 'custom'
        ? { placement: {}, shardKeys: { next: 0, keys: [] } }
        : { placement: operation.placement };
    case 'create_shard_key':
    case 'drop_shard_key':
    case 'begin_resharding':
    case 'note_resharded':
    case 'abort_resharding': {
      const definition = definitions.get(operation.collection);
      return definition && changedDefinition(definition, operation);
    }
    case 'begin_transfer':
    case 'end_transfer':
    case 'drop_replica':
    case 'end_recovery':
    case 'delete_collection':
    case 'change_aliases':
    case 'change_credentials':
      return undefined;
  }
}

/** All copies of new shards count as ready but for one: a defect, since the others may not be there. */
export function readyButFor(definition: ShardedDefinition, noted: { readonly shard: number; readonly node: string }): ShardedDefinition {
  const { resharding } = definition;
  if (resharding === undefined) return definition;
  const shards = resharding.shards.map((each) => ({
    ...each,
    ready: each.nodes.filter((node) => each.number !== noted.shard || node !== noted.node),
  }));
  return { ...definition, resharding: { ...resharding, shards } };
}

/** The names of a collection's shards that an operation is about, those included that take the place of others later. */
export function shardsAbout(collection: string, definition: ShardedDefinition, operation?: CollectionOperation): readonly string[] {
  const keys = operation !== undefined && isPointOperation(operation) ? keysNamed(operation.shardKey) : undefined;
  const shards = allShards(collection, definition).filter(({ place: { key } }) => key === undefined || keys?.includes(key) !== false);
  return shards.map(({ name }) => name);
}

/** Whether none of the keys that an operation names is there any more. */
export function isUnderNothing({ shardKeys }: ShardedDefinition, operation: CollectionOperation): boolean {
  const keys = isPointOperation(operation) ? keysNamed(operation.shardKey) : undefined;
  return shardKeys !== undefined && keys !== undefined && !shardKeys.keys.some(({ key }) => keys.includes(key));
}

function allShards(collection: string, definition: ShardedDefinition): readonly PlacedShard[] {
  return [...placedShards(collection, definition), ...comingShards(collection, definition)];
}

/** Whether a point falls to a part: a collection in one piece, the definition of one in shards, or a shard. */
export function isOf(id: number, part: string, definitions: Definitions): boolean {
  for (const [collection, definition] of definitions) {
    if (part === collection) return definition.placement === undefined;
    const shard = allShards(collection, definition).find(({ name }) => name === part);
    if (shard !== undefined) return shardOfPoint(id, shard.place.count) === shard.place.index;
  }
  return false;
}

/** The part that has a point, under a key where keys divide the points; undefined where there is none. */
export function partOf(id: number, collection: string, definition: ShardedDefinition, key?: string): string | undefined {
  if (definition.placement === undefined) return collection;
  const shards = placedShards(collection, definition).filter(({ place }) => place.key === key);
  return shards.find(({ place }) => shardOfPoint(id, place.count) === place.index)?.name;
}

/** A key that is made, or dropped; whichever of the two it is, it may be refused. */
export function keyChange(
  collection: string,
  { keys, nodes, random }: { readonly keys: readonly string[]; readonly nodes: readonly string[]; readonly random: Random },
): { readonly operation: CatalogOperation; readonly key: string; readonly isDrop: boolean } {
  const key = keys[random.integer(keys.length)] ?? '';
  const isDrop = random.integer(3) === 0;
  if (isDrop) return { operation: { kind: 'drop_shard_key', collection, key }, key, isDrop };
  const placed = placeShards({ shards: 1 + random.integer(2), replicas: 1 + random.integer(3), nodes, held: new Map() });
  return { operation: { kind: 'create_shard_key', collection, key, nodes: placed }, key, isDrop };
}

/** Shards that are divided, or what is given up of that; undefined where there is nothing to divide. */
export function reshardingChange(
  collection: string,
  definition: ShardedDefinition,
  { nodes, random, id }: { readonly nodes: readonly string[]; readonly random: Random; readonly id: string },
): CatalogOperation | undefined {
  const { resharding, shardKeys } = definition;
  if (resharding !== undefined) return random.integer(6) === 0 ? { kind: 'abort_resharding', collection, id: resharding.id } : undefined;
  const key = shardKeys?.keys[random.integer(Math.max(1, shardKeys.keys.length))]?.key;
  const parents = placedShards(collection, definition).filter(({ place }) => place.key === key).length;
  if (parents === 0 || parents > 4) return undefined;
  const placed = placeShards({ shards: 2 * parents, replicas: 1 + random.integer(2), nodes, held: new Map() });
  return { kind: 'begin_resharding', collection, id, nodes: placed, ...(key === undefined ? {} : { key }) };
}
