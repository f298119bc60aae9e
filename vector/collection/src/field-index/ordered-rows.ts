// SPDX-License-Identifier: Apache-2.0
/** `order_by`: rows in the order of an indexed field. */
import { type OrderBy, ServiceError } from '@sextant/contracts-vector';
import type { RowSet, StorageReader } from '@sextant/vector-storage';
import { canonicalNumber } from '../filter/clause.ts';
import { parseDatetime } from '../filter/datetime.ts';
import { isIndexedInteger } from './entries.ts';
import { decodeNumber, encodeNumber } from './number-encoding.ts';
import { type KeyRange, postingKey, prefixRange, restOf, successor, TAG } from './posting-key.ts';
import type { FieldIndex } from './schema.ts';

/** `value` is the number, or for a datetime its microseconds since the epoch. */
export type OrderedRows = { readonly value: number | bigint; readonly rows: RowSet };

/**
 * Rows by value, ascending unless `direction` says `desc`, from `start_from` (included) on; all rows of a value together. A point with
 * several values comes once for each, a point without one not at all. Throws `ServiceError('range_index_required')` for
 * other indexes than integer (with `range`), float and datetime.
 */
export function* orderedRows(
  index: FieldIndex,
  order: OrderBy,
  reader: Pick<StorageReader, 'postings'>,
  collection: string,
): Generator<OrderedRows> {
  const { type, range } = index.schema;
  const ordered = type === 'float' || type === 'datetime' || (type === 'integer' && range !== false);
  if (!ordered) throw new ServiceError('range_index_required', { key: index.field, collection });
  const reverse = order.direction === 'desc';
  for (const { key, rows } of reader.postings({ ...rangeFrom(index, order.start_from, reverse), reverse })) {
    const value = decodeNumber(restOf(key));
    // An integer index also holds the fractions of its field, for ranges.
    if (value === undefined || (type === 'integer' && !isIndexedInteger(value))) continue;
    yield { value, rows };
  }
}

function rangeFrom(index: FieldIndex, startFrom: OrderBy['start_from'], reverse: boolean): KeyRange {
  const all = prefixRange(index.ordinal, TAG.value);
  if (startFrom == null) return all;
  const key = postingKey(index.ordinal, TAG.value, encodeNumber(startValue(index, startFrom)).bytes);
  return reverse ? { start: all.start, end: successor(key) } : { start: key, end: all.end };
}

/** A datetime may be given as the microseconds that `order_value` says, so that a caller can go on from there. */
function startValue({ schema }: FieldIndex, startFrom: number | bigint | string): number | bigint {
  if (typeof startFrom === 'bigint' || (typeof startFrom === 'number' && Number.isFinite(startFrom))) return canonicalNumber(startFrom);
  const micros = schema.type === 'datetime' && typeof startFrom === 'string' ? parseDatetime(startFrom) : undefined;
  if (micros !== undefined) return micros;
  const expected = schema.type === 'datetime' ? 'an RFC 3339 date or microseconds since the epoch' : 'a number';
  throw new ServiceError('invalid_request', { reason: `order_by.start_from: expected ${expected}, got ${JSON.stringify(startFrom)}` });
}
