/**
 * How often each value occurs, exactly: distinct values, values that occur once, and the most frequent ones. DuckDB takes a column at a time, since
 * it reads no other; PostgreSQL, which reads whole rows, takes several in one statement.
 */
import { assert } from '@sextant/foundation-std';
import type { Cell, Engine } from '../engine/engine.ts';
import { grouping, type SegmentDimension, segmentOf } from '../plan/segments.ts';

/** A value beyond this many characters is shown cut. */
const SHOWN_CHARACTERS = 256;
/** In longer tables a value that occurs once is not a frequent one, and sorting millions of them would choose some at random. */
const ROWS_OF_SINGLE_VALUES = 10_000;
/** Columns that PostgreSQL groups by in one statement; GROUPING takes at most 31 arguments. */
const COLUMNS_TOGETHER = 16;

/** What is counted: rows by the value of an expression, of which null is none. */
export type Counted = {
  readonly value: string;
  /** The value as text, in terms of `value`. */
  readonly text: (value: string) => string;
  readonly receive: (found: Frequencies, segment: string | null) => void;
};

export type Frequencies = {
  readonly distinct: number;
  readonly unique: number;
  /** Most frequent first, equals by their text in byte order. */
  readonly top: readonly { readonly value: string; readonly count: number }[];
};

export type FrequencyOptions = {
  readonly counted: readonly Counted[];
  readonly dimensions: readonly SegmentDimension[];
  readonly records: number;
  readonly topLimit: number;
  readonly relation?: string;
  readonly onCounted?: (index: number) => void;
};

export async function countFrequencies(engine: Engine, options: FrequencyOptions): Promise<void> {
  const together = engine.dialect.name === 'duckdb' ? 1 : COLUMNS_TOGETHER;
  for (let start = 0; start < options.counted.length; start += together) {
    const counted = options.counted.slice(start, start + together);
    const sql =
      engine.dialect.name === 'duckdb' ? duckdbStatement(engine, options, counted) : postgresqlStatement(engine, options, counted);
    for (const [index, dimension, position, distinct, unique, ranked] of await engine.query(sql)) {
      const segment = segmentOf(options.dimensions, dimension, position);
      const top = rankedValues(ranked).filter(({ count }) => count > 1 || options.records <= ROWS_OF_SINGLE_VALUES);
      if (segment !== undefined) counted[Number(index)]?.receive({ distinct: Number(distinct), unique: Number(unique), top }, segment);
    }
    options.onCounted?.(start + counted.length);
  }
}

function duckdbStatement(engine: Engine, options: FrequencyOptions, [counted]: readonly Counted[]): string {
  if (counted === undefined) return '';
  const { inner, key, groupBy } = grouping(options.dimensions);
  const [dimension, position] = key;
  const frequencies =
    `SELECT ${dimension} AS d, ${position} AS p, v, count(*) AS n FROM (SELECT ${[`${counted.value} AS v`, ...inner].join(', ')} ` +
    `FROM ${options.relation ?? engine.relation}) AS r WHERE v IS NOT NULL${groupBy(['v'])}`;
  const frequent = options.records > ROWS_OF_SINGLE_VALUES ? ' FILTER (WHERE n > 1)' : '';
  // The smallest of these structures are the most frequent values, equals in the order of their text.
  const top = `min({'n': -n, 'v': ${counted.text('v')}}, ${options.topLimit})${frequent}`;
  return (
    `SELECT 0, d, p, count(*), count(*) FILTER (WHERE n = 1), ` +
    `CAST(to_json(list_transform(${top}, lambda t: {'v': left(t.v, ${SHOWN_CHARACTERS}), 'n': -t.n})) AS VARCHAR) FROM (${frequencies}) GROUP BY d, p`
  );
}

function postgresqlStatement(engine: Engine, options: FrequencyOptions, counted: readonly Counted[]): string {
  const segments = options.dimensions.map((_, index) => `segment_${index}`);
  const values = counted.map((_, index) => `v${index}`);
  const { inner } = grouping(options.dimensions);
  const rows = `SELECT ${[...counted.map(({ value, text }, index) => `${text(value)} AS v${index}`), ...inner].join(', ')} FROM ${options.relation ?? engine.relation}`;
  const sets = values.flatMap((value) => [`(${value})`, ...segments.map((segment) => `(${value}, ${segment})`)]);
  const chosen = (names: readonly string[], then: (index: number) => string, otherwise: string): string =>
    names.length === 0
      ? otherwise
      : `CASE ${names.map((name, index) => `WHEN GROUPING(${name}) = 0 THEN ${then(index)}`).join(' ')} ELSE ${otherwise} END`;
  const { byteOrder, rankedList } = engine.dialect;
  const top = rankedList({ value: `left(v, ${SHOWN_CHARACTERS})`, count: 'n', rank: 'rank', limit: options.topLimit });
  return (
    `WITH frequencies AS (SELECT ${chosen(values, String, '-1')} AS c, ${chosen(segments, String, '-1')} AS d, ` +
    `${segments.length === 0 ? '-1' : `coalesce(${segments.join(', ')}, -1)`} AS p, ${chosen(values, (index) => `v${index}`, 'NULL')} AS v, count(*) AS n ` +
    `FROM (${rows}) AS r GROUP BY GROUPING SETS (${sets.join(', ')})), ` +
    `ranked AS (SELECT *, row_number() OVER (PARTITION BY c, d, p ORDER BY n DESC, ${byteOrder('v')}) AS rank FROM frequencies WHERE v IS NOT NULL) ` +
    `SELECT c, d, p, count(*), count(*) FILTER (WHERE n = 1), ${top} FROM ranked GROUP BY c, d, p`
  );
}

/** Values and counts of a JSON array of `{"v": value, "n": count}`; null is an empty list. */
export function rankedValues(json: Cell | undefined): Frequencies['top'] {
  if (json === null || json === undefined) return [];
  const items: unknown = JSON.parse(String(json));
  assertRanked(items);
  return items.map(({ v, n }) => ({ value: v, count: Number(n) }));
}

/** Our own statements build arrays of this form. */
function assertRanked(items: unknown): asserts items is readonly { readonly v: string; readonly n: number }[] {
  assert(Array.isArray(items), 'ranked values are a list');
}
