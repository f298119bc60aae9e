// SPDX-License-Identifier: Apache-2.0
/** Each function and form of the expression language, by Spark and by DuckDB, over the same values: one statement of each. */
import { DuckDBInstance } from '@duckdb/node-api';
import { systemClock } from '@sextant/foundation-std';
import { missingSpark, openSparkForTests } from '@sextant/observability-connectors/spark-for-tests';
import { describe, expect, test } from 'vitest';
import type { Dialect } from '../dialect/dialect.ts';
import { duckdbDialect } from '../dialect/duckdb.ts';
import { sparkDialect } from '../dialect/spark.ts';
import { containsPii } from '../pii/pii-condition.ts';
import { parseMetric } from './metric-compiler.ts';
import { columnResolver, compileScalar } from './scalar-compiler.ts';
import { NOW_MS, testColumns } from './sql-engines.conformance.ts';

const missing = missingSpark();

/** Long enough to overflow a stack where a pattern goes back by recursion. */
const LONG = 'ab\n'.repeat(7000);
const ROWS: readonly (readonly (string | null)[])[] = [
  ['abc', 'b', '5', '2.5', 'true', '2026-01-31', '2026-01-31 08:05:09.25'],
  [' Äb c ', '', '-7', '-0.5', 'false', '2024-02-29', '1969-12-31 23:59:59'],
  ["it's \\ $1 \u0024{x}", '$', '9007199254740993', '12345678.25', null, '1500-03-01', '2026-06-07 00:00:00'],
  ['12.5', '1e3', '0', '0.0001', 'true', null, null],
  ['2026-02-29', '2026-01-31T10:00:00+02:00', null, '1e20', 'false', '0001-01-01', '9999-12-31 23:59:59.999999'],
  ['jane@example.com', '4111 1111 1111 1111', '1', '-1234567.5', null, '2026-12-31', '2026-01-01 00:00:00'],
  [LONG, 'a\n', '3', '1e-7', 'true', '2026-01-01', '2026-01-01 12:00:00'],
  [null, null, null, null, null, null, null],
];
const TYPES = ['STRING', 'STRING', 'BIGINT', 'DOUBLE', 'BOOLEAN', 'DATE', 'TIMESTAMP'];
const NAMES = ['t', 'u', 'n', 'x', 'b', 'd', 'ts'];

const EXPRESSIONS = [
  [
    'abs(x)',
    'ceil(x)',
    'floor(x)',
    'trunc(x)',
    'sign(x)',
    'sqrt(x)',
    'exp(x)',
    'ln(x)',
    'log10(x)',
    'power(x, 2)',
    'power(-2, n)',
    'mod(n, 3)',
  ],
  ['round(x)', 'round(x, 2)', 'round(n, -1)', 'x / n', 'x % 2', 'x + n * 2 - 1', '-x'],
  [
    'length(t)',
    'upper(u)',
    'lower(u)',
    'trim(t)',
    'ltrim(t)',
    'rtrim(t)',
    'left(t, 2)',
    'right(t, 2)',
    'substring(t, 2)',
    'substring(t, n, 3)',
  ],
  [
    "replace(t, 'b', '$1')",
    'position(t, u)',
    'contains(t, u)',
    'starts_with(t, u)',
    'ends_with(t, u)',
    "concat(u, '-', n, x, b)",
    "u || '|'",
  ],
  [
    'year(ts)',
    'quarter(d)',
    'month(ts)',
    'day(d)',
    'hour(ts)',
    'minute(ts)',
    'second(ts)',
    'dayofweek(d)',
    'unix_timestamp(ts)',
    'datediff(ts, d)',
  ],
  [
    'date_add(d, n)',
    'date_sub(d, 1.9)',
    'to_date(ts)',
    'now()',
    'CAST(u AS TIMESTAMP)',
    'CAST(t AS DATE)',
    'CAST(t AS DOUBLE)',
    'CAST(u AS DOUBLE)',
  ],
  ['CAST(x AS TEXT)', 'CAST(n AS TEXT)', 'CAST(b AS TEXT)', 'CAST(d AS TEXT)', 'CAST(b AS DOUBLE)', "CAST('true' AS BOOLEAN)"],
  ['coalesce(x, n, 0)', 'nullif(n, 5)', 'greatest(x, n)', 'greatest(n)', 'least(d, ts)', "CASE WHEN x > 0 THEN t WHEN b THEN 'b' END"],
  [
    "t LIKE '%b%'",
    "t LIKE '_b%c'",
    String.raw`t LIKE '%\\ %'`,
    "t IN ('abc', u)",
    "t > 'abc'",
    'x BETWEEN 0 AND 3',
    'd IS NULL',
    "d >= '2026-01-01'",
    'NOT b',
  ],
].flat();

type Query = (sql: string) => Promise<readonly (readonly unknown[])[]>;

function compiledBy(dialect: Dialect, sources: readonly string[]) {
  const columnOf = columnResolver(dialect, testColumns(dialect));
  const scope = {
    dialect,
    nowMs: NOW_MS,
    resolve: (name: string) => {
      const found = columnOf(name);
      if (found === undefined) throw new Error(`${name} is no column`);
      return found.value;
    },
  };
  return sources.map((source) => compileScalar(parseMetric(source).expression, scope));
}

async function valuesOf(dialect: Dialect, relation: string, query: Query) {
  const texts = compiledBy(dialect, EXPRESSIONS).map(({ sql, type }) =>
    type === 'number'
      ? dialect.castDouble(sql)
      : type === 'date' || type === 'timestamp'
        ? dialect.epochMs(`CAST(${sql} AS TIMESTAMP)`)
        : dialect.castText(sql),
  );
  const personal = ['t', 'u'].map((name) => containsPii(dialect, name));
  const times = testColumns(dialect)
    .filter(({ data_type: type }) => type === 'DATE' || type === 'TIMESTAMP')
    .map((column) => dialect.text(column.name, column));
  const rows = await query(`SELECT ${[...texts, ...personal, ...times].join(', ')} FROM ${relation} ORDER BY place`);
  return rows.map((row) =>
    Object.fromEntries([...EXPRESSIONS, 'pii of t', 'pii of u', 'text of d', 'text of ts'].map((name, index) => [name, row[index]])),
  );
}

function relationOf(dialect: Dialect, types: readonly string[]): string {
  const rows = ROWS.map(
    (row, place) => `(${[place, ...row.map((value) => (value === null ? 'NULL' : dialect.literal(value)))].join(', ')})`,
  );
  const columns = NAMES.map((name, index) => `CAST(${name} AS ${types[index]}) AS ${name}`);
  return `(SELECT place, ${columns.join(', ')} FROM (VALUES ${rows.join(', ')}) AS v(place, ${NAMES.join(', ')})) AS r`;
}

describe.skipIf(missing !== undefined)(missing === undefined ? 'Spark' : `Spark (skipped: ${missing})`, { timeout: 900_000 }, () => {
  test('computes each expression as DuckDB does', async () => {
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    const connection = await instance.connect();
    const types = TYPES.map((type) => (type === 'STRING' ? 'VARCHAR' : type));
    const expected = await valuesOf(duckdbDialect, relationOf(duckdbDialect, types), async (sql) =>
      (await connection.runAndReadAll(sql)).getRowsJS(),
    );
    connection.closeSync();
    instance.closeSync();
    await using session = await openSparkForTests(systemClock);
    const found = await valuesOf(sparkDialect, relationOf(sparkDialect, TYPES), (sql) => session.query(sql));
    expect(found).toHaveLength(ROWS.length);
    expect(found[0]).toMatchObject({ 'length(t)': 3, 'upper(u)': 'B', 'x BETWEEN 0 AND 3': 'true', 'pii of t': false });
    for (const [place, values] of expected.entries()) {
      for (const [expression, value] of Object.entries(values)) {
        const same = found[place]?.[expression];
        const what = `${expression} of row ${place}`;
        if (typeof value === 'number' && typeof same === 'number')
          expect(Math.abs(same - value), what).toBeLessThanOrEqual(1e-12 * Math.abs(value));
        else expect(same, what).toEqual(value);
      }
    }
  });

  test('knows days beyond all timestamps as the other engines do', async () => {
    // 7 May 300000, a Sunday.
    const days = 108_853_349;
    const sources = ['year(d)', 'quarter(d)', 'month(d)', 'day(d)', 'dayofweek(d)', 'unix_timestamp(d)', 'datediff(d, ts)', 'hour(d)'];
    await using session = await openSparkForTests(systemClock);
    const relation = `(SELECT date_from_unix_date(${days}) AS d, TIMESTAMP '1970-01-02 00:00:00' AS ts)`;
    const [row = []] = await session.query(
      `SELECT ${compiledBy(sparkDialect, sources)
        .map(({ sql }) => sql)
        .join(', ')} FROM ${relation}`,
    );
    expect(row).toEqual([300_000, 2, 5, 7, 1, days * 86_400, days - 1, null]);
  });
});
