/** DuckDB's SQL. */
import type { DataType } from '@sextant/contracts-observability';
import type { Dialect } from './dialect.ts';

const FLOATING = /^(FLOAT|DOUBLE)$/;
const NESTED = /(^(STRUCT|MAP|UNION|JSON)\b)|\]$/;

export const duckdbDialect: Dialect = {
  name: 'duckdb',
  // No limit of its own; past this, planning takes longer than reading a column chunk a second time would.
  selectLimit: 4000,
  identifier: (name) => `"${name.replaceAll('"', '""')}"`,
  literal: (value) => `'${value.replaceAll("'", "''")}'`,
  text(sql, { source_type: type }) {
    if (type === 'VARCHAR' || type === 'JSON') return `CAST(${sql} AS VARCHAR)`;
    if (NESTED.test(type)) return `CAST(to_json(${sql}) AS VARCHAR)`;
    // 1.0 and 1 are one number; PostgreSQL writes the shorter form.
    if (FLOATING.test(type)) return `regexp_replace(CAST(${sql} AS VARCHAR), '\\.0$', '')`;
    return `CAST(${sql} AS VARCHAR)`;
  },
  groupable: (sql) => sql,
  castText: (sql) => `CAST(${sql} AS VARCHAR)`,
  double(sql, { source_type: type, data_type: dataType }) {
    if (dataType === 'DATE' || dataType === 'TIMESTAMP') return `CASE WHEN isfinite(${sql}) THEN epoch(${sql}) * 1000 END`;
    if (FLOATING.test(type)) return `CASE WHEN isfinite(${sql}) THEN CAST(${sql} AS DOUBLE) END`;
    return `CAST(${sql} AS DOUBLE)`;
  },
  isSquarable: ({ source_type: type }) => !FLOATING.test(type),
  timestamp(sql, { data_type: dataType }) {
    const timestamp = `TRY_CAST(${dataType === 'DATE' || dataType === 'TIMESTAMP' ? sql : `CAST(${sql} AS VARCHAR)`} AS TIMESTAMP)`;
    return `CASE WHEN isfinite(${timestamp}) THEN ${timestamp} END`;
  },
  numberOf: (text) => `TRY_CAST(${text} AS DOUBLE)`,
  timestampOf: (text) => `TRY_CAST(${text} AS TIMESTAMP)`,
  epochMs: (timestamp) => `epoch(${timestamp}) * 1000`,
  length: (text) => `length(${text})`,
  byteLength: (text) => `strlen(${text})`,
  regexMatches: (text, pattern) => `regexp_matches(${text}, ${duckdbDialect.literal(pattern)})`,
  regexReplace: (text, pattern, replacement) =>
    `regexp_replace(${text}, ${duckdbDialect.literal(pattern)}, ${duckdbDialect.literal(replacement.replaceAll('\\', '\\\\'))}, 'g')`,
  letters: '\\p{L}',
  digits: '\\p{Nd}',
  tuple: (texts) =>
    `CASE WHEN ${texts.map((text) => `${text} IS NOT NULL`).join(' AND ')} THEN CAST(json_array(${texts.join(', ')}) AS VARCHAR) END`,
  quantiles: (double, shares, accuracy) =>
    `CAST(to_json(${accuracy === 'exact' ? 'quantile_cont' : 'approx_quantile'}(${double}, [${shares.join(', ')}])) AS VARCHAR)`,
  byteOrder: (text) => text,
  rankedList: ({ value, count, rank, limit }) =>
    `CAST(to_json(list({'v': ${value}, 'n': ${count}} ORDER BY ${rank}) FILTER (WHERE ${rank} <= ${limit})) AS VARCHAR)`,
  sampled: (_alias, percent) => `random() < ${percent / 100}`,
};

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
