// SPDX-License-Identifier: Apache-2.0
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { parsedSelect } from '../engine/duckdb/tenant-select.ts';
import { type ColumnsOfTable, selectColumns } from './select-columns.ts';

const connection = await (await DuckDBInstance.create(':memory:')).connect();

/** Each column as `schema.table.column` of its sources; null for what is unknown. */
async function columnsOf(sql: string, columnsOfTable?: ColumnsOfTable) {
  const columns = selectColumns(JSON.parse(await parsedSelect(connection, sql)), columnsOfTable);
  return columns?.map(({ sources }) => sources?.map(({ schema, table, column }) => `${schema}.${table}.${column}`) ?? null);
}

test('columns come from those that their expressions name, whatever filters and joins the rows', async () => {
  const sql = ` SELECT o.id, ((o.price * (2)::numeric) + o.fee)::numeric(10,2) AS total, lower((c.name)::text) AS name, now() AS at,
    CASE WHEN (o.paid IS NULL) THEN 'open'::text ELSE 'paid'::text END AS state, COALESCE(o.a, o.b) AS c, (o.j ->> 'x'::text) AS x, sum(o.q) AS q
    FROM (shop.orders o JOIN shop.customers c ON ((c.id = o.customer_id))) WHERE (o.size > 1) GROUP BY o.id ORDER BY o.day;`;
  const of = (...names: readonly string[]) => names.map((name) => `shop.orders.${name}`);
  expect(await columnsOf(sql)).toEqual([
    of('id'),
    of('price', 'fee'),
    ['shop.customers.name'],
    [],
    of('paid'),
    of('a', 'b'),
    of('j'),
    of('q'),
  ]);
});

test('columns are followed through common table expressions, subqueries and unions', async () => {
  const sql = `WITH clean AS (SELECT price AS amount, 1 AS one FROM shop.orders)
    SELECT clean.amount, l.n FROM clean, (SELECT t.name AS n FROM shop.customers t) l UNION ALL SELECT r.amount, r.kind FROM shop.refunds r`;
  expect(await columnsOf(sql)).toEqual([
    ['shop.orders.price', 'shop.refunds.amount'],
    ['shop.customers.name', 'shop.refunds.kind'],
  ]);
});

test.each([
  ['of a table without a schema', 'SELECT t.a FROM t'],
  ['that two tables could have', 'SELECT a FROM s.t, s.u'],
  ['of a subquery within an expression', 'SELECT (SELECT max(u.a) FROM s.u) AS a FROM s.t'],
  ['that counts rows', 'SELECT count(*) AS a FROM s.t'],
  ['of a window', 'SELECT row_number() OVER (ORDER BY t.a) AS a FROM s.t'],
  ['of a function that makes rows', 'SELECT g.a FROM generate_series(1, 2) AS g(a)'],
  ['under a new name by its place', 'SELECT x.a FROM s.t AS x(a)'],
  ['of values', 'SELECT v.a FROM (VALUES (1)) AS v(a)'],
  ['of a whole row', 'SELECT s.t.a FROM s.t'],
  ['that one half of a union does not tell', 'SELECT t.a FROM s.t UNION SELECT u.a FROM u'],
])('a column %s is unknown', async (_, sql) => {
  expect(await columnsOf(sql)).toEqual([null]);
});

test.each([
  ['SELECT * FROM s.t'],
  ['WITH RECURSIVE r AS (SELECT a FROM s.t UNION ALL SELECT a FROM r) SELECT * FROM r'],
  ['DELETE FROM s.t'],
  ['SELECT a FROM s.t; SELECT b FROM s.t'],
  ['SELECT'],
])('of %.40s nothing is known', async (sql) => {
  expect(await columnsOf(sql)).toBeUndefined();
});

const COLUMNS: { readonly [table: string]: readonly string[] } = { t: ['a', 'b'], u: ['c'] };

test('a star stands for the columns that are known of each relation', async () => {
  const sql = `WITH source AS (SELECT * FROM d.s.t), renamed AS (SELECT a AS x, source.* FROM source) SELECT r.*, u.* FROM renamed r, d.s.u`;
  expect(await columnsOf(sql, ({ table }) => COLUMNS[table])).toEqual([['s.t.a'], ['s.t.a'], ['s.t.b'], ['s.u.c']]);
});

test.each([
  'SELECT * FROM s.t, s.w',
  'SELECT * FROM s.t JOIN s.u USING (a)',
  'SELECT * FROM s.t NATURAL JOIN s.u',
  'SELECT * EXCLUDE (a) FROM s.t',
  'SELECT * REPLACE (1 AS a) FROM s.t',
  'SELECT x.* FROM s.t',
  "SELECT COLUMNS('a') FROM s.t",
])('what %s stands for is not known', async (sql) => {
  expect(await columnsOf(sql, ({ table }) => COLUMNS[table])).toBeUndefined();
});

test('stars of stars end at a number of columns', async () => {
  const steps = Array.from({ length: 60 }, (_, index) => `c${index + 1} AS (SELECT *, * FROM c${index})`);
  const sql = `WITH c0 AS (SELECT * FROM s.t), ${steps.join(', ')} SELECT * FROM c60`;
  expect(await columnsOf(sql, ({ table }) => COLUMNS[table])).toBeUndefined();
});
