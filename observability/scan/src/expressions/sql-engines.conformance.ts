// SPDX-License-Identifier: Apache-2.0
/** Both real engines, for tests that compare both with one answer: DuckDB in memory, and PostgreSQL where one is installed. */
import { DuckDBInstance } from '@duckdb/node-api';
import { missingPostgres, temporaryPostgres } from '@sextant/foundation-testing';
import type { Column } from '@sextant/observability-connectors';
import pg from 'pg';
import type { CompileContext } from '../checks.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { duckdbDialect } from '../dialect/duckdb.ts';
import { postgresqlDialect } from '../dialect/postgresql.ts';

export type SqlEngine = AsyncDisposable & {
  readonly dialect: Dialect;
  readonly query: (sql: string) => Promise<readonly (readonly unknown[])[]>;
};

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

export async function openTestEngines(): Promise<AsyncDisposable & { readonly engines: readonly SqlEngine[] }> {
  const engines = [await duckdbEngine(), ...(missingPostgres() === undefined ? [await postgresqlEngine()] : [])];
  return {
    engines,
    [Symbol.asyncDispose]: async () => {
      for (const engine of engines) await engine[Symbol.asyncDispose]();
    },
  };
}

async function duckdbEngine(): Promise<SqlEngine> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  return {
    dialect: duckdbDialect,
    query: async (sql) => (await connection.runAndReadAll(sql)).getRowsJS(),
    [Symbol.asyncDispose]: async () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

async function postgresqlEngine(): Promise<SqlEngine> {
  const server = await temporaryPostgres();
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  await client.query("SET TimeZone TO 'UTC'");
  return {
    dialect: postgresqlDialect,
    query: async (text) => (await client.query<unknown[]>({ text, rowMode: 'array' })).rows,
    [Symbol.asyncDispose]: async () => {
      await client.end();
      await server[Symbol.asyncDispose]();
    },
  };
}
