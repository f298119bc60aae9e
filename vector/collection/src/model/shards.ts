// SPDX-License-Identifier: Apache-2.0
/**
 * A collection in several shards: its definition, under its name, which has no points, and for each shard a collection of its own with the points whose ids
 * fall to it. Definition and shards take the same operations in the same order and give them the same numbers; each does what falls to it.
 */
import type { PointId, ShardKey, ShardKeySelector } from '@sextant/contracts-vector';
import { murmur3 } from '../bm25/murmur3.ts';

/** For each shard, by its number, the nodes that hold it: a list, or where shards come and go with keys, an object. */
export type Placement = { readonly [shard: number]: readonly string[] };

/** The keys of a collection whose callers say which shards a point belongs to, in the order in which they were made. */
export type ShardKeys = {
  /** The number of the next shard; none is given twice. */
  readonly next: number;
  readonly keys: readonly { readonly key: ShardKey; readonly shards: readonly number[] }[];
};

/** Which shards a collection has whose shards were divided, or are being: its numbers are not those from 0 on. */
export type ShardNumbers = {
  /** The number of the next shard; none is given twice. */
  readonly next: number;
  /** Of the shards, in the order in which hashes fall to them. */
  readonly shards: readonly number[];
};

/**
 * Twice as many shards on their way to take the place of those of a collection, or of a key. Each begins as a copy of the shard that its points are in, and they
 * take over together when all copies are ready.
 */
export type Resharding = {
  /** No other has it. */
  readonly id: string;
  /** Whose shards are divided; absent where ids alone divide the points. */
  readonly key?: ShardKey;
  readonly shards: readonly {
    readonly number: number;
    readonly nodes: readonly string[];
    /** Those of its nodes whose copies are complete and follow the log. */
    readonly ready: readonly string[];
  }[];
};

/** A copy of a shard on its way to a node that does not hold the shard yet. */
export type Transfer = {
  /** No other transfer has it. */
  readonly id: string;
  readonly shard: number;
  /** Of a move, the node that gives its copy up at the end. */
  readonly from: string;
  readonly to: string;
  readonly isMove: boolean;
};

/** What a collection is a shard of, and which of its points fall to it: of those under its key, if it has one, the ones whose hash says so. */
export type ShardPlace = { readonly collection: string; readonly index: number; readonly count: number; readonly key?: ShardKey };

/** A shard in the placement of its collection. */
export type PlacedShard = {
  readonly number: number;
  /** What it is called among collections. */
  readonly name: string;
  readonly nodes: readonly string[];
  readonly place: ShardPlace;
};

/** A shard that is made from a part of another, which it takes the place of later. */
export type ComingShard = PlacedShard & { readonly parent: PlacedShard };

/** What of a definition says where its points are. */
export type ShardedDefinition = {
  readonly placement?: Placement;
  readonly transfers?: readonly Transfer[];
  readonly shardKeys?: ShardKeys;
  readonly shardNumbers?: ShardNumbers;
  readonly resharding?: Resharding;
};

/** The shards of a collection by their numbers; none of one in one piece. */
export function placedShards(collection: string, { placement = [], shardKeys, shardNumbers }: ShardedDefinition): readonly PlacedShard[] {
  const placed = (number: number, place: Omit<ShardPlace, 'collection'>): PlacedShard => ({
    number,
    name: shardName(collection, number),
    nodes: placement[number] ?? [],
    place: { collection, ...place },
  });
  if (shardKeys === undefined) {
    const numbers = shardNumbers?.shards ?? Object.keys(placement).map(Number);
    return numbers.map((number, index) => placed(number, { index, count: numbers.length }));
  }
  return shardKeys.keys.flatMap(({ key, shards }) => shards.map((number, index) => placed(number, { index, count: shards.length, key })));
}

/** The shards that are to take the place of others, in the order in which hashes fall to them; none where nothing is divided. */
export function comingShards(collection: string, definition: ShardedDefinition): readonly ComingShard[] {
  const { resharding } = definition;
  if (resharding === undefined) return [];
  const { key, shards } = resharding;
  const parents = placedShards(collection, definition).filter(({ place }) => place.key === key);
  return shards.flatMap(({ number, nodes }, index) => {
    // Of twice as many shards, a hash falls to the same one, or to the one that is so many further.
    const parent = parents[index % parents.length];
    if (parent === undefined) return [];
    const place = { ...parent.place, index, count: shards.length };
    return [{ number, name: shardName(collection, number), nodes, place, parent }];
  });
}

/** The keys that a write names once its node has looked which there are; undefined where it names none. */
export function keysNamed(selector: ShardKeySelector | undefined): readonly ShardKey[] | undefined {
  if (selector === undefined) return undefined;
  if (typeof selector !== 'object') return [selector];
  return 'target' in selector ? [selector.target] : selector;
}

/** What a selector comes to where these keys exist, and the first key of it that does not. */
export function selectedKeys(
  selector: ShardKeySelector,
  { keys }: ShardKeys,
): { readonly selected: readonly ShardKey[]; readonly unknown?: ShardKey } {
  const exists = (key: ShardKey) => keys.some((each) => each.key === key);
  const isEither = typeof selector === 'object' && 'target' in selector;
  const named = isEither ? [exists(selector.target) ? selector.target : selector.fallback] : (keysNamed(selector) ?? []);
  const unknown = named.find((key) => !exists(key));
  return { selected: [...new Set(named)], ...(unknown === undefined ? {} : { unknown }) };
}

/** What a collection that comes from another node is: a shard, the definition of one in shards, or one in one piece. */
export type ExpectedPart = { readonly shard: ShardPlace } | 'definition' | 'whole';

/** No name of a collection has this character. */
const SEPARATOR = '\u001f';

/** What a shard is called among collections. */
export function shardName(collection: string, index: number): string {
  return `${collection}${SEPARATOR}${index}`;
}

/** The name that users know: that of the collection which a shard belongs to. */
export function collectionOfShard(name: string): string {
  const end = name.indexOf(SEPARATOR);
  return end === -1 ? name : name.slice(0, end);
}

/** Which shard of its collection it is, in the placement. */
export function numberOfShard(name: string): number {
  return Number(name.slice(name.indexOf(SEPARATOR) + 1));
}

export function isShardName(name: string): boolean {
  return name.includes(SEPARATOR);
}

/** Where a point belongs, today and for ever: of twice as many shards it would be this one, or this one and `count` more. */
export function shardOfPoint(id: PointId, count: number): number {
  return murmur3(Buffer.from(String(id))) % count;
}

/** Whether points fall to a collection; all of them unless it is a part of another. */
export type Ownership = { readonly owns: (id: PointId) => boolean; readonly isPart: boolean };

export function ownershipOf({ placement, shard }: { readonly placement?: Placement; readonly shard?: ShardPlace }): Ownership {
  if (shard !== undefined) return { owns: (id) => shardOfPoint(id, shard.count) === shard.index, isPart: true };
  return placement === undefined ? { owns: () => true, isPart: false } : { owns: () => false, isPart: true };
}
