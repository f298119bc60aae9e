// SPDX-License-Identifier: Apache-2.0
/**
 * A collection in several shards: its definition, under its name, which has no points, and for each shard a collection of its own with the points whose ids
 * fall to it. Definition and shards take the same operations in the same order and give them the same numbers; each does what falls to it.
 */
import type { PointId } from '@sextant/contracts-vector';
import { murmur3 } from '../bm25/murmur3.ts';

/** For each shard the nodes that hold it. */
export type Placement = readonly (readonly string[])[];

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

/** What a collection is a shard of. */
export type ShardPlace = { readonly collection: string; readonly index: number; readonly count: number };

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

/** Which shard of its collection it is. */
export function indexOfShard(name: string): number {
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
