// SPDX-License-Identifier: Apache-2.0
import { missingPostgres, sharedPostgres } from '@sextant/foundation-testing';
import type { Column, PostgresRelation } from '@sextant/observability-connectors';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sqlFaultInPostgresql } from './sql-fault.ts';

const COLUMNS: readonly Column[] = [
  { name: 'price', source_type: 'double precision', data_type: 'DECIMAL' },
  { name: 'name', source_type: 'text', data_type: 'STRING' },
];
const missing = missingPostgres();
let client: pg.Client;

beforeAll(async () => {
  if (missing !== undefined) return;
  const { databaseUrl } = await sharedPostgres();
  client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("CREATE TABLE orders AS SELECT 1.5::float8 AS price, 'Ann'::text AS name");
  // Whoever reads a row of it fails.
  await client.query('CREATE VIEW unread AS SELECT price, CAST(CAST(name AS integer) AS text) AS name FROM orders');
});
afterAll(async () => {
  if (missing === undefined) await client.end();
});

const VIEW: PostgresRelation = { kind: 'table', schema: 'public', table: 'unread' };

function faultOf(sql: string, relation = VIEW): Promise<string | undefined> {
  const connect = { query: async (text: string) => (await client.query({ text, rowMode: 'array' })).rows };
  const { signal } = new AbortController();
  return sqlFaultInPostgresql(sql, COLUMNS, { source: { connect, relation }, signal });
}

describe.skipIf(missing !== undefined)(missing === undefined ? 'PostgreSQL' : `PostgreSQL (skipped: ${missing})`, () => {
  test.each([
    ['SELECT sum(pricee) FROM asset', /^pricee is not an attribute of the asset; did you mean price\?$/],
    ['SELECT max(asset.prise) FROM asset', /^prise is not an attribute of the asset; did you mean price\?$/],
    ['SELECT sum(name) FROM asset', /function sum\(text\) does not exist/],
    ["SELECT sum(price) FROM asset WHERE price > 'cheap'", /invalid input syntax for type double precision/],
    ['SELECT max(name) FROM asset', /^the first column of the metric must be a number, but it is of type text$/],
    ['SELECT array_agg(price) FROM asset', /of type double precision\[\]/],
    ['SELECT count(*) FROM nosuch', /nosuch/],
    ['SELECT count(* FROM asset', /syntax error/],
  ])('refuses %s before a row is read', async (sql, sentence) => {
    expect(await faultOf(sql)).toMatch(sentence);
  });

  test.each([
    'SELECT sum(price) FROM asset;',
    'SELECT count(*), name FROM asset GROUP BY name -- by name',
    'SELECT sum(length(name)) FROM asset',
    'SELECT count(*) FROM generate_series(1, 1000000000000), asset',
  ])('finds nothing wrong with %s', async (sql) => {
    expect(await faultOf(sql)).toBeUndefined();
    expect(await faultOf(sql, { kind: 'query', sql: 'SELECT * FROM unread -- all of it' })).toBeUndefined();
  });

  test('a connection that breaks leaves it to the scan', async () => {
    const connect = { query: () => Promise.reject(new Error('connection terminated')) };
    const source = { connect, relation: VIEW };
    expect(
      await sqlFaultInPostgresql('SELECT sum(nosuch) FROM asset', COLUMNS, { source, signal: new AbortController().signal }),
    ).toBeUndefined();
  });
});
