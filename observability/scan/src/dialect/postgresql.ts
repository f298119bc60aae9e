/** PostgreSQL's SQL, from version 13 on. */
import type { Dialect } from './dialect.ts';

const FLOATING = /^(real|double precision|float\d*)/;
/** Integers and small decimals always fit a double; unbounded decimals may not. */
const INTEGER = /^(smallint|integer|bigint|int\d?)$/;
const NUMBER_FORM = '^\\s*[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d{1,2})?\\s*$';
const DATE_FORM =
  '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\\d|2[0-8])([T ]([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,6})?)?(Z|[+-]([01]\\d|2[0-3]):?[0-5]\\d)?)?$';
/** The days that not every month or year has. */
const LATE_DAYS = '^(\\d{4})-(\\d{2})-(29|30|31)(.*)$';

export const postgresqlDialect: Dialect = {
  name: 'postgresql',
  // MaxTupleAttributeNumber is 1664 (src/include/access/htup_details.h); a few columns name the segment.
  selectLimit: 1500,
  identifier: (name) => `"${name.replaceAll('"', '""')}"`,
  // The escape form reads the same whatever standard_conforming_strings is.
  literal: (value) =>
    value.includes('\\') ? ` E'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'` : `'${value.replaceAll("'", "''")}'`,
  text(sql, { source_type: type }) {
    if (type.endsWith('[]') || type === 'ARRAY') return `CAST(array_to_json(${sql}) AS text)`;
    return `CAST(${sql} AS text)`;
  },
  groupable: (sql) => sql,
  castText: (sql) => `CAST(${sql} AS text)`,
  double(sql, { source_type: type, data_type: dataType }) {
    if (dataType === 'DATE' || dataType === 'TIMESTAMP')
      return `CASE WHEN isfinite(${sql}) THEN CAST(extract(epoch FROM ${sql}) AS float8) * 1000 END`;
    if (INTEGER.test(type)) return `CAST(${sql} AS float8)`;
    if (FLOATING.test(type)) return `CASE WHEN ${sql} NOT IN ('NaN', 'Infinity', '-Infinity') THEN CAST(${sql} AS float8) END`;
    return `CASE WHEN abs(${sql}) < 1e300 THEN CAST(${sql} AS float8) END`;
  },
  isSquarable: ({ source_type: type, data_type: dataType }) => INTEGER.test(type) || dataType === 'DATE' || dataType === 'TIMESTAMP',
  timestamp(sql, { source_type: type, data_type: dataType }) {
    if (dataType !== 'DATE' && dataType !== 'TIMESTAMP') return postgresqlDialect.timestampOf(`CAST(${sql} AS text)`);
    const utc = type.includes('with time zone') || type === 'timestamptz' ? `(${sql} AT TIME ZONE 'UTC')` : `CAST(${sql} AS timestamp)`;
    return `CASE WHEN isfinite(${sql}) THEN ${utc} END`;
  },
  numberOf: (text) => `CASE WHEN ${postgresqlDialect.regexMatches(text, NUMBER_FORM)} THEN CAST(${text} AS float8) END`,
  // A cast that fails ends the statement, so only forms that cannot fail are cast; late days are built from the first of the month.
  timestampOf: (text) =>
    `CASE WHEN ${postgresqlDialect.regexMatches(text, DATE_FORM)} THEN CAST(${text} AS timestamptz) AT TIME ZONE 'UTC' ` +
    `WHEN ${postgresqlDialect.regexMatches(text, LATE_DAYS)} AND ${lateDayExists(text)} THEN CAST(${text} AS timestamptz) AT TIME ZONE 'UTC' END`,
  epochMs: (timestamp) => `CAST(extract(epoch FROM ${timestamp}) AS float8) * 1000`,
  length: (text) => `length(${text})`,
  byteLength: (text) => `octet_length(${text})`,
  regexMatches: (text, pattern) => `(${text} ~ ${postgresqlDialect.literal(pattern)})`,
  regexReplace: (text, pattern, replacement) =>
    `regexp_replace(${text}, ${postgresqlDialect.literal(pattern)}, ${postgresqlDialect.literal(replacement.replaceAll('\\', '\\\\'))}, 'g')`,
  letters: '[:alpha:]',
  digits: '[:digit:]',
  tuple: (texts) =>
    `CASE WHEN ${texts.map((text) => `${text} IS NOT NULL`).join(' AND ')} THEN CAST(json_build_array(${texts.join(', ')}) AS text) END`,
  quantiles: (double, shares) =>
    `CAST(to_json(percentile_cont(ARRAY[${shares.join(', ')}]::float8[]) WITHIN GROUP (ORDER BY ${double})) AS text)`,
  byteOrder: (text) => `${text} COLLATE "C"`,
  rankedList: ({ value, count, rank, limit }) =>
    `CAST(json_agg(json_build_object('v', ${value}, 'n', ${count}) ORDER BY ${rank}) FILTER (WHERE ${rank} <= ${limit}) AS text)`,
  // The same rows in every statement of a scan, which random() would not give.
  sampled: (alias, percent) => `abs(hashtextextended(CAST(${alias} AS text), 0) % 1000000) < ${Math.round(percent * 10_000)}`,
};

function lateDayExists(text: string): string {
  const month = `substr(${text}, 1, 8)`;
  return (
    `${postgresqlDialect.regexMatches(`(${month} || '01' || substr(${text}, 11))`, DATE_FORM)} AND CAST(substr(${text}, 9, 2) AS int) <= ` +
    `extract(day FROM CAST(${month} || '01' AS date) + interval '1 month' - interval '1 day')`
  );
}
