// SPDX-License-Identifier: Apache-2.0
/** The shards that are to take the place of others, with the nodes that their copies are made on. */
import type { CollectionClusterInfo } from '@sextant/sdk';
import type { NodeRow } from './shard-rows.ts';

export type Resharding = {
  /** `up` where each shard is divided in two. */
  readonly direction: 'up';
  /** The key whose shards are divided; undefined where ids divide the points. */
  readonly key: string | number | undefined;
  readonly copies: readonly NewCopy[];
  readonly complete: number;
};

export type NewCopy = {
  readonly shard: number;
  readonly node: string;
  readonly isComplete: boolean;
  /** How far it is, in the words of the service. */
  readonly progress: string;
};

/** Undefined while no shards of the collection are divided; one resharding runs in a collection at a time. */
export function reshardingOf({ resharding_operations }: CollectionClusterInfo, nodes: readonly NodeRow[]): Resharding | undefined {
  const [first] = resharding_operations;
  if (first === undefined) return undefined;
  const copies = resharding_operations
    .map(({ shard_id: shard, peer_id: peer, comment }) => ({
      shard,
      node: nodes.find(({ id }) => id === peer)?.name ?? String(peer),
      isComplete: comment.startsWith('complete'),
      progress: comment,
    }))
    .toSorted((one, other) => one.shard - other.shard || (one.node < other.node ? -1 : 1));
  return {
    direction: first.direction,
    key: first.shard_key,
    copies,
    complete: copies.filter(({ isComplete }) => isComplete).length,
  };
}
