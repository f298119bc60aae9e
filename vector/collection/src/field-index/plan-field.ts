// SPDX-License-Identifier: Apache-2.0
/** The rows of one condition on an indexed field. Any index answers what is about presence; the rest wants an index of the right type. */
import { RowSet } from '@sextant/vector-storage';
import { type Bounds, type FieldTest, type Scalar, within } from '../filter/clause.ts';
import { boxAround } from '../filter/geo.ts';
import { isMultiple, type JsonPath } from '../payload/json-path.ts';
import { encodeCount } from './entries.ts';
import { type CellRange, coverBox } from './geo-cell.ts';
import { encodeNumber } from './number-encoding.ts';
import type { FilterPlan } from './plan.ts';
import { bucketOf, compareKeys, type KeyRange, postingKey, prefixRange, successor, TAG } from './posting-key.ts';
import type { PostingSource } from './posting-source.ts';
import type { FieldIndex } from './schema.ts';
import { encodePrefix, encodeString } from './string-encoding.ts';
import { encodeUuid } from './uuid-encoding.ts';

const COUNT_MAX = 2 ** 32 - 1;

type Test<Kind extends FieldTest['kind']> = Extract<FieldTest, { kind: Kind }>;

export function planField(index: FieldIndex, path: JsonPath, test: FieldTest, source: PostingSource): FilterPlan | undefined {
  switch (test.kind) {
    case 'equals':
      return planEquals(index, test.values, source);
    case 'except':
      return planExcept(index, path, test.values, source);
    case 'text':
      return index.schema.type === 'text' ? planText(index, path, test, source) : undefined;
    case 'prefix':
      return index.schema.type === 'keyword' ? planPrefix(index, test.prefix, source) : undefined;
    case 'number-range':
      return isNumeric(index) ? planRange(index, test.bounds, source) : undefined;
    case 'datetime-range':
      return index.schema.type === 'datetime' ? planRange(index, test.bounds, source) : undefined;
    case 'geo-box':
    case 'geo-radius':
    case 'geo-polygon':
      return index.schema.type === 'geo' ? planGeo(index, test, source) : undefined;
    case 'values-count':
      return planCount(index, test.bounds, source);
    case 'empty':
      return test.expected ? planSomeEmpty(index, source) : exactly(rowsOfCounts(index, 1, COUNT_MAX, source));
    case 'null': {
      const nulls = source.lists([postingKey(index.ordinal, TAG.null), postingKey(index.ordinal, TAG.nullElement)]);
      return test.expected ? exactly(nulls) : exactly(nulls && source.live().subtract(nulls));
    }
  }
}

/** Every value null or [], or none: all but the rows that have a value with elements. */
export function planEmpty(index: FieldIndex, source: PostingSource): FilterPlan | undefined {
  const filled = rowsOfCounts(index, 1, COUNT_MAX, source);
  return exactly(filled && source.live().subtract(filled));
}

/** Some value null or [], or none. */
function planSomeEmpty(index: FieldIndex, source: PostingSource): FilterPlan | undefined {
  const empty = rowsOfCounts(index, 0, 0, source);
  const plan = planEmpty(index, source);
  return empty && plan && exactly(plan.rows.union(empty));
}

function planCount(index: FieldIndex, bounds: Bounds, source: PostingSource): FilterPlan | undefined {
  const least = Math.max(0, Number(bounds.gte ?? 0), Number(bounds.gt ?? -1) + 1);
  const most = Math.min(COUNT_MAX, Number(bounds.lte ?? COUNT_MAX), Number(bounds.lt ?? COUNT_MAX + 1) - 1);
  const rows = rowsOfCounts(index, least, most, source);
  if (rows === undefined || !within(0, bounds)) return exactly(rows);
  const present = rowsOfCounts(index, 0, COUNT_MAX, source);
  return exactly(present && rows.union(source.live().subtract(present)));
}

/** Rows where some value has from `least` to `most` elements. */
function rowsOfCounts({ ordinal }: FieldIndex, least: number, most: number, source: PostingSource): RowSet | undefined {
  const range = (typed: boolean): KeyRange => ({
    start: postingKey(ordinal, TAG.count, encodeCount(typed, Math.min(least, COUNT_MAX))),
    end: successor(postingKey(ordinal, TAG.count, encodeCount(typed, Math.max(0, most)))),
  });
  if (least > most) return new RowSet();
  const untyped = source.range(range(false));
  const typed = source.range(range(true));
  return untyped && typed && untyped.union(typed);
}

function planEquals(index: FieldIndex, values: ReadonlySet<Scalar>, source: PostingSource): FilterPlan | undefined {
  const encodings = complete([...values].map((value) => encodeScalar(index, value)));
  if (encodings === undefined) return undefined;
  const rows = source.lists(encodings.map(({ bytes }) => postingKey(index.ordinal, TAG.value, bytes)));
  return rows && { rows, exact: encodings.every(({ exact }) => exact) };
}

/**
 * Rows with one element, which is neither null nor a listed value, and rows with more elements, one of which may be another.
 * Only where the path leads to one value does the count of its elements say that there is one.
 */
function planExcept(index: FieldIndex, path: JsonPath, values: ReadonlySet<Scalar>, source: PostingSource): FilterPlan | undefined {
  if (isMultiple(path)) return undefined;
  const encodings = complete([...values].map((value) => encodeScalar(index, value)));
  if (encodings === undefined) return undefined;
  const sure = encodings.filter(({ exact }) => exact).map(({ bytes }) => postingKey(index.ordinal, TAG.value, bytes));
  const one = rowsOfCounts(index, 1, 1, source);
  const more = rowsOfCounts(index, 2, COUNT_MAX, source);
  const listed = source.lists([...sure, postingKey(index.ordinal, TAG.nullElement)]);
  if (one === undefined || more === undefined || listed === undefined) return undefined;
  return { rows: one.subtract(listed).union(more), exact: sure.length === encodings.length && more.count() === 0 };
}

/** The bytes of a value that this type of index holds whenever a point has it; undefined where it does not. */
function encodeScalar(
  { schema: { type } }: FieldIndex,
  value: Scalar,
): { readonly bytes: Uint8Array; readonly exact: boolean } | undefined {
  if (typeof value === 'boolean') return type === 'bool' ? { bytes: Uint8Array.of(value ? 1 : 0), exact: true } : undefined;
  if (typeof value !== 'string') return type === 'integer' || type === 'float' ? encodeNumber(value) : undefined;
  if (type === 'keyword') return encodeString(value);
  const uuid = type === 'uuid' ? encodeUuid(value) : undefined;
  return uuid && { bytes: uuid, exact: true };
}

function planPrefix({ ordinal }: FieldIndex, prefix: string, source: PostingSource): FilterPlan | undefined {
  const encoded = encodePrefix(prefix);
  const rows = encoded && source.range(prefixRange(ordinal, TAG.value, encoded.bytes));
  return rows && { rows, exact: encoded.exact };
}

function planRange({ ordinal }: FieldIndex, { lt, gt, lte, gte }: Bounds, source: PostingSource): FilterPlan | undefined {
  const lows = given(gte, gt);
  const highs = given(lte, lt);
  // A key that stands for several numbers stays in the range, whichever side of the bound they are on.
  const starts = lows.map(({ encoded, inclusive }) => (inclusive || !encoded.exact ? encoded.bytes : successor(encoded.bytes)));
  const ends = highs.map(({ encoded, inclusive }) => (inclusive || !encoded.exact ? successor(encoded.bytes) : encoded.bytes));
  const rows = rowsOfValues(ordinal, { start: starts.sort(compareKeys).at(-1), end: ends.sort(compareKeys)[0] }, source);
  return rows && { rows, exact: [...lows, ...highs].every(({ encoded }) => encoded.exact) };
}

function given(inclusive: number | bigint | undefined, exclusive: number | bigint | undefined) {
  return [
    ...(inclusive === undefined ? [] : [{ encoded: encodeNumber(inclusive), inclusive: true }]),
    ...(exclusive === undefined ? [] : [{ encoded: encodeNumber(exclusive), inclusive: false }]),
  ];
}

/** Rows with an encoded value e, start <= e < end: by values in the buckets of the two ends, by buckets between them. */
function rowsOfValues(
  ordinal: number,
  { start, end }: { readonly start: Uint8Array | undefined; readonly end: Uint8Array | undefined },
  source: PostingSource,
): RowSet | undefined {
  if (start !== undefined && end !== undefined && compareKeys(bucketOf(start), bucketOf(end)) >= 0) {
    return source.range({ start: postingKey(ordinal, TAG.value, start), end: postingKey(ordinal, TAG.value, end) });
  }
  const buckets = prefixRange(ordinal, TAG.bucket);
  const ranges: KeyRange[] = [
    {
      start: start === undefined ? buckets.start : prefixRange(ordinal, TAG.bucket, bucketOf(start)).end,
      end: end === undefined ? buckets.end : postingKey(ordinal, TAG.bucket, bucketOf(end)),
    },
  ];
  if (start !== undefined)
    ranges.push({ start: postingKey(ordinal, TAG.value, start), end: prefixRange(ordinal, TAG.value, bucketOf(start)).end });
  if (end !== undefined) ranges.push({ start: postingKey(ordinal, TAG.value, bucketOf(end)), end: postingKey(ordinal, TAG.value, end) });
  const parts = complete(ranges.map((range) => source.range(range)));
  return parts && unionOf(parts);
}

function planGeo(
  { ordinal }: FieldIndex,
  test: Test<'geo-box' | 'geo-radius' | 'geo-polygon'>,
  source: PostingSource,
): FilterPlan | undefined {
  const parts = complete(coverOf(test).map((cells) => source.range(rangeOfCells(ordinal, cells))));
  return parts && { rows: unionOf(parts), exact: false };
}

/** A square of cells is whole buckets, or part of one. */
function rangeOfCells(ordinal: number, { first, last }: CellRange): KeyRange {
  const areWhole = compareKeys(bucketOf(first), bucketOf(last)) !== 0;
  const [tag, low, high] = areWhole ? [TAG.bucket, bucketOf(first), bucketOf(last)] : [TAG.value, first, last];
  return { start: postingKey(ordinal, tag, low), end: successor(postingKey(ordinal, tag, high)) };
}

function coverOf(test: Test<'geo-box' | 'geo-radius' | 'geo-polygon'>): readonly CellRange[] {
  switch (test.kind) {
    case 'geo-box':
      return coverBox(test.topLeft, test.bottomRight);
    case 'geo-radius': {
      const { topLeft, bottomRight } = boxAround(test.center, test.radius);
      return coverBox(topLeft, bottomRight);
    }
    case 'geo-polygon': {
      const corners = test.polygon.exterior;
      const lons = corners.map(({ lon }) => lon).sort((a, b) => a - b);
      const lats = corners.map(({ lat }) => lat).sort((a, b) => a - b);
      return coverBox({ lon: lons[0] ?? 0, lat: lats.at(-1) ?? 0 }, { lon: lons.at(-1) ?? 0, lat: lats[0] ?? 0 });
    }
  }
}

/** Exact for one token, and where every row has a single text; else the tokens may stand in different texts of a point. */
function planText(
  index: FieldIndex,
  path: JsonPath,
  { mode, tokens, analyzer }: Test<'text'>,
  source: PostingSource,
): FilterPlan | undefined {
  const plans = [...new Set(tokens)].map((token) => planToken(index, token, analyzer.prefixes !== undefined, source));
  const known = plans.filter((plan) => plan !== undefined);
  if (mode === 'any' || tokens.length === 0) {
    return complete(plans) && { rows: unionOf(known.map(({ rows }) => rows)), exact: known.every(({ exact }) => exact) };
  }
  const [first, ...others] = known;
  if (first === undefined) return undefined;
  const rows = others.reduce((left, { rows: right }) => left.intersect(right), first.rows);
  const certain = known.length === plans.length && known.every(({ exact }) => exact);
  return { rows, exact: certain && (tokens.length === 1 || (mode === 'all' && haveOneElement(index, path, rows, source))) };
}

function planToken({ ordinal }: FieldIndex, token: string, asPrefix: boolean, source: PostingSource): FilterPlan | undefined {
  const encoded = asPrefix ? encodePrefix(token) : encodeString(token);
  if (encoded === undefined) return undefined;
  const rows = asPrefix
    ? source.range(prefixRange(ordinal, TAG.value, encoded.bytes))
    : source.lists([postingKey(ordinal, TAG.value, encoded.bytes)]);
  return rows && { rows, exact: encoded.exact };
}

function haveOneElement(index: FieldIndex, path: JsonPath, rows: RowSet, source: PostingSource): boolean {
  if (isMultiple(path)) return false;
  const more = rowsOfCounts(index, 2, COUNT_MAX, source);
  return more !== undefined && more.intersect(rows).count() === 0;
}

function isNumeric({ schema: { type } }: FieldIndex): boolean {
  return type === 'integer' || type === 'float';
}

function exactly(rows: RowSet | undefined): FilterPlan | undefined {
  return rows && { rows, exact: true };
}

function unionOf(sets: readonly RowSet[]): RowSet {
  return sets.reduce((all, set) => all.union(set), new RowSet());
}

/** The values when all are there. */
function complete<Value>(values: readonly (Value | undefined)[]): readonly Value[] | undefined {
  const present = values.filter((value) => value !== undefined);
  return present.length === values.length ? present : undefined;
}
