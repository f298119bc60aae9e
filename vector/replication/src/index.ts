// SPDX-License-Identifier: Apache-2.0
export type { FirstSource } from './first-copy.ts';
export type { IncomingStatus, ReceiveShard } from './incoming-shard.ts';
export { placeShards } from './placement.ts';
export { type ReplicationStatus, Replicator } from './replicator.ts';
export { shardedWrites } from './sharded-writes.ts';
export { ReplicationRefusedError } from './standing.ts';
