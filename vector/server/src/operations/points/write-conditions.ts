// SPDX-License-Identifier: Apache-2.0
/** On what a write of points depends. */
import type { BodyOf, Filter, UpsertCondition } from '@sextant/contracts-vector';
import { normaliseFilter, optionalFilter } from './normalise-filter.ts';

export function upsertCondition({ update_mode: mode, update_filter: filter }: BodyOf<'upsert_points'>): UpsertCondition {
  return { ...(mode == null ? {} : { mode }), ...optionalFilter(filter) };
}

export function updateFilter({ update_filter: filter }: BodyOf<'update_vectors'>): Filter | undefined {
  return filter == null ? undefined : normaliseFilter(filter);
}
