// SPDX-License-Identifier: Apache-2.0
/** Reads of points, which each thread offers and queries are made of. */
import type {
  CollectionInfo,
  CountRequest,
  NearestRequest,
  PointRecord,
  RetrieveRequest,
  SampleRequest,
  ScrollRequest,
  ScrollResult,
  SparseVector,
} from '@sextant/contracts-vector';
import type { Hit, PayloadForm, VersionedRecord, VersionForm, WeighedForm, WeighedQuery } from './requests.ts';

/** A collection is named by its name or by an alias. */
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
