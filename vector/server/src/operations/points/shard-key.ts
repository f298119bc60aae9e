// SPDX-License-Identifier: Apache-2.0
/** Which keys a write or a read names, where keys divide the points of a collection. */
import type { ShardKeySelector } from '@sextant/contracts-vector';

export function shardKeyOf({ shard_key }: { readonly shard_key?: ShardKeySelector | null }): ShardKeySelector | undefined {
  return shard_key ?? undefined;
}
