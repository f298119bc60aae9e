// SPDX-License-Identifier: Apache-2.0
/** What field indexes answer, read off the payloads; of the types whose values are compared as they stand. For tests. */
import { type FacetHit, type FieldSchema, type FieldType, type OrderBy, ServiceError } from '@sextant/contracts-vector';
import { naiveElements } from '../../filter/naive-filter.ts';
import { compareIds, type KeptPoint } from './naive-collection.ts';

type Value = FacetHit['value'];
export type Field = { readonly field: string; readonly schema: FieldSchema };

export const COUNTED_TYPES: readonly FieldType[] = ['keyword', 'integer', 'bool'];

/** Of the index's type, each once. */
export function valuesOf({ field, schema }: Field, { payload }: KeptPoint): readonly Value[] {
  return [...new Set(naiveElements(payload, field).filter((element) => isValue(schema.type, element)))];
}

/** Throws where the values of the index cannot be counted. */
export function facetOf({ field, schema }: Field, points: readonly KeptPoint[], limit: number): readonly FacetHit[] {
  if (schema.lookup === false) {
    throw new ServiceError('index_required', { key: field, types: 'keyword, integer, bool, uuid' });
  }
  const counts = new Map<Value, number>();
  for (const value of points.flatMap((point) => valuesOf({ field, schema }, point))) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || compareValues(a.value, b.value))
    .slice(0, limit);
}

/** Throws where the index has no order. */
export function orderedBy({ field, schema }: Field, order: OrderBy, points: readonly KeptPoint[], collection: string) {
  const isOrdered = schema.type === 'integer' && schema.range !== false;
  if (!isOrdered) throw new ServiceError('range_index_required', { key: field, collection });
  const { start_from: start } = order;
  if (typeof start === 'string') {
    throw new ServiceError('invalid_request', { reason: `order_by.start_from: expected a number, got ${JSON.stringify(start)}` });
  }
  const sign = order.direction === 'desc' ? -1 : 1;
  return points
    .flatMap((point) => valuesOf({ field, schema }, point).flatMap((value) => (isNumber(value) ? [{ point, value }] : [])))
    .filter(({ value }) => start == null || sign * compareValues(value, start) >= 0)
    .sort((a, b) => sign * (compareValues(a.value, b.value) || compareIds(a.point.id, b.point.id)));
}

function isValue(type: FieldType, element: unknown): element is Value {
  switch (type) {
    case 'keyword':
      return typeof element === 'string';
    case 'bool':
      return typeof element === 'boolean';
    default:
      return (
        isNumber(element) && (typeof element === 'bigint' || Number.isInteger(element)) && element >= -(2n ** 63n) && element < 2n ** 64n
      );
  }
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Text by its bytes. */
function compareValues(a: Value, b: Value): number {
  return typeof a === 'string' && typeof b === 'string' ? Buffer.compare(Buffer.from(a), Buffer.from(b)) : Number(a > b) - Number(a < b);
}
