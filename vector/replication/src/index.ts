// SPDX-License-Identifier: Apache-2.0
export { type ConfirmedWritesOptions, confirmedWrites } from './confirmed-writes.ts';
export type { FirstSource } from './first-copy.ts';
export { GoneNodes } from './gone-nodes.ts';
export type { IncomingStatus, ReceiveShard } from './incoming-shard.ts';
export { placeShards } from './placement.ts';
export { isDecider, type LostOperation, lostCopies, lostRecovery, nextReplacement } from './replaced-copies.ts';
export { Replicator } from './replicator.ts';
export type { ReplicationStatus } from './replicator-options.ts';
export { shardedWrites } from './sharded-writes.ts';
export { ReplicationRefusedError } from './standing.ts';
export { writesWithRoom } from './writes-with-room.ts';
