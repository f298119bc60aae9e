// SPDX-License-Identifier: Apache-2.0
/** PostgreSQL's SQL, from version 13 on. */
import type { Dialect } from './dialect.ts';
import { luhnDigits } from './luhn.ts';
import { postgresqlFrequencies } from './postgresql-frequencies.ts';

const FLOATING = /^(real|double precision|float\d*)/;
/** Integers and small decimals always fit a double; unbounded decimals may not. */
const INTEGER = /^(smallint|integer|bigint|int\d?)$/;
const NUMBER_FORM = '^\\s*[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d{1,2})?\\s*$';
const DATE_FORM =
  '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\\d|2[0-8])([T ]([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,6})?)?(Z|[+-]([01]\\d|2[0-3]):?[0-5]\\d)?)?$';
/** The days that not every month or year has. */
const LATE_DAYS = '^(\\d{4})-(\\d{2})-(29|30|31)(.*)$';

const WORD = '[0-9A-Z_a-z]';

export const postgresqlDialect: Dialect = {
  name: 'postgresql',
  // MaxTupleAttributeNumber is 1664 (src/include/access/htup_details.h); a few columns name the segment.
  selectLimit: 1500,
  // Else it would merge both SELECTs (https://www.postgresql.org/docs/current/explicit-joins.html).
  computedOnce: ' OFFSET 0',
  identifier: (name) => `"${name.replaceAll('"', '""')}"`,
  // The escape form reads the same whatever standard_conforming_strings is.
  literal: (value) =>
    value.includes('\\') ? ` E'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'` : `'${value.replaceAll("'", "''")}'`,
  number: (value) => `CAST('${value}' AS float8)`,
  text(sql, { source_type: type }) {
    if (type.endsWith('[]') || type === 'ARRAY') return `CAST(array_to_json(${sql}) AS text)`;
    return `CAST(${sql} AS text)`;
  },
  groupable: (sql, { source_type: type }) => (FLOATING.test(type) ? `CASE WHEN ${sql} = 0 THEN abs(${sql}) ELSE ${sql} END` : sql),
  castText: (sql) => `CAST(${sql} AS text)`,
  textOfFraction: (double) => `CAST(${double} AS text)`,
  castDouble: (sql) => `CAST(${sql} AS FLOAT8)`,
  isFloating: ({ source_type: type }) => FLOATING.test(type),
  floating: (value, { source_type: type }) => `CAST('${/^(real|float4)$/.test(type) ? Math.fround(value) : value}' AS float8)`,
  double(sql, { source_type: type, data_type: dataType }) {
    // A day may lie beyond all timestamps.
    if (dataType === 'DATE') return `CASE WHEN isfinite(${sql}) THEN CAST(${sql} - DATE '1970-01-01' AS float8) * 86400000 END`;
    if (dataType === 'TIMESTAMP') return `CASE WHEN isfinite(${sql}) THEN ${postgresqlDialect.epochMs(sql)} END`;
    if (INTEGER.test(type)) return `CAST(${sql} AS float8)`;
    if (FLOATING.test(type)) return `CASE WHEN ${sql} NOT IN ('NaN', 'Infinity', '-Infinity') THEN CAST(${sql} AS float8) END`;
    return `CASE WHEN abs(${sql}) < 1e300 THEN CAST(${sql} AS float8) END`;
  },
  isSquarable: ({ source_type: type, data_type: dataType }) => INTEGER.test(type) || dataType === 'DATE' || dataType === 'TIMESTAMP',
  timestamp(sql, { source_type: type, data_type: dataType }) {
    if (dataType !== 'DATE' && dataType !== 'TIMESTAMP') return postgresqlDialect.timestampOf(`CAST(${sql} AS text)`);
    const utc = type.includes('with time zone') || type === 'timestamptz' ? `(${sql} AT TIME ZONE 'UTC')` : `CAST(${sql} AS timestamp)`;
    // The last day of a timestamp; a cast of a later one would end the statement.
    const fits = dataType === 'DATE' ? ` AND ${sql} <= DATE '294276-12-31'` : '';
    return `CASE WHEN isfinite(${sql})${fits} THEN ${utc} END`;
  },
  numberOf: (text) => `CASE WHEN ${postgresqlDialect.regexMatches(text, NUMBER_FORM)} THEN CAST(${text} AS float8) END`,
  // A cast that fails ends the statement, so only forms that cannot fail are cast; late days are built from the first of the month.
  timestampOf: (text) =>
    `CASE WHEN ${postgresqlDialect.regexMatches(text, DATE_FORM)} THEN CAST(${text} AS timestamptz) AT TIME ZONE 'UTC' ` +
    `WHEN ${postgresqlDialect.regexMatches(text, LATE_DAYS)} AND ${lateDayExists(text)} THEN CAST(${text} AS timestamptz) AT TIME ZONE 'UTC' END`,
  timestampLiteral: (text) => `CAST(${postgresqlDialect.literal(text)} AS timestamp)`,
  // Seconds are a decimal number, of which the nearest double is taken.
  epochMs: (timestamp) => `CAST(extract(epoch FROM ${timestamp}) * 1000 AS float8)`,
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
  byteLength: (text) => `octet_length(${text})`,
  regexMatches: (text, pattern) => `(${text} ~ ${postgresqlDialect.literal(pattern)})`,
  firstMatch: (text, pattern) => `substring(${text} FROM ${postgresqlDialect.literal(pattern)})`,
  // `\y` would follow the locale; look-around says the same with the letters of ASCII.
  patternSigns: {
    start: '^',
    end: '$',
    first: '^',
    last: '$',
    anything: '(?:[^a]|a)',
    wordBoundary: `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`,
    noWordBoundary: `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))`,
  },
  regexReplace: (text, pattern, replacement) =>
    `regexp_replace(${text}, ${postgresqlDialect.literal(pattern)}, ${postgresqlDialect.literal(replacement.replaceAll('\\', '\\\\'))}, 'g')`,
  letters: '[:alpha:]',
  digits: '[:digit:]',
  tuple: (texts) =>
    `CASE WHEN ${texts.map((text) => `${text} IS NOT NULL`).join(' AND ')} THEN CAST(json_build_array(${texts.join(', ')}) AS text) END`,
  quantiles: (double, shares, where) =>
    `CAST(to_json(percentile_disc(ARRAY[${shares.join(', ')}]::float8[]) WITHIN GROUP (ORDER BY ${double}) FILTER (WHERE ${where})) AS text)`,
  median: (double) => `percentile_cont(0.5) WITHIN GROUP (ORDER BY ${double})`,
  luhnHolds: (text) => `((SELECT sum(CAST(digit AS integer)) FROM regexp_split_to_table(${luhnDigits(text)}, '') AS digit) % 10 = 0)`,
  pick: (place, values) => `(CAST('{${values.map((value) => value ?? 'NULL').join(', ')}}' AS float8[]))[${place} + 1]`,
  wholeNumber: (double) => `CAST(${double} AS bigint)`,
  sumOfIntegers: (integer) => `sum(${integer})`,
  hash: (texts) => `md5(concat_ws(chr(31), ${texts.join(', ')}))`,
  byteOrder: (text) => `(${text}) COLLATE "C"`,
  frequencies: postgresqlFrequencies,
  mostFrequent: ({ relation, by, value, count, limit, shownCharacters }) => ({
    relation: `(SELECT *, row_number() OVER (PARTITION BY ${by.join(', ')} ORDER BY ${count} DESC, ${postgresqlDialect.byteOrder(value)}) AS rank FROM ${relation}) AS ranked`,
    list: `CAST(json_agg(json_build_object('v', left(${value}, ${shownCharacters}), 'n', ${count}) ORDER BY rank) FILTER (WHERE rank <= ${limit}) AS text)`,
  }),
};

function lateDayExists(text: string): string {
  const month = `substr(${text}, 1, 8)`;
  return (
    `${postgresqlDialect.regexMatches(`(${month} || '01' || substr(${text}, 11))`, DATE_FORM)} AND CAST(substr(${text}, 9, 2) AS int) <= ` +
    `extract(day FROM CAST(${month} || '01' AS date) + interval '1 month' - interval '1 day')`
  );
}
