// SPDX-License-Identifier: Apache-2.0
/**
 * What any engine of the vector service must do. The embedded engine is the first; the conformance suite in
 * `testing/conformance` takes a factory and says the rest. Errors that a caller can act on are `ServiceError`s.
 */
import type {
  Alias,
  AliasAction,
  CollectionStatus,
  CreateCollection,
  FacetHit,
  FacetRequest,
  FieldSchema,
  Filter,
  InputNorms,
  OptimizationReport,
  PointGroup,
  PointInput,
  PointSelector,
  PointVectors,
  QueryRequest,
  ShardKey,
  ShardKeySelector,
  SnapshotDescription,
  UpdateCollection,
  UpdateResult,
  UpsertCondition,
  VectorNameConfig,
} from '@sextant/contracts-vector';
import type {
  CollectionFigures,
  GroupsRequest,
  Hit,
  NeighboursRequest,
  PayloadChange,
  PayloadForm,
  PointReads,
  SparseCounts,
  SparseCountsRequest,
} from './model/requests.ts';
import type { WholeCollection } from './reads/view/admit.ts';
import type { OptimizationDetails } from './reads/view/optimizations.ts';
import type { SnapshotFile } from './snapshots/snapshot-folder.ts';
import type { RecoverySource } from './snapshots/snapshots.ts';
import type { Demand } from './strict-mode/demand.ts';

/** Reads; every serving thread has them. A collection is named by its name or by an alias. */
export interface EngineReads extends PointReads {
  /**
   * Throws where the collection's strict mode does not allow what a request demands, and counts it against its rates. What is demanded is asked for
   * only where a strict mode is enabled. What is wrong with the collection itself is for the request to find out.
   * @param whole of a collection in shards, what these hold together; a promise is given for such a collection alone
   */
  admit(collection: string, demandOf: () => Demand, whole?: WholeCollection): Promise<void> | void;
  listCollections(): Promise<readonly string[]>;
  collectionFigures(collection: string): Promise<CollectionFigures>;
  /** How far the graphs are, what they take, and what goes on. */
  collectionStatus(collection: string): Promise<CollectionStatus>;
  /** How long vectors were as they came, where they are kept at length one. */
  inputNorms(collection: string): Promise<InputNorms>;
  /** The same in the words of segments and optimizers. */
  optimizations(collection: string, details: OptimizationDetails): Promise<OptimizationReport>;
  /** Of all collections, or of one; by alias. */
  listAliases(collection?: string): Promise<readonly Alias[]>;
  /** The keys that divide its points, in the order in which they were made. */
  shardKeys(collection: string): Promise<readonly ShardKey[]>;
  facet(collection: string, request: FacetRequest): Promise<readonly FacetHit[]>;
  /** The nearest to a point among others, exactly; none where the point or its vector is not there any more. */
  neighboursAmong(collection: string, request: NeighboursRequest): Promise<readonly Hit[]>;
  /** In how many sparse vectors components are; what `weighted` weighs by. */
  sparseCounts(collection: string, request: SparseCountsRequest): Promise<SparseCounts>;
  /** Every way of asking in one request; see `query/run-query.ts`. */
  query(collection: string, request: QueryRequest & PayloadForm): Promise<readonly Hit[]>;
  /** The hits of a query by the value of a payload key; `limit` counts groups, and there is no offset. */
  queryGroups(collection: string, request: GroupsRequest): Promise<readonly PointGroup<Hit>[]>;
}

/** A snapshot of a collection, or without one of the whole storage. */
export type SnapshotName = { readonly collection?: string; readonly name: string };

/**
 * Writes; one thread has them. Each is acknowledged when it is on disk, whole, and visible to reads. Where keys divide the points of a collection, a write is about
 * those of the keys that it names, or of all.
 */
export interface EngineWrites {
  createCollection(collection: string, request: CreateCollection): Promise<true>;
  updateCollection(collection: string, request: UpdateCollection): Promise<true>;
  /** False when there is no such collection. */
  deleteCollection(collection: string): Promise<boolean>;
  /** Adds a vector that no point has yet; one of the same kind that there is stays as it is. */
  createVector(collection: string, name: string, vector: VectorNameConfig): Promise<UpdateResult>;
  /** Removes a vector from the collection and all its points. */
  deleteVector(collection: string, name: string): Promise<UpdateResult>;
  /** Does all actions in order, or none. */
  changeAliases(actions: readonly AliasAction[]): Promise<true>;
  /** Points that the condition leaves out are passed over, and nothing is said of them. */
  upsert(
    collection: string,
    points: readonly PointInput[],
    condition?: UpsertCondition,
    shardKey?: ShardKeySelector,
  ): Promise<UpdateResult>;
  deletePoints(collection: string, selector: PointSelector, shardKey?: ShardKeySelector): Promise<UpdateResult>;
  /** With a filter, points that do not match it are passed over; an id that there is not is refused in either case. */
  updateVectors(collection: string, points: readonly PointVectors[], filter?: Filter, shardKey?: ShardKeySelector): Promise<UpdateResult>;
  deleteVectors(collection: string, selector: PointSelector, names: readonly string[], shardKey?: ShardKeySelector): Promise<UpdateResult>;
  setPayload(collection: string, request: PayloadChange, shardKey?: ShardKeySelector): Promise<UpdateResult>;
  overwritePayload(collection: string, request: PayloadChange, shardKey?: ShardKeySelector): Promise<UpdateResult>;
  deletePayload(collection: string, selector: PointSelector, keys: readonly string[], shardKey?: ShardKeySelector): Promise<UpdateResult>;
  clearPayload(collection: string, selector: PointSelector, shardKey?: ShardKeySelector): Promise<UpdateResult>;
  createFieldIndex(collection: string, field: string, schema: FieldSchema): Promise<UpdateResult>;
  deleteFieldIndex(collection: string, field: string): Promise<UpdateResult>;
}

/** What an operator asks of a collection; it would come about by itself sooner or later. */
export interface Maintenance {
  /** Resolves when every write that was asked for before is on disk. */
  flush(collection: string): Promise<UpdateResult>;
  /** Puts the graphs in order to the end: everything linked, nothing deleted in them, memory released, saved. */
  optimize(collection: string): Promise<true>;
  /** Rebuilds every graph, while the former ones are searched. */
  rebuildIndex(collection: string): Promise<true>;
}

/** What any thread may know of snapshots. */
export interface SnapshotReads {
  /** Of a collection, or without one of the whole storage; the oldest first. */
  listSnapshots(collection?: string): Promise<readonly SnapshotDescription[]>;
  snapshotFile(snapshot: SnapshotName): Promise<SnapshotFile>;
}

/** Snapshots are written and taken in by the thread that has the writes. */
export interface SnapshotWrites {
  /** Of a collection, or without one of the whole storage. */
  createSnapshot(collection?: string): Promise<SnapshotDescription>;
  deleteSnapshot(snapshot: SnapshotName): Promise<true>;
  /** Replaces a collection, or creates it, by what a file holds; until that has been checked nothing is touched. */
  recover(collection: string, source: RecoverySource): Promise<true>;
}

export type Engine = EngineReads & EngineWrites & Maintenance & SnapshotReads & SnapshotWrites & { close(): Promise<void> };
