// SPDX-License-Identifier: Apache-2.0
import type { Asset, Connection } from '@sextant/contracts-observability';
import { expect, test } from 'vitest';
import { dbtModels } from './dbt-manifest.ts';

const connection = (id: number, database: string) =>
  ({ id, type: 'POSTGRESQL', payload: { host: 'db', database } }) as unknown as Connection;
const table = (id: string, connectionId: number, payload: object) =>
  ({ id, connection_id: connectionId, payload, tags: [] }) as unknown as Asset;
const node = (name: string, more: object = {}) => ({ resource_type: 'model', database: 'shop', schema: 'public', name, ...more });
const manifest = {
  nodes: {
    report: node('report', { depends_on: { nodes: ['orders', 'report'] } }),
    orders: node('orders_v2', { alias: 'orders' }),
  },
};

test('a model is the table of its database, schema and alias, and no parent of itself', () => {
  const assets = [
    table('r', 1, { table: 'report' }),
    table('o', 1, { schema: 'public', table: 'orders' }),
    table('q', 1, { table: 'orders', query: 'SELECT 1' }),
  ];
  const { models, unknown } = dbtModels(manifest, assets, [connection(1, 'shop')]);
  expect(models.map(({ assetId, parents }) => [assetId, parents])).toEqual([
    ['r', ['o']],
    ['o', []],
  ]);
  expect(unknown).toEqual([]);
});

test('a table of another database, and one that two assets have, is nobody\u2019s', () => {
  const assets = [table('r', 1, { table: 'report' }), table('r2', 2, { table: 'report' }), table('o', 3, { table: 'orders' })];
  const connections = [connection(1, 'shop'), connection(2, 'shop'), connection(3, 'elsewhere')];
  expect(dbtModels(manifest, assets, connections)).toEqual({ models: [], unknown: ['report', 'orders'] });
});

test('two tables of one name in different databases are parents, and neither is the table of the SQL', () => {
  const two = {
    nodes: {
      report: node('report', { depends_on: { nodes: ['here', 'there', 'nowhere'] } }),
      here: node('orders'),
      there: { ...node('orders'), database: 'archive' },
      nowhere: node('fees'),
    },
  };
  const assets = [table('r', 1, { table: 'report' }), table('h', 1, { table: 'orders' }), table('t', 2, { table: 'orders' })];
  const [model] = dbtModels(two, assets, [connection(1, 'shop'), connection(2, 'archive')]).models;
  expect(model?.parents.toSorted()).toEqual(['h', 't']);
  expect([...(model?.tables ?? [])]).toEqual([
    ['["public","fees"]', undefined],
    ['["public","orders"]', undefined],
  ]);
});
