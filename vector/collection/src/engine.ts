/**
 * What any engine of the vector service must do. The embedded engine is the first; the conformance suite in
 * `engine.conformance.ts` takes a factory and says the rest. Errors that a caller can act on are `ServiceError`s.
 */
import type {
  Alias,
  AliasAction,
  CollectionInfo,
  CollectionStatus,
  CountRequest,
  CreateCollection,
  FacetHit,
  FacetRequest,
  FieldSchema,
  Filter,
  Grouping,
  NearestRequest,
  OptimizationReport,
  Payload,
  PointGroup,
  PointId,
  PointInput,
  PointRecord,
  PointSelector,
  PointVectors,
  QueryRequest,
  RetrieveRequest,
  SampleRequest,
  ScoredPoint,
  ScrollRequest,
  ScrollResult,
  SearchParams,
  SnapshotDescription,
  SparseVector,
  UpdateCollection,
  UpdateResult,
  UpsertCondition,
  VectorNameConfig,
} from '@sextant/contracts-vector';
import type { OptimizationDetails } from './reads/optimizations.ts';
import type { SnapshotFile } from './snapshots/snapshot-folder.ts';
import type { RecoverySource } from './snapshots/snapshots.ts';
import type { Demand } from './strict-mode/demand.ts';

/** Reads; every serving thread has them. A collection is named by its name or by an alias. */
export interface EngineReads {
  /**
   * Throws where the collection's strict mode does not allow what a request demands, and counts it against its rates. What is demanded is asked for
   * only where a strict mode is enabled. What is wrong with the collection itself is for the request to find out.
   */
  admit(collection: string, demandOf: () => Demand): void;
  listCollections(): Promise<readonly string[]>;
  collectionExists(collection: string): Promise<boolean>;
  collectionInfo(collection: string): Promise<CollectionInfo>;
  collectionFigures(collection: string): Promise<CollectionFigures>;
  /** How far the graphs are, what they take, and what goes on. */
  collectionStatus(collection: string): Promise<CollectionStatus>;
  /** The same in the words of segments and optimizers. */
  optimizations(collection: string, details: OptimizationDetails): Promise<OptimizationReport>;
  /** Of all collections, or of one; by alias. */
  listAliases(collection?: string): Promise<readonly Alias[]>;
  retrieve(collection: string, request: RetrieveRequest): Promise<readonly PointRecord[]>;
  scroll(collection: string, request: ScrollRequest & VersionForm): Promise<ScrollResult & { readonly points: readonly VersionedRecord[] }>;
  count(collection: string, request: CountRequest): Promise<number>;
  facet(collection: string, request: FacetRequest): Promise<readonly FacetHit[]>;
  nearest(collection: string, request: NearestRequest & PayloadForm): Promise<readonly Hit[]>;
  /** A sparse vector to search with, as the modifier of its name weighs it. */
  weighted(collection: string, request: WeighedQuery): Promise<SparseVector>;
  sample(collection: string, request: SampleRequest): Promise<readonly PointRecord[]>;
  /** The nearest to a point among others, exactly; none where the point or its vector is not there any more. */
  neighboursAmong(collection: string, request: NeighboursRequest): Promise<readonly Hit[]>;
  /** Every way of asking in one request; see `query/run-query.ts`. */
  query(collection: string, request: QueryRequest & PayloadForm): Promise<readonly Hit[]>;
  /** The hits of a query by the value of a payload key; `limit` counts groups, and there is no offset. */
  queryGroups(collection: string, request: GroupsRequest): Promise<readonly PointGroup<Hit>[]>;
}

/** How much a collection holds. */
export type CollectionFigures = {
  /** Of all its points. */
  readonly vectors: number;
  readonly vectorBytes: number;
  readonly payloadBytes: number;
  /** Since the service started. */
  readonly rowsLinked: number;
};

export type VersionForm = { readonly withVersion?: boolean };

/** With the number of the operation that wrote the point last, where it was asked for. */
export type VersionedRecord = PointRecord & { readonly version?: number };

export type NeighboursRequest = {
  readonly id: PointId;
  readonly among: readonly PointId[];
  /** The vector's name; absent for the unnamed one. */
  readonly using?: string;
  readonly limit: number;
};

export type WeighedQuery = { readonly using: string; readonly vector: SparseVector; readonly params: SearchParams | null };

/** A snapshot of a collection, or without one of the whole storage. */
export type SnapshotName = { readonly collection?: string; readonly name: string };

export type GroupsRequest = Omit<QueryRequest, 'offset'> & Grouping;

/** How whole payloads are returned: as values, or as the JSON text that is stored, for who only passes them on. */
export type PayloadForm = { readonly payloadAs?: 'value' | 'text' };

export type Hit = ScoredPoint & {
  /** In place of `payload`, where all of it was asked for as text. */
  readonly payloadText?: string;
};

/** Writes; one thread has them. Each is acknowledged when it is on disk, whole, and visible to reads. */
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
  upsert(collection: string, points: readonly PointInput[], condition?: UpsertCondition): Promise<UpdateResult>;
  deletePoints(collection: string, selector: PointSelector): Promise<UpdateResult>;
  /** With a filter, points that do not match it are passed over; an id that there is not is refused in either case. */
  updateVectors(collection: string, points: readonly PointVectors[], filter?: Filter): Promise<UpdateResult>;
  deleteVectors(collection: string, selector: PointSelector, names: readonly string[]): Promise<UpdateResult>;
  setPayload(collection: string, request: PayloadChange): Promise<UpdateResult>;
  overwritePayload(collection: string, request: PayloadChange): Promise<UpdateResult>;
  deletePayload(collection: string, selector: PointSelector, keys: readonly string[]): Promise<UpdateResult>;
  clearPayload(collection: string, selector: PointSelector): Promise<UpdateResult>;
  createFieldIndex(collection: string, field: string, schema: FieldSchema): Promise<UpdateResult>;
  deleteFieldIndex(collection: string, field: string): Promise<UpdateResult>;
}

/** What an operator asks of a collection; it would come about by itself sooner or later. */
export interface Maintenance {
  /** Resolves when every write that was asked for before is on disk. */
  flush(collection: string): Promise<UpdateResult>;
  /** Puts the graphs in order to the end: everything linked, nothing deleted in them, memory given back, saved. */
  optimize(collection: string): Promise<true>;
  /** Builds every graph afresh, while the former ones are searched. */
  rebuildIndex(collection: string): Promise<true>;
}

export type PayloadChange = {
  readonly selector: PointSelector;
  readonly payload: Payload;
  /** JSON path of the object to change; absent for the payload itself. */
  readonly key?: string;
};

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
