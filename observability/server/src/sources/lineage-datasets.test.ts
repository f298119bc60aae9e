// SPDX-License-Identifier: Apache-2.0
import type { Asset, Connection } from '@sextant/contracts-observability';
import { expect, test } from 'vitest';
import { assetsByDataset } from './lineage-datasets.ts';

const time = '2026-01-01T00:00:00.000Z';

function connection(id: number, payload: Connection['payload']): Connection {
  const shown = {
    project_id: 0,
    name: 'db',
    scope: 'GLOBAL',
    created_by: 'ada',
    created_at: time,
    db_type: null,
    scannable: true,
  } as const;
  return { ...shown, id, type: 'POSTGRESQL', payload };
}

function asset(id: string, more: Partial<Asset>): Asset {
  const rest = { options: {}, payload: {}, connection_id: null, db_type: null, tags: [], webhook_url: null };
  return { id, project_id: 0, name: id, description: null, type: 'UPLOAD', ...rest, created_by: 'ada', created_at: time, ...more };
}

const table = (id: string, connection_id: number, name: string) =>
  asset(id, { type: 'POSTGRESQL', connection_id, payload: { schema: 'public', table: name } });

const assetOf = assetsByDataset(
  [
    table('orders', 1, 'orders'),
    table('elsewhere', 2, 'orders'),
    table('twice', 1, 'fees'),
    table('again', 1, 'fees'),
    asset('file', { tags: ['finance', 'openlineage:s3://lake raw/orders'] }),
  ],
  [connection(1, { host: 'db', database: 'shop' }), connection(2, { host: 'db', port: 5433, database: 'shop' })],
);

test.each([
  ['postgres://db:5432', 'shop.public.orders', 'orders'],
  ['postgres://db:5433', 'shop.public.orders', 'elsewhere'],
  ['s3://lake', 'raw/orders', 'file'],
  ['postgres://db:5432', 'shop.public.fees', undefined],
  ['postgres://db:5432', 'shop.sales.orders', undefined],
])('the dataset %s %s is %s', (namespace, name, id) => {
  expect(assetOf({ namespace, name })?.id).toBe(id);
});
