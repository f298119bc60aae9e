// SPDX-License-Identifier: Apache-2.0
/** Snapshots: files with everything of a collection, or of all. */

/** Names are given by the server; whatever else a path holds is no snapshot of ours. */
const SNAPSHOT_NAME = /^[A-Za-z0-9_-][\w.-]{0,199}\.snapshot$/;

/** What a snapshot of a collection holds beside its manifest: the data, and saved graphs. */
const SNAPSHOT_MEMBER = /^(?:data\.mdb|graph-\d{1,5}(?:-\d{1,10})?\.bin)$/;

/** What a snapshot of a collection in shards holds beside its manifest: a snapshot of each shard, by its number. */
const SHARD_MEMBER = /^shard-(0|[1-9]\d{0,4})\.snapshot$/;

/** What the snapshot of a collection that keys divide holds beside its shards: the snapshot of the collection without points. */
export const DEFINITION_MEMBER = 'definition.snapshot';

export function shardMember(index: number): string {
  return `shard-${index}.snapshot`;
}

export function isShardMember(name: string): boolean {
  return SHARD_MEMBER.test(name);
}

export function isSnapshotMember(name: string): boolean {
  return SNAPSHOT_MEMBER.test(name);
}

export function isSnapshotName(name: string): boolean {
  return SNAPSHOT_NAME.test(name);
}
