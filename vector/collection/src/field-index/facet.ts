// SPDX-License-Identifier: Apache-2.0
/** Counts of an index: how many points have each value, and how many have any. */
import { type FacetHit, type FieldType, type Payload, ServiceError } from '@sextant/contracts-vector';
import { parseJson } from '@sextant/foundation-std';
import type { RowSet, StorageReader } from '@sextant/vector-storage';
import { isJsonArray } from '../payload/json-path.ts';
import { encodeCount, indexedValues, isIndexedInteger } from './entries.ts';
import { decodeNumber } from './number-encoding.ts';
import { type KeyRange, postingKey, prefixRange, restOf, successor, TAG } from './posting-key.ts';
import type { FieldIndex } from './schema.ts';
import { decodeString, encodeString } from './string-encoding.ts';
import { decodeUuid, uuidBytes } from './uuid-encoding.ts';

const FACET_TYPES: readonly FieldType[] = ['keyword', 'integer', 'bool', 'uuid'];

type FacetReader = Pick<StorageReader, 'posting' | 'countPostings' | 'unionPostings' | 'point'>;
type FacetOptions = { readonly limit: number; readonly rows?: RowSet };
type Counted = { readonly key: Uint8Array; readonly count: number };

/**
 * The `limit` values that most points have, of the points in `rows` when given: count descending, equal counts by value ascending.
 * Throws `ServiceError('index_required')` for an index whose values cannot be counted: float, datetime, geo, text, or integer without `lookup`.
 */
export function facet(index: FieldIndex, reader: FacetReader, { limit, rows }: FacetOptions): readonly FacetHit[] {
  const { type, lookup } = index.schema;
  if (!FACET_TYPES.includes(type) || (type === 'integer' && lookup === false)) {
    throw new ServiceError('index_required', { key: index.field, types: FACET_TYPES.join(', ') });
  }
  const range = { ...prefixRange(index.ordinal, TAG.value), ...(rows === undefined ? {} : { within: rows }) };
  const counted = type === 'uuid' ? mergeSpellings(reader, range, rows) : reader.countPostings(range);
  const top = mostFrequent(index, counted, limit);
  return top.flatMap(({ key, count }) => {
    const value = facetValue(index, key, reader);
    return value === undefined ? [] : [{ value, count }];
  });
}

/** Points that have a value of the index's type. */
export function indexedPointCount({ ordinal }: FieldIndex, reader: Pick<StorageReader, 'unionPostings'>): number {
  const start = postingKey(ordinal, TAG.count, encodeCount(true, 0));
  const end = successor(postingKey(ordinal, TAG.count, encodeCount(true, 2 ** 32 - 1)));
  return reader.unionPostings({ start, end, listsMax: Number.POSITIVE_INFINITY })?.count() ?? 0;
}

/** Lists come in value order and the sort is stable, so equal counts stay in value order. Holds at most twice `limit` at a time. */
function mostFrequent(index: FieldIndex, lists: Iterable<Counted>, limit: number): readonly Counted[] {
  let top: Counted[] = [];
  const shorten = () => {
    top = top.sort((a, b) => b.count - a.count).slice(0, limit);
  };
  for (const list of lists) {
    if (list.count > 0 && isCounted(index, list.key)) top.push(list);
    if (top.length >= 2 * limit + 16) shorten();
  }
  shorten();
  return top;
}

/** An integer index also holds the fractions of its field, for ranges. */
function isCounted({ schema }: FieldIndex, key: Uint8Array): boolean {
  if (schema.type !== 'integer') return true;
  const value = decodeNumber(restOf(key));
  return value !== undefined && isIndexedInteger(value);
}

/** One entry for each UUID. Where it is spelled in several ways a point may have two of them, so rows are counted, not lists added. */
function* mergeSpellings(
  reader: FacetReader,
  range: KeyRange & { readonly within?: RowSet },
  rows: RowSet | undefined,
): Generator<Counted> {
  let open: (Counted & { readonly spellings: number }) | undefined;
  for (const list of reader.countPostings(range)) {
    if (open !== undefined && Buffer.compare(uuidBytes(restOf(open.key)), uuidBytes(restOf(list.key))) === 0) {
      open = { ...open, spellings: open.spellings + 1 };
      continue;
    }
    if (open !== undefined) yield countSpellings(reader, open, rows);
    open = { ...list, spellings: 1 };
  }
  if (open !== undefined) yield countSpellings(reader, open, rows);
}

function countSpellings(reader: FacetReader, list: Counted & { readonly spellings: number }, rows: RowSet | undefined): Counted {
  if (list.spellings === 1) return list;
  const prefix = list.key.subarray(0, list.key.length - restOf(list.key).length + uuidBytes(restOf(list.key)).length);
  const end = Buffer.concat([prefix, Buffer.of(0xff)]);
  const all = reader.unionPostings({ start: prefix, end, listsMax: Number.POSITIVE_INFINITY });
  const counted = rows === undefined ? all : all?.intersect(rows);
  return { key: list.key, count: counted?.count() ?? 0 };
}

function facetValue(index: FieldIndex, key: Uint8Array, reader: FacetReader): FacetHit['value'] | undefined {
  const rest = restOf(key);
  switch (index.schema.type) {
    case 'keyword':
      return decodeString(rest) ?? longString(index, key, reader);
    case 'integer':
      return decodeNumber(rest);
    case 'bool':
      return rest[0] === 1;
    case 'uuid':
      return decodeUuid(rest);
    default:
      return undefined;
  }
}

/** A key holds only the start of a long string; a point that has it holds the rest. */
function longString(index: FieldIndex, key: Uint8Array, reader: FacetReader): string | undefined {
  for (const row of reader.posting(key)) {
    const point = reader.point(row);
    if (point === undefined) continue;
    // Written by this package as the text of an object.
    const values = indexedValues(index, parseJson(point.payload) as Payload);
    const found = values
      .flatMap((value) => (isJsonArray(value) ? value : [value]))
      .find((value) => typeof value === 'string' && Buffer.compare(encodeString(value).bytes, restOf(key)) === 0);
    if (typeof found === 'string') return found;
  }
  return undefined;
}
