// SPDX-License-Identifier: Apache-2.0
/** Spark SQL, from version 4.0 on, in ANSI mode and UTC, with names that keep their case: https://spark.apache.org/docs/latest/sql-ref.html */
import type { Dialect } from './dialect.ts';
import { sparkFrequencies, sparkRankedList } from './spark-frequencies.ts';

/** A file that Spark reads keeps the names that its types have here: the same in capitals. */
const FLOATING = /^(float|double)$/i;
const NESTED = /^(array|map|struct|variant)/;
const SPACE = '[ \\t\\n\\f\\r]';
const NUMBER_FORM = `^${SPACE}*[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]{1,2})?${SPACE}*\\z`;
const DATE_FORM =
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,6})?)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])?)?\\z';
const WORD = '[0-9A-Z_a-z]';
/** Above it every double is a whole number. */
const WHOLE_FROM = 2 ** 53;
/** What a Parquet file writes for an infinite date and time, as DuckDB does: https://duckdb.org/docs/stable/sql/data_types/date */
const INFINITE_DAYS = 2 ** 31 - 1;
const INFINITE_MICROSECONDS = 2n ** 63n - 1n;
/** The last day that begins within all microseconds. */
const DAYS_MAX = 106_751_991;
/** Bits of the lower part of a sum. */
const LOW_BITS = 30;

export const sparkDialect: Dialect = {
  name: 'spark',
  // No limit of its own; planning and the code that is made for a statement grow with it.
  selectLimit: 400,
  computedOnce: '',
  identifier: (name) => `\`${name.replaceAll('`', '``')}\``,
  literal: (value) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  number: (value) => `CAST('${value}' AS DOUBLE)`,
  text(sql, { source_type: type, data_type: dataType }) {
    if (NESTED.test(type)) return `to_json(${sql})`;
    if (type === 'binary') return `hex(${sql})`;
    if (dataType === 'DATE' || dataType === 'TIMESTAMP') return textOfTime(sql, dataType);
    return sparkDialect.castText(sql);
  },
  groupable: (sql, { source_type: type }) => (FLOATING.test(type) ? `CASE WHEN ${sql} = 0 THEN abs(${sql}) ELSE ${sql} END` : sql),
  castText: (sql) => `CAST(${sql} AS STRING)`,
  textOfFraction,
  castDouble: (sql) => `CAST(${sql} AS DOUBLE)`,
  isFloating: ({ source_type: type }) => FLOATING.test(type),
  floating: (value, { source_type: type }) => `CAST('${/^float$/i.test(type) ? Math.fround(value) : value}' AS DOUBLE)`,
  double(sql, { source_type: type, data_type: dataType }) {
    if (dataType === 'DATE') return `CASE WHEN ${isFiniteTime(sql, dataType)} THEN CAST(unix_date(${sql}) AS DOUBLE) * 86400000 END`;
    if (dataType === 'TIMESTAMP') return `CASE WHEN ${isFiniteTime(sql, dataType)} THEN ${sparkDialect.epochMs(sql)} END`;
    // What is no number counts as greater than all that are.
    if (FLOATING.test(type)) return `CASE WHEN abs(${sql}) <= ${sparkDialect.number(Number.MAX_VALUE)} THEN CAST(${sql} AS DOUBLE) END`;
    return `CAST(${sql} AS DOUBLE)`;
  },
  isSquarable: ({ source_type: type }) => !FLOATING.test(type),
  timestamp(sql, { data_type: dataType }) {
    // A day may lie beyond all timestamps.
    if (dataType === 'DATE') return `CASE WHEN unix_date(${sql}) BETWEEN -${DAYS_MAX} AND ${DAYS_MAX} THEN CAST(${sql} AS TIMESTAMP) END`;
    if (dataType === 'TIMESTAMP') return `CASE WHEN ${isFiniteTime(sql, dataType)} THEN CAST(${sql} AS TIMESTAMP) END`;
    return sparkDialect.timestampOf(sparkDialect.castText(sql));
  },
  numberOf: (text) => `CASE WHEN ${sparkDialect.regexMatches(text, NUMBER_FORM)} THEN try_cast(${text} AS DOUBLE) END`,
  // It takes other spellings too, such as a year alone.
  timestampOf: (text) => `CASE WHEN ${sparkDialect.regexMatches(text, DATE_FORM)} THEN try_cast(${text} AS TIMESTAMP) END`,
  timestampLiteral: (text) => `CAST(${sparkDialect.literal(text)} AS TIMESTAMP)`,
  // Milliseconds fit a double, microseconds may not.
  epochMs(timestamp) {
    const zoned = `CAST(${timestamp} AS TIMESTAMP)`;
    return `(CAST(unix_millis(${zoned}) AS DOUBLE) + pmod(unix_micros(${zoned}), 1000L) / ${sparkDialect.number(1000)})`;
  },
  dayOfWeek: (timestamp) => `dayofweek(${timestamp})`,
  daysBetween: (start, end) => `datediff(${end}, ${start})`,
  // Its own functions answer with a 64-bit integer, which ends before the doubles do.
  floor: (double) => wholeOf(double, `floor(${double})`),
  ceil: (double) => wholeOf(double, `ceil(${double})`),
  trunc: (double) => wholeOf(double, `CAST(${double} AS BIGINT)`),
  greatest: (sqls) => (sqls.length === 1 ? sqls.join('') : `greatest(${sqls.join(', ')})`),
  least: (sqls) => (sqls.length === 1 ? sqls.join('') : `least(${sqls.join(', ')})`),
  position: (text, part) => `instr(${text}, ${part})`,
  startsWith: (text, start) => `startswith(${text}, ${start})`,
  length: (text) => `length(${text})`,
  byteLength: (text) => `octet_length(${text})`,
  regexMatches: (text, pattern) => `(${text} RLIKE ${sparkDialect.literal(pattern)})`,
  firstMatch: (text, pattern) => `regexp_extract(${text}, ${sparkDialect.literal(pattern)}, 0)`,
  // Java's `$` also matches before a final line end, and its `\b` follows Unicode.
  patternSigns: {
    start: '^',
    end: '\\z',
    first: '^',
    last: '\\z',
    // A choice would take a frame of the stack for each character.
    anything: '(?s:.)',
    wordBoundary: `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`,
    noWordBoundary: `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))`,
  },
  regexReplace: (text, pattern, replacement) =>
    `regexp_replace(${text}, ${sparkDialect.literal(pattern)}, ${sparkDialect.literal(replacement.replaceAll(/[\\$]/g, '\\$&'))})`,
  letters: '\\p{L}',
  digits: '\\p{Nd}',
  tuple: (texts) => `CASE WHEN ${texts.map((text) => `${text} IS NOT NULL`).join(' AND ')} THEN to_json(array(${texts.join(', ')})) END`,
  narrowing: {
    chance: 'rand()',
    histogram(double, bounds, where) {
      const within = bounds.map((bound, index) => {
        const above = index === 0 ? '' : ` AND ${double} > ${sparkDialect.number(bounds[index - 1] ?? 0)}`;
        const condition = `${double} <= ${sparkDialect.number(bound)}${above}${where === undefined ? '' : ` AND ${where}`}`;
        return `count_if(${condition})`;
      });
      return `to_json(array(${within.join(', ')}))`;
    },
  },
  quantiles: (double, shares, where) =>
    `to_json(percentile_disc(array(${shares.map((share) => sparkDialect.number(share)).join(', ')})) WITHIN GROUP (ORDER BY ${double}) FILTER (WHERE ${where}))`,
  median: (double) => `median(${double})`,
  luhnHolds(text) {
    // As in `luhn.ts`, in the words of this engine.
    const padded = `lpad(regexp_replace(${text}, '[^0-9]', ''), 20, '0')`;
    const half = (index: 1 | 2): string => `regexp_replace(${padded}, '([0-9])([0-9])', '$${index}')`;
    const digits = `concat(translate(${half(1)}, '0123456789', '0246813579'), ${half(2)})`;
    return `(aggregate(split(${digits}, ''), 0, (sum, digit) -> sum + CAST(digit AS INT)) % 10 = 0)`;
  },
  pick: (place, values) =>
    `get(array(${values.map((value) => `CAST(${value === null ? 'NULL' : `'${value}'`} AS DOUBLE)`).join(', ')}), ${place})`,
  wholeNumber: (double) => `CAST(${double} AS BIGINT)`,
  // Sums of its integers overflow, and those of its decimals take several times as long as two of integers.
  sumOfIntegers(integer) {
    const long = `CAST(${integer} AS BIGINT)`;
    const [high, low] = [`sum(shiftright(${long}, ${LOW_BITS}))`, `sum(${long} & ${2 ** LOW_BITS - 1})`];
    return `(CAST(${high} AS DECIMAL(38, 0)) * ${2 ** LOW_BITS} + CAST(${low} AS DECIMAL(38, 0)))`;
  },
  hash: (texts) => `md5(concat_ws(chr(31), ${texts.join(', ')}))`,
  byteOrder: (text) => text,
  frequencies: sparkFrequencies,
  mostFrequent: ({ relation, by, value, count, limit, shownCharacters }) => ({
    relation: `(SELECT *, row_number() OVER (PARTITION BY ${by.join(', ')} ORDER BY ${count} DESC, ${value}) AS rank FROM ${relation}) AS ranked`,
    list: sparkRankedList({ value: `left(${value}, ${shownCharacters})`, count, where: `rank <= ${limit}` }),
  }),
};

function wholeOf(double: string, whole: string): string {
  return `(CASE WHEN abs(${double}) < ${WHOLE_FROM} THEN CAST(${whole} AS DOUBLE) ELSE ${double} END)`;
}

/** Spark has no infinite times: it shows what files write for them as the last days and microseconds that it can hold. */
function isFiniteTime(sql: string, type: 'DATE' | 'TIMESTAMP'): string {
  return type === 'DATE'
    ? `unix_date(${sql}) BETWEEN ${-INFINITE_DAYS + 1} AND ${INFINITE_DAYS - 1}`
    : `unix_micros(CAST(${sql} AS TIMESTAMP)) BETWEEN ${-INFINITE_MICROSECONDS + 1n} AND ${INFINITE_MICROSECONDS - 1n}`;
}

/** Years beyond 9999 have a sign, and those before the first are negative; elsewhere the former have none and the latter are marked at the end. */
function textOfTime(sql: string, type: 'DATE' | 'TIMESTAMP'): string {
  const text = sparkDialect.castText(sql);
  const years = `lpad(CAST(1 - year(${sql}) AS STRING), 4, '0')`;
  const finite = `${isFiniteTime(sql, type)} THEN CASE WHEN ${sql} >= '0001-01-01' THEN trim(LEADING '+' FROM ${text}) ELSE concat(regexp_replace(${text}, '^-?[0-9]+', ${years}), ' BC') END`;
  return `CASE WHEN ${finite} WHEN ${sql} > '0001-01-01' THEN 'infinity' WHEN ${sql} IS NOT NULL THEN '-infinity' END`;
}

/** Java writes `1.25E7` and `1.0E-4`; elsewhere these are `12500000` and `0.0001`, and exponents have a sign and two digits. */
function textOfFraction(double: string): string {
  const text = sparkDialect.castText(double);
  const plain = `trim(TRAILING '.' FROM trim(TRAILING '0' FROM CAST(CAST(${text} AS DECIMAL(38, 20)) AS STRING)))`;
  const signed = `regexp_replace(replace(lower(${text}), '.0e', 'e'), 'e([0-9])', 'e+$1')`;
  const exponent = `regexp_replace(${signed}, 'e([+-])([0-9])$', 'e$10$2')`;
  return `CASE WHEN abs(${double}) >= 1e-4 AND abs(${double}) < 1e15 THEN ${plain} ELSE ${exponent} END`;
}
