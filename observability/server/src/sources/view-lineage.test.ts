// SPDX-License-Identifier: Apache-2.0
import { type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EvaluationFixture, openEvaluationFixture } from '../testing/evaluation-fixture.ts';
import { rememberedColumns, storeViewLineage } from './view-lineage.ts';

let directory: TemporaryDirectory;
let fixture: EvaluationFixture;

beforeAll(async () => {
  directory = await temporaryDirectory();
  fixture = await openEvaluationFixture(directory.path);
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

const column = (name: string) => ({ name, source_type: 'text', data_type: 'STRING' }) as const;
const from = (table: string, name: string) => ({ schema: 'public', table, column: name });

test('columns come from assets of the same connection, and what a view no longer says is unknown again', async () => {
  const { tenant } = fixture;
  const connection = {
    name: 'db',
    type: 'POSTGRESQL',
    payload: {},
    credential: null,
    scope: 'GLOBAL',
    project_id: 0,
    created_by: 'ada',
  } as const;
  const { id: connection_id } = await tenant.connections.create({ ...connection, db_type: null });
  const place = async (name: string, table: string) => {
    const { id } = await fixture.newAsset(name);
    return tenant.assets.update(id, { type: 'POSTGRESQL', payload: { table }, connection_id });
  };
  const orders = await place('orders', 'orders');
  await place('fees', 'fees');
  await place('fees again', 'fees');
  const view = await place('revenue', 'revenue');
  const columns = ['total', 'currency', 'fee', 'lost', 'n'].map(column);
  const sources = [[from('orders', 'price')], [], [from('fees', 'fee')], [from('orders', 'price'), from('gone', 'x')], undefined];
  await storeViewLineage(tenant, view, { columns, sources });
  expect((await tenant.lineage.get(view.id)).parents).toEqual([orders.id]);
  const total = { attribute: 'total', origin: 'VIEW', sources: [{ asset_id: orders.id, attribute: 'price' }] };
  const currency = { attribute: 'currency', origin: 'VIEW', sources: [] };
  expect(await tenant.columnLineage.list(view.id)).toEqual([currency, total]);
  await storeViewLineage(tenant, view, { columns: [column('total'), column('currency')], sources: [[from('orders', 'price')], undefined] });
  expect(await tenant.columnLineage.list(view.id)).toEqual([total]);
  await storeViewLineage(tenant, view, { columns, sources: [] });
  expect(await tenant.columnLineage.list(view.id)).toEqual([total]);
  await storeViewLineage(tenant, orders, { columns: [column('price')], sources: [[from('revenue', 'total')]] });
  expect(await tenant.columnLineage.list(orders.id)).toEqual([]);
});

test('a view is parsed once', async () => {
  const read: string[] = [];
  const columnsOf = rememberedColumns(async (sql) => {
    read.push(sql);
    return [];
  });
  const options = { temporaryDirectory: directory.path, signal: new AbortController().signal };
  for (const sql of ['SELECT 1', 'SELECT 2', 'SELECT 1']) expect(await columnsOf(sql, options)).toEqual([]);
  for (let number = 3; number < 300; number += 1) await columnsOf(`SELECT ${number}`, options);
  await columnsOf('SELECT 1', options);
  expect(read.filter((sql) => sql === 'SELECT 1')).toHaveLength(2);
});
