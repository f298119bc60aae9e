// SPDX-License-Identifier: Apache-2.0
export { bm25Document, bm25Query } from './bm25/bm25.ts';
export { type EmbeddedEngineOptions, openEmbeddedEngine } from './embedded-engine.ts';
export type { Engine, EngineReads, EngineWrites, Maintenance, SnapshotReads, SnapshotWrites } from './engine.ts';
export { engineReads } from './engine-reads.ts';
export { snapshotReads, snapshotWrites } from './engine-snapshots.ts';
export { engineWrites, maintenance } from './engine-writes.ts';
export { GraphIndexer } from './graph/indexer.ts';
export { GraphLinker } from './graph/linker.ts';
export { type CatalogEvent, type CollectionHandle, isAwaited } from './model/collection-handle.ts';
export { type Log, silentLog } from './model/log.ts';
export { refusedByRecovery } from './model/recovery-writes.ts';
export type { Hit, PayloadChange, PayloadForm } from './model/requests.ts';
export {
  type ComingShard,
  collectionOfShard,
  comingShards,
  type ExpectedPart,
  isShardName,
  keysNamed,
  numberOfShard,
  type PlacedShard,
  type Placement,
  placedShards,
  type Resharding,
  type ShardedDefinition,
  type ShardKeys,
  type ShardPlace,
  selectedKeys,
  shardName,
  shardOfPoint,
  type Transfer,
} from './model/shards.ts';
export {
  type CatalogOperation,
  type CollectionOperation,
  type CredentialsOperation,
  isAfter,
  isCatalogOperation,
  isKnownOperation,
  isPointOperation,
  type LogMark,
  type OperationRunner,
  type PlacementOperation,
  type PointOperation,
  PointsUncheckedError,
  pointsNamed,
  pointsNeeded,
  type WriteOperation,
} from './model/write-operation.ts';
export { type NotedPlan, notingPlans } from './reads/dense/noted-plans.ts';
export { CatalogView } from './reads/view/catalog-view.ts';
export type { CollectionOpener } from './reads/view/collection-view.ts';
export { describeClosed } from './reads/view/describe-closed.ts';
export type { ShardReads } from './sharding/shard.ts';
export { shardedReads } from './sharding/sharded-reads.ts';
export { createFullSnapshot } from './snapshots/full-snapshot.ts';
export type { PackedCollection } from './snapshots/packed-collection.ts';
export { createShardedSnapshot, packShardedSnapshot, type ShardedSnapshotOptions } from './snapshots/sharded-snapshot.ts';
export { writeStream } from './snapshots/snapshot-archive.ts';
export { type Draft, SnapshotFolder } from './snapshots/snapshot-folder.ts';
export { countNothing, type SnapshotCounts, type SnapshotGauge, Snapshots } from './snapshots/snapshots.ts';
export type { MakeShardKey } from './snapshots/written-recovery.ts';
export type { Demand, DemandPart, VectorLength } from './strict-mode/demand.ts';
export { wholeReads } from './whole-reads.ts';
export { Catalog } from './writes/catalog.ts';
export { type CatalogListing, listingOf } from './writes/catalog-listing.ts';
export type { CatalogListener, CollectionBound, OpeningCounts, ReceivedCollection } from './writes/catalog-options.ts';
export { credentialsRevision } from './writes/credentials.ts';
export type { FollowedLog } from './writes/followed-log.ts';
export { isOwnTrouble } from './writes/followed-log.ts';
export { PlacedShards, type WantedShard } from './writes/placed-shards.ts';
export { changedDefinition, changedPlacement, type Placed } from './writes/placement-changes.ts';
export { endRecovery, type UnfinishedRecovery } from './writes/recoveries.ts';
export { checkPointOperation, localRunner, type OperationTarget, runOnCatalog, runOnCollection } from './writes/run-operation.ts';
