// SPDX-License-Identifier: Apache-2.0
/** Points: what is stored, how it is written and how it is read back. */

import type { JsonValue } from '@sextant/foundation-std';
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
