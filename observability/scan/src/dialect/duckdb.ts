// SPDX-License-Identifier: Apache-2.0
/** DuckDB's SQL. */
import type { DataType } from '@sextant/contracts-observability';
import type { Dialect } from './dialect.ts';
import { duckdbFrequencies } from './duckdb-frequencies.ts';
import { luhnDigits } from './luhn.ts';

const FLOATING = /^(FLOAT|DOUBLE)$/;
const NESTED = /(^(STRUCT|MAP|UNION|JSON)\b)|\]$/;

export const duckdbDialect: Dialect = {
  name: 'duckdb',
  // No limit of its own; past this, planning takes longer than reading a column chunk a second time would.
  selectLimit: 4000,
  computedOnce: '',
  identifier: (name) => `"${name.replaceAll('"', '""')}"`,
  literal: (value) => `'${value.replaceAll("'", "''")}'`,
  // In quotes: bare, it would be a decimal, whose cast is not the nearest double.
  number: (value) => `CAST('${value}' AS DOUBLE)`,
  text(sql, { source_type: type }) {
    if (type === 'VARCHAR' || type === 'JSON') return `CAST(${sql} AS VARCHAR)`;
    if (NESTED.test(type)) return `CAST(to_json(${sql}) AS VARCHAR)`;
    // Years before the first are marked behind the day; PostgreSQL marks them at the end.
    if (type === 'DATE' || type.startsWith('TIMESTAMP'))
      return `CASE WHEN ${sql} >= '0001-01-01' THEN CAST(${sql} AS VARCHAR) ELSE regexp_replace(CAST(${sql} AS VARCHAR), ' \\(BC\\)(.*)$', '\\1 BC') END`;
    return `CAST(${sql} AS VARCHAR)`;
  },
  groupable: (sql, { source_type: type }) => (FLOATING.test(type) ? `CASE WHEN ${sql} = 0 THEN abs(${sql}) ELSE ${sql} END` : sql),
  castText: (sql) => `CAST(${sql} AS VARCHAR)`,
  textOfFraction: (double) => `CAST(${double} AS VARCHAR)`,
  castDouble: (sql) => `CAST(${sql} AS FLOAT8)`,
  isFloating: ({ source_type: type }) => FLOATING.test(type),
  floating: (value, { source_type: type }) => `CAST('${type === 'FLOAT' ? Math.fround(value) : value}' AS DOUBLE)`,
  double(sql, { source_type: type, data_type: dataType }) {
    // A day may lie beyond all timestamps.
    if (dataType === 'DATE') return `CASE WHEN isfinite(${sql}) THEN CAST(${sql} - DATE '1970-01-01' AS DOUBLE) * 86400000 END`;
    if (dataType === 'TIMESTAMP') return `CASE WHEN isfinite(${sql}) THEN ${duckdbDialect.epochMs(sql)} END`;
    if (FLOATING.test(type)) return `CASE WHEN isfinite(${sql}) THEN CAST(${sql} AS DOUBLE) END`;
    // Its own cast of integers beyond 64 bits is not the nearest double; that of a text is.
    if (isWide(type)) return `CAST(CAST(${sql} AS VARCHAR) AS DOUBLE)`;
    return `CAST(${sql} AS DOUBLE)`;
  },
  isSquarable: ({ source_type: type }) => !FLOATING.test(type),
  timestamp(sql, { data_type: dataType }) {
    const timestamp = `TRY_CAST(${dataType === 'DATE' || dataType === 'TIMESTAMP' ? sql : `CAST(${sql} AS VARCHAR)`} AS TIMESTAMP)`;
    return `CASE WHEN isfinite(${timestamp}) THEN ${timestamp} END`;
  },
  numberOf: (text) => `TRY_CAST(${text} AS DOUBLE)`,
  timestampOf: (text) => `TRY_CAST(${text} AS TIMESTAMP)`,
  timestampLiteral: (text) => `CAST(${duckdbDialect.literal(text)} AS TIMESTAMP)`,
  // Milliseconds fit a double, microseconds may not.
  epochMs: (timestamp) => `(epoch_ms(${timestamp}) + (epoch_us(${timestamp}) - epoch_ms(${timestamp}) * 1000) / 1000.0::DOUBLE)`,
  dayOfWeek: (timestamp) => `(EXTRACT(DOW FROM ${timestamp}) + 1)`,
  daysBetween: (start, end) => `(${end} - ${start})`,
  floor: (double) => `floor(${double})`,
  ceil: (double) => `ceil(${double})`,
  trunc: (double) => `trunc(${double})`,
  greatest: (sqls) => `greatest(${sqls.join(', ')})`,
  least: (sqls) => `least(${sqls.join(', ')})`,
  position: (text, part) => `strpos(${text}, ${part})`,
  startsWith: (text, start) => `starts_with(${text}, ${start})`,
  length: (text) => `length(${text})`,
  byteLength: (text) => `strlen(${text})`,
  regexMatches: (text, pattern) => `regexp_matches(${text}, ${duckdbDialect.literal(pattern)})`,
  firstMatch: (text, pattern) => `regexp_extract(${text}, ${duckdbDialect.literal(pattern)})`,
  // DuckDB 1.5 rewrites `$a` into a search for `a`, as if the anchor were not there; it leaves alone what stands in a group that captures.
  patternSigns: {
    start: '(^)',
    end: '($)',
    // Bare, they become comparisons of prefixes and suffixes.
    first: '^',
    last: '$',
    anything: '(?:[^a]|a)',
    wordBoundary: '\\b',
    noWordBoundary: '\\B',
  },
  regexReplace: (text, pattern, replacement) =>
    `regexp_replace(${text}, ${duckdbDialect.literal(pattern)}, ${duckdbDialect.literal(replacement.replaceAll('\\', '\\\\'))}, 'g')`,
  letters: '\\p{L}',
  digits: '\\p{Nd}',
  tuple: (texts) =>
    `CASE WHEN ${texts.map((text) => `${text} IS NOT NULL`).join(' AND ')} THEN CAST(json_array(${texts.join(', ')}) AS VARCHAR) END`,
  narrowing: {
    chance: 'random()',
    // It looks a value up among the bounds, which takes a fifth of the time of a comparison with each of them.
    histogram: (double, bounds, where) =>
      `CAST(to_json(map_values(histogram(${double}, [${bounds.map(duckdbDialect.number).join(', ')}])${where === undefined ? '' : ` FILTER (WHERE ${where})`})) AS VARCHAR)`,
  },
  quantiles: (double, shares, where) =>
    `CAST(to_json(quantile_disc(${double}, [${shares.join(', ')}]) FILTER (WHERE ${where})) AS VARCHAR)`,
  median: (double) => `median(${double})`,
  luhnHolds: (text) => `(list_sum(CAST(string_split(${luhnDigits(text)}, '') AS INTEGER[])) % 10 = 0)`,
  pick: (place, values) =>
    `list_extract(CAST([${values.map((value) => (value === null ? 'NULL' : `'${value}'`)).join(', ')}] AS DOUBLE[]), ${place} + 1)`,
  wholeNumber: (double) => `CAST(${double} AS BIGINT)`,
  sumOfIntegers: (integer) => `sum(${integer})`,
  hash: (texts) => `md5(concat_ws(chr(31), ${texts.join(', ')}))`,
  byteOrder: (text) => text,
  frequencies: duckdbFrequencies,
  // The least of these structures are the most frequent values, without an order of all.
  mostFrequent: ({ relation, value, count, limit, shownCharacters }) => ({
    relation,
    list: `CAST(to_json(list_transform(min({'n': -${count}, 'v': ${value}}, ${limit}), lambda t: {'v': left(t.v, ${shownCharacters}), 'n': -t.n})) AS VARCHAR)`,
  }),
};

/** Integers of more than 64 bits, and decimals whose digits may be more than a double has. */
function isWide(type: string): boolean {
  const [, digits = '0'] = /^DECIMAL\((\d+),/.exec(type) ?? [];
  return /^U?HUGEINT$/.test(type) || Number(digits) > 15;
}

const INTEGER = /^U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)$/;

/** DuckDB's type as one of our few. */
export function dataTypeOfDuckdb(type: string): DataType {
  if (INTEGER.test(type)) return 'INTEGER';
  if (FLOATING.test(type) || type.startsWith('DECIMAL(')) return type.endsWith(']') ? 'OTHER' : 'DECIMAL';
  if (type === 'VARCHAR' || type === 'UUID' || (type.startsWith('ENUM(') && !type.endsWith(']'))) return 'STRING';
  if (type === 'BOOLEAN') return 'BOOLEAN';
  if (type === 'DATE') return 'DATE';
  if (/^TIMESTAMP(_\w+| WITH TIME ZONE)?$/.test(type)) return 'TIMESTAMP';
  return 'OTHER';
}
