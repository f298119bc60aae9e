// SPDX-License-Identifier: Apache-2.0
import { missingPostgres, roundsOf, sharedPostgres } from '@sextant/foundation-testing';
import type { Column, OpenedSource, PostgresAccess } from '@sextant/observability-connectors';
import pg from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import { postgresqlDialect } from './dialect/postgresql.ts';
import {
  checkCombinations,
  checkCombinedMoves,
  checkExplanations,
  checkMetricFaults,
  checkScans,
  checkSegmentMoves,
} from './scan.conformance.ts';
import type { Table } from './testing/table-arbitraries.ts';

/** A statement has at most 65,535 parameters. */
const ROWS_OF_INSERT = 1000;

const missing = missingPostgres();
let client: pg.Client;

beforeAll(async () => {
  if (missing !== undefined) return;
  const { databaseUrl } = await sharedPostgres();
  client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("SET TimeZone = 'UTC'");
});
afterAll(async () => {
  if (missing === undefined) await client.end();
});

/** The table lives as long as the source. */
async function openTable({ columns, rows }: Table): Promise<OpenedSource> {
  const { identifier } = postgresqlDialect;
  const table = 'scanned "table"; 1';
  await client.query(
    `CREATE TABLE ${identifier(table)} (${columns.map(({ name, postgresqlType }) => `${identifier(name)} ${postgresqlType}`).join(', ')})`,
  );
  for (let from = 0; from < rows.length; from += ROWS_OF_INSERT) {
    const some = rows.slice(from, from + ROWS_OF_INSERT);
    const values = some.map((row, at) => `(${row.map((_, index) => `$${at * row.length + index + 1}`).join(', ')})`);
    await client.query(`INSERT INTO ${identifier(table)} VALUES ${values.join(', ')}`, some.flat());
  }
  const connect: PostgresAccess = {
    query: async (text) => (await client.query({ text, rowMode: 'array' })).rows,
  };
  return {
    description: {
      columns: columns.map(({ name, type, postgresqlType }): Column => ({ name, source_type: postgresqlType, data_type: type })),
      modified_at: null,
      bytes: null,
    },
    data: { kind: 'postgresql', connect, relation: { kind: 'table', schema: 'public', table } },
    confirmUnchanged: () => Promise.resolve(),
    [Symbol.asyncDispose]: async () => {
      await client.query(`DROP TABLE ${identifier(table)}`);
    },
  };
}

describe.skipIf(missing !== undefined)(missing === undefined ? 'PostgreSQL' : `PostgreSQL (skipped: ${missing})`, () => {
  checkExplanations('a PostgreSQL table', openTable);
  checkCombinations('a PostgreSQL table', openTable);
  checkCombinedMoves('a PostgreSQL table', openTable);
  checkMetricFaults('a PostgreSQL table', openTable);
  checkSegmentMoves('a PostgreSQL table', openTable);
  checkScans('a PostgreSQL table', { letters: 'ascii', runs: roundsOf({ quick: 2, long: 40 }), open: openTable });
});
