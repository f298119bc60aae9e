// SPDX-License-Identifier: Apache-2.0
/** The filter language: what a caller may ask of a point's payload, id and vectors. */
import type { FieldCondition } from './filter-schema.ts';
import type { PointId } from './points.ts';

export type Condition =
  | FieldCondition
  | { readonly is_empty: { readonly key: string } }
  | { readonly is_null: { readonly key: string } }
  | { readonly has_id: readonly PointId[] }
  | { readonly has_vector: string }
  | { readonly slice: { readonly total: number; readonly index: number } }
  | { readonly nested: { readonly key: string; readonly filter: Filter } }
  | Filter;

export type Filter = {
  readonly must?: Condition | readonly Condition[] | null;
  readonly should?: Condition | readonly Condition[] | null;
  readonly must_not?: Condition | readonly Condition[] | null;
  readonly min_should?: { readonly conditions: readonly Condition[]; readonly min_count: number } | null;
};
