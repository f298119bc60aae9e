/** Reading: search, query, scroll, count, facet. */
import type { Filter } from './filter.ts';
import type { DenseVector, MultiVector, PointId, PointRecord, ScoredPoint, SparseVector, WithPayload, WithVector } from './points.ts';

export type SearchParams = {
  readonly hnsw_ef?: number | null;
  readonly exact?: boolean | null;
  readonly quantization?: {
    readonly ignore?: boolean | null;
    readonly rescore?: boolean | null;
    readonly oversampling?: number | null;
  } | null;
  readonly indexed_only?: boolean | null;
  /** Which points say how rare an index is, where a sparse vector has the modifier `idf`: all, or those of a filter. */
  readonly idf?: 'global' | { readonly corpus: Filter } | null;
  readonly acorn?: { readonly enable?: boolean | null; readonly max_selectivity?: number | null } | null;
};

export type OrderBy = {
  readonly key: string;
  readonly direction?: 'asc' | 'desc' | null;
  readonly start_from?: number | bigint | string | null;
};

export type RetrieveRequest = {
  readonly ids: readonly PointId[];
  readonly with_payload?: WithPayload | null;
  readonly with_vector?: WithVector | null;
};

export type ScrollRequest = {
  readonly offset?: PointId | null;
  readonly limit?: number | null;
  readonly filter?: Filter | null;
  readonly with_payload?: WithPayload | null;
  readonly with_vector?: WithVector | null;
  readonly order_by?: string | OrderBy | null;
};

export type ScrollResult = { readonly points: readonly PointRecord[]; readonly next_page_offset: PointId | null };

export type CountRequest = { readonly filter?: Filter | null; readonly exact?: boolean | null };

export type FacetRequest = {
  readonly key: string;
  readonly limit?: number | null;
  readonly filter?: Filter | null;
  readonly exact?: boolean | null;
};

export type FacetHit = { readonly value: string | number | bigint | boolean; readonly count: number };

/** What every way of asking for the nearest comes down to: one query vector, or the vector of a stored point. */
export type NearestRequest = {
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

export type SampleRequest = {
  readonly limit: number;
  /** Only points that have the vector of this name are drawn; the unnamed one has the empty name. */
  readonly having?: string;
  readonly filter?: Filter | null;
  readonly with_payload?: WithPayload | null;
  readonly with_vector?: WithVector | null;
};

/** Two points of a sample, of which the second is one of the nearest to the first. */
export type MatrixPair = { readonly a: PointId; readonly b: PointId; readonly score: number | null };

/** The same pairs by the positions of their points in `ids`. */
export type MatrixOffsets = {
  readonly offsets_row: readonly number[];
  readonly offsets_col: readonly number[];
  readonly scores: readonly (number | null)[];
  readonly ids: readonly PointId[];
};

export type ScoredPoints = readonly ScoredPoint[];
