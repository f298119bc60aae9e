// SPDX-License-Identifier: Apache-2.0
/** Requests to an engine and their results, where the wire types do not have them. */
import type {
  CollectionInfo,
  CountRequest,
  Grouping,
  KeyedRequest,
  NearestRequest,
  Payload,
  PointId,
  PointRecord,
  PointSelector,
  QueryRequest,
  RetrieveRequest,
  SampleRequest,
  ScoredPoint,
  ScrollRequest,
  ScrollResult,
  SearchParams,
  SparseVector,
} from '@sextant/contracts-vector';

/** How much a collection holds. */
export type CollectionFigures = {
  readonly points: number;
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

export type NeighboursRequest = KeyedRequest & {
  readonly id: PointId;
  readonly among: readonly PointId[];
  /** The vector's name; absent for the unnamed one. */
  readonly using?: string;
  readonly limit: number;
};

export type WeighedQuery = KeyedRequest & { readonly using: string; readonly vector: SparseVector; readonly params: SearchParams | null };

export type SparseCountsRequest = {
  readonly using: string;
  readonly indices: readonly number[];
  readonly params: SearchParams | null;
};

/** Of all sparse vectors with components, and of those the ones that have one at each of the indices. */
export type SparseCounts = { readonly vectors: number; readonly having: readonly number[] };

/** Whether a sparse vector to search with has been weighed already, by who knows of more points than are searched. */
export type WeighedForm = { readonly isWeighed?: boolean };

export type GroupsRequest = Omit<QueryRequest, 'offset'> & Grouping;

/** How whole payloads are returned: as values, or as the JSON text that is stored, for who only passes them on. */
export type PayloadForm = { readonly payloadAs?: 'value' | 'text' };

export type Hit = ScoredPoint & {
  /** In place of `payload`, where all of it was asked for as text. */
  readonly payloadText?: string;
};

export type PayloadChange = {
  readonly selector: PointSelector;
  readonly payload: Payload;
  /** JSON path of the object to change; absent for the payload itself. */
  readonly key?: string;
};

/** Reads of points, which each thread offers and queries are made of. A collection is named by its name or by an alias. */
export interface PointReads {
  collectionExists(collection: string): Promise<boolean>;
  collectionInfo(collection: string): Promise<CollectionInfo>;
  retrieve(collection: string, request: RetrieveRequest): Promise<readonly PointRecord[]>;
  scroll(collection: string, request: ScrollRequest & VersionForm): Promise<ScrollResult & { readonly points: readonly VersionedRecord[] }>;
  count(collection: string, request: CountRequest): Promise<number>;
  nearest(collection: string, request: NearestRequest & PayloadForm & WeighedForm): Promise<readonly Hit[]>;
  /** A sparse vector to search with, as the modifier of its name weighs it. */
  weighted(collection: string, request: WeighedQuery): Promise<SparseVector>;
  sample(collection: string, request: SampleRequest): Promise<readonly PointRecord[]>;
}
