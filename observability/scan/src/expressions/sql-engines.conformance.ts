// SPDX-License-Identifier: Apache-2.0
/** The two engines that run what is compiled, for suites that each of them has to pass: DuckDB in memory, and a real PostgreSQL. */
import { DuckDBInstance } from '@duckdb/node-api';
import { missingPostgres, sharedPostgres } from '@sextant/foundation-testing';
import type { Column } from '@sextant/observability-connectors';
import pg from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import type { CompileContext } from '../checks.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { duckdbDialect } from '../dialect/duckdb.ts';
import { postgresqlDialect } from '../dialect/postgresql.ts';

type Query = (sql: string) => Promise<readonly (readonly unknown[])[]>;

/** It answers while tests run. */
export type SqlEngine = { readonly dialect: Dialect; readonly query: Query };

/** Noon of the day before the last of January 2026. */
export const NOW_MS = Date.UTC(2026, 0, 30, 12);

export type TestRow = {
  readonly t: string | null;
  readonly u: string | null;
  readonly n: number | null;
  readonly x: number | null;
  readonly b: boolean | null;
  /** ISO 8601. */
  readonly d: string | null;
  readonly ts: string | null;
};

export const EMPTY_ROW: TestRow = { t: null, u: null, n: null, x: null, b: null, d: null, ts: null };

const SOURCE_TYPES = {
  duckdb: ['VARCHAR', 'BIGINT', 'DOUBLE', 'BOOLEAN', 'DATE', 'TIMESTAMP'],
  postgresql: ['text', 'bigint', 'double precision', 'boolean', 'date', 'timestamp without time zone'],
  spark: ['string', 'bigint', 'double', 'boolean', 'date', 'timestamp'],
} as const;

export function testColumns({ name }: Dialect): readonly Column[] {
  const [text, integer, double, boolean, date, timestamp] = SOURCE_TYPES[name];
  return [
    { name: 't', source_type: text, data_type: 'STRING' },
    { name: 'u', source_type: text, data_type: 'STRING' },
    { name: 'n', source_type: integer, data_type: 'INTEGER' },
    { name: 'x', source_type: double, data_type: 'DECIMAL' },
    { name: 'b', source_type: boolean, data_type: 'BOOLEAN' },
    { name: 'd', source_type: date, data_type: 'DATE' },
    { name: 'ts', source_type: timestamp, data_type: 'TIMESTAMP' },
  ];
}

export function testContext(dialect: Dialect): CompileContext {
  return { dialect, columns: testColumns(dialect), relation: '"rows"', nowMs: NOW_MS };
}

/** (Re)creates the relation `rows`; `row_number` keeps the order. */
export async function fillRows({ dialect, query }: SqlEngine, rows: readonly TestRow[]): Promise<void> {
  const value = (cell: string | number | boolean | null) => (typeof cell === 'string' ? dialect.literal(cell) : String(cell).toUpperCase());
  await query('DROP TABLE IF EXISTS "rows"');
  await query('CREATE TABLE "rows" (row_number INTEGER, t TEXT, u TEXT, n BIGINT, x FLOAT8, b BOOLEAN, d DATE, ts TIMESTAMP)');
  const tuples = rows.map(({ t, u, n, x, b, d, ts }, index) => `(${[index, t, u, n, x, b, d, ts].map(value).join(', ')})`);
  await query(`INSERT INTO "rows" VALUES ${tuples.join(', ')}`);
}

/** Calls the suites with DuckDB. */
export function onDuckdb(suites: (engine: SqlEngine) => void): void {
  describe('on DuckDB', () => suites(duckdbEngine()));
}

/** Calls the suites with PostgreSQL, and with DuckDB for what compares the two with one another; skips them where no PostgreSQL is installed. */
export function onPostgresql(suites: (engine: SqlEngine, duckdb: SqlEngine) => void): void {
  const missing = missingPostgres();
  describe.skipIf(missing !== undefined)(`on PostgreSQL${missing === undefined ? '' : ` (skipped: ${missing})`}`, () => {
    suites(engineOf(postgresqlDialect, openPostgresql), duckdbEngine());
  });
}

function duckdbEngine(): SqlEngine {
  return engineOf(duckdbDialect, openDuckdb);
}

type OpenEngine = AsyncDisposable & { readonly query: Query };

function engineOf(dialect: Dialect, open: () => Promise<OpenEngine>): SqlEngine {
  let opened: OpenEngine | undefined;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened?.[Symbol.asyncDispose]());
  return {
    dialect,
    query: async (sql) => {
      if (opened === undefined) throw new Error('the engine is open only while tests run');
      return opened.query(sql);
    },
  };
}

async function openDuckdb(): Promise<OpenEngine> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  return {
    query: async (sql) => (await connection.runAndReadAll(sql)).getRowsJS(),
    [Symbol.asyncDispose]: async () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

async function openPostgresql(): Promise<OpenEngine> {
  const { databaseUrl } = await sharedPostgres();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("SET TimeZone TO 'UTC'");
  return {
    query: async (text) => (await client.query<unknown[]>({ text, rowMode: 'array' })).rows,
    [Symbol.asyncDispose]: () => client.end(),
  };
}
