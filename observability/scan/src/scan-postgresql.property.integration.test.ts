// SPDX-License-Identifier: Apache-2.0
import { missingPostgres, roundsOf, type TemporaryPostgres, temporaryPostgres } from '@sextant/foundation-testing';
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

const missing = missingPostgres();
let server: TemporaryPostgres;
let client: pg.Client;

beforeAll(async () => {
  if (missing !== undefined) return;
  server = await temporaryPostgres();
  client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  await client.query("SET TimeZone = 'UTC'");
});
afterAll(async () => {
  if (missing !== undefined) return;
  await client.end();
  await server[Symbol.asyncDispose]();
});

/** The table lives as long as the source. */
async function openTable({ columns, rows }: Table): Promise<OpenedSource> {
  const { identifier } = postgresqlDialect;
  const table = 'scanned "table"; 1';
  await client.query(
    `CREATE TABLE ${identifier(table)} (${columns.map(({ name, postgresqlType }) => `${identifier(name)} ${postgresqlType}`).join(', ')})`,
  );
  const insert = `INSERT INTO ${identifier(table)} VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})`;
  for (const row of rows) await client.query(insert, [...row]);
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
