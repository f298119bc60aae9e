// SPDX-License-Identifier: Apache-2.0
/** Reading: search, query, scroll, count, facet. */

import type { Filter } from './filter.ts';
import type { WithPayload, WithVector } from './point-schemas.ts';
import type { DenseVector, MultiVector, PointId, SparseVector } from './points.ts';
import type { OrderBy, SearchParams } from './query-schemas.ts';
import type { ShardKeySelector } from './shard-key-schemas.ts';

/** Of which keys the points are, where keys divide them; without a selector of all. */
export type KeyedRequest = { readonly shard_key?: ShardKeySelector | null };

export type RetrieveRequest = KeyedRequest & {
  readonly ids: readonly PointId[];
  readonly with_payload?: WithPayload | null;
  readonly with_vector?: WithVector | null;
};

export type ScrollRequest = KeyedRequest & {
  readonly offset?: PointId | null;
  readonly limit?: number | null;
  readonly filter?: Filter | null;
  readonly with_payload?: WithPayload | null;
  readonly with_vector?: WithVector | null;
  readonly order_by?: string | OrderBy | null;
};

/** What every way of asking for the nearest comes down to: one query vector, or the vector of a stored point. */
export type NearestRequest = KeyedRequest & {
  readonly vector: DenseVector | MultiVector | SparseVector | { readonly id: PointId };
  /** The vector's name; absent for the unnamed one. */
  readonly using?: string;
  readonly filter?: Filter | null;
  readonly params?: SearchParams | null;
  readonly limit: number;
  readonly offset?: number | null;
  readonly with_payload?: WithPayload | null;
  readonly with_vector?: WithVector | null;
  readonly score_threshold?: number | null;
};

export type SampleRequest = KeyedRequest & {
  readonly limit: number;
  /** Only points that have the vector of this name are drawn; the unnamed one has the empty name. */
  readonly having?: string;
  readonly filter?: Filter | null;
  readonly with_payload?: WithPayload | null;
  readonly with_vector?: WithVector | null;
};
