/** Points: what is stored, how it is written and how it is read back. */
import type { JsonValue } from '@sextant/foundation-std';
import type { FieldSchema, Tokenizer } from './collections.ts';
import type { Filter } from './filter.ts';

/** An unsigned 64-bit integer (`bigint` above 2^53 - 1) or a UUID in lower-case hyphenated form. */
export type PointId = number | bigint | string;

export type Payload = { readonly [key: string]: JsonValue };

/** As it was written, or float32 already. */
export type DenseVector = readonly number[] | Float32Array;

/** Those components of a vector that are not zero: each index once, in any order, with its value. */
export type SparseVector = { readonly indices: readonly number[]; readonly values: DenseVector };

/** Several dense vectors of one size, as late interaction models give for a text: at least one. */
export type MultiVector = readonly DenseVector[];

/** How a text becomes a vector of BM25; what is left out is as in the published API. */
export type Bm25Options = {
  /** 1.2: how soon more of the same token counts no more. */
  readonly k?: number | null;
  /** 0.75: how much longer texts count less, from 0 to 1. */
  readonly b?: number | null;
  /** 256: tokens of an average text. */
  readonly avg_len?: number | null;
  /** english: says the stop words and the stemmer that are not given; `none` for neither. */
  readonly language?: string | null;
  readonly tokenizer?: Tokenizer | null;
  readonly lowercase?: boolean | null;
  readonly ascii_folding?: boolean | null;
  readonly stopwords?: FieldSchema['stopwords'];
  readonly stemmer?: NonNullable<FieldSchema['stemmer']> | { readonly type: 'none' } | null;
  readonly min_token_len?: number | null;
  readonly max_token_len?: number | null;
};

export type NamedVectorInput = DenseVector | MultiVector | SparseVector;

/** One unnamed vector, or named ones. `{}` is a point without vectors. */
export type VectorInput = DenseVector | MultiVector | { readonly [name: string]: NamedVectorInput };

export type PointInput = {
  readonly id: PointId;
  readonly vector: VectorInput;
  readonly payload?: Payload | null;
};

export type PointVectors = { readonly id: PointId; readonly vector: VectorInput };

/** What an upsert does: both; only points that there are not yet; only those that there are. */
export type UpdateMode = 'upsert' | 'insert_only' | 'update_only';

/** Which points of an upsert are written. A point that there is already is replaced only where it matches the filter as it is stored. */
export type UpsertCondition = { readonly mode?: UpdateMode; readonly filter?: Filter };

/** Which points an operation is about. */
export type PointSelector = { readonly points: readonly PointId[] } | { readonly filter: Filter };

export type WithPayload = boolean | readonly string[] | { readonly include: readonly string[] } | { readonly exclude: readonly string[] };

export type WithVector = boolean | readonly string[];

/**
 * What a write answers; `operation_id` grows by one with each write of a collection. The status is in lower case for clients that can read no other, or
 * where the operator chose that.
 */
export type UpdateResult = { readonly operation_id: number; readonly status: 'Completed' | 'completed' };

/** Of a sparse vector by ascending index. */
export type NamedVectorOutput =
  | readonly number[]
  | readonly (readonly number[])[]
  | { readonly indices: readonly number[]; readonly values: readonly number[] };

/** Vectors as they are returned: where the unnamed one is the only one as an array, else as a map. */
export type VectorOutput = readonly number[] | readonly (readonly number[])[] | { readonly [name: string]: NamedVectorOutput };

export type PointRecord = {
  readonly id: PointId;
  readonly payload?: Payload;
  readonly vector?: VectorOutput;
  readonly order_value?: number | bigint;
};

export type ScoredPoint = PointRecord & { readonly version: number; readonly score: number };
