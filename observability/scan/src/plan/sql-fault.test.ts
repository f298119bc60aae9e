// SPDX-License-Identifier: Apache-2.0
import { readdir } from 'node:fs/promises';
import { temporaryDirectory } from '@sextant/foundation-testing';
import type { Column } from '@sextant/observability-connectors';
import { expect, test } from 'vitest';
import { inProcessOfItsOwn } from '../engine/duckdb/duckdb-engine.ts';
import type { OpenAssetClient } from '../engine/duckdb/messages.ts';
import { onThreadOfTest } from '../testing/engine-on-thread.ts';
import { sqlFaultOfFiles } from './sql-fault.ts';

const COLUMNS: readonly Column[] = [
  { name: 'id', source_type: 'BIGINT', data_type: 'INTEGER' },
  { name: 'price', source_type: 'DOUBLE', data_type: 'DECIMAL' },
  { name: 'Sold On', source_type: 'DATE', data_type: 'DATE' },
  { name: 'name', source_type: 'VARCHAR', data_type: 'STRING' },
  { name: 'parts', source_type: 'STRUCT(weight DOUBLE)[]', data_type: 'OTHER' },
];
const UNSEEN: readonly Column[] = [
  { name: 'total', source_type: 'INT64', data_type: 'INTEGER' },
  { name: 'parts', source_type: 'LIST', data_type: 'OTHER' },
];

async function faultOf(sql: string, columns = COLUMNS, openClient: OpenAssetClient = onThreadOfTest): Promise<string | undefined> {
  await using directory = await temporaryDirectory();
  const options = { temporaryDirectory: directory.path, signal: new AbortController().signal };
  const fault = await sqlFaultOfFiles(sql, columns, options, openClient);
  expect(await readdir(directory.path)).toEqual([]);
  return fault;
}

test.each([
  ['SELECT sum(pricee) FROM asset', /^pricee is not an attribute of the asset; did you mean price\?$/],
  ['SELECT max(asset.prise) FROM asset', /^prise is not an attribute of the asset; did you mean price\?$/],
  ['SELECT sum(turnover) FROM asset', /turnover/],
  ['WITH sums AS (SELECT sum(price) AS whole FROM asset) SELECT hole FROM sums', /hole.*whole/],
  ['SELECT sum(name) FROM asset', /sum/],
  ['SELECT sum(price) FROM asset WHERE "Sold On" > 5', /DATE.*INTEGER|compare/],
  ['SELECT price + parts FROM asset', /\+/],
  ['SELECT max(name) FROM asset', /^the first column of the metric must be a number, but it is of type VARCHAR$/],
  ['SELECT list(price) FROM asset', /must be a number, but it is of type DOUBLE\[\]/],
  ['SELECT max("Sold On"), count(*) FROM asset', /of type DATE/],
  ['SELECT count(*) FROM orders', /may only read the table asset; it names orders/],
  ['SELECT sumof(price) FROM asset', /sumof/],
  ['SELECT count(* FROM asset', /syntax/],
])('refuses %s before a row is read', async (sql, sentence) => {
  expect(await faultOf(sql)).toMatch(sentence);
});

test.each([
  'SELECT sum(price) FROM asset;',
  'SELECT count(*), name FROM asset GROUP BY name -- by name',
  'SELECT NULL FROM asset',
  'SELECT max(part.weight) FROM (SELECT unnest(parts) AS part FROM asset)',
  'SELECT sum(PRICE) FROM asset',
  // What only the rows can tell is the matter of the scan.
  "SELECT sum(CAST(name AS INTEGER)) FROM asset WHERE name <> ''",
  // It would run for ever; it is planned in no time.
  'SELECT count(*) FROM range(1000000000000) AS r, asset',
])('finds nothing wrong with %s', async (sql) => {
  expect(await faultOf(sql)).toBeUndefined();
});

test('a column whose type only a scan can tell is known by its name', async () => {
  expect(await faultOf('SELECT len(parts) FROM asset', UNSEEN)).toBeUndefined();
  expect(await faultOf('SELECT sum(parts) FROM asset', UNSEEN)).toBeUndefined();
  expect(await faultOf('SELECT sum(totall) FROM asset', UNSEEN)).toMatch(/did you mean total\?/);
});

test('it is planned in a process, which a caller that has gone ends', async () => {
  expect(await faultOf('SELECT sum(nosuch) FROM asset', COLUMNS, inProcessOfItsOwn)).toMatch(/nosuch/);
  await using directory = await temporaryDirectory();
  const options = { temporaryDirectory: directory.path, signal: AbortSignal.abort() };
  expect(await sqlFaultOfFiles('SELECT sum(nosuch) FROM asset', COLUMNS, options)).toBeUndefined();
});

test('a type that is no type leaves it to the scan', async () => {
  const of = (source_type: string): Column => ({ name: 'a', source_type, data_type: 'OTHER' });
  expect(await faultOf('SELECT sum(nosuch) FROM asset', [of('STRUCT(of nothing)')])).toBeUndefined();
  expect(await faultOf('SELECT sum(nosuch) FROM asset', [of('STRUCT(a INTEGER)); DROP TABLE asset; --[]')])).toMatch(/nosuch.*a/);
});
