// SPDX-License-Identifier: Apache-2.0
/** Writes that depend on what is stored. They are asked inside the transaction, so nothing comes between the question and the write. */
import type { Filter, PointId, UpsertCondition } from '@sextant/contracts-vector';
import { compileFilter } from '../filter/compile.ts';
import { filterable } from '../reads/matching/filter-point.ts';
import type { PointChanges } from './point-changes.ts';

/** Whether an upsert writes a point, by what there is under its id. */
export function upsertGate(changes: PointChanges, { mode = 'upsert', filter }: UpsertCondition): (id: PointId) => boolean {
  if (mode === 'upsert' && filter === undefined) return () => true;
  const matches = pointMatcher(changes, filter);
  return (id) => {
    const row = changes.transaction.rowOf(id);
    if (row === undefined) return mode !== 'update_only';
    return mode !== 'insert_only' && matches(row);
  };
}

/** Whether the point of a row matches, by its payload alone: few points are asked about, and the indexes would have to be asked about all. */
export function pointMatcher(changes: PointChanges, filter: Filter | undefined): (row: number) => boolean {
  if (filter === undefined) return () => true;
  const { scope } = changes;
  const { matches } = compileFilter(filter, (field) => scope.fieldIndexes.get(field)?.schema);
  return (row) => matches(filterable(scope, row, changes.point(row)));
}
