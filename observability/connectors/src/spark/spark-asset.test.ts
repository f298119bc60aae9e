// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { sparkAssetOf } from './spark-asset.ts';

test.each([
  [{ path: '/data/orders', format: 'parquet' }, { kind: 'path', path: '/data/orders', format: 'parquet', options: {} }, undefined],
  [
    { path: 's3a://lake/orders', format: 'DELTA', version: 3 },
    { kind: 'path', path: 's3a://lake/orders', format: 'delta', options: {} },
    { kind: 'version', version: '3' },
  ],
  [
    { path: 'hdfs://name:8020/a.csv', format: 'csv', options: { Header: false, sep: ';' } },
    { kind: 'path', path: 'hdfs://name:8020/a.csv', format: 'csv', options: { header: 'false', sep: ';' } },
    undefined,
  ],
  [
    { path: '/a', format: 'iceberg', version: '8270633197658268308' },
    { kind: 'path', path: '/a', format: 'iceberg', options: {} },
    { kind: 'version', version: '8270633197658268308' },
  ],
  [{ table: 'orders' }, { kind: 'table', name: ['orders'] }, undefined],
  [
    { table: 'glue.sales.`the.orders`', timestamp: '2026-01-31T08:00:00' },
    { kind: 'table', name: ['glue', 'sales', 'the.orders'] },
    { kind: 'timestamp', timestamp: '2026-01-31 08:00:00' },
  ],
])('%j is read', (payload, data, asOf) => {
  expect(sparkAssetOf(payload)).toEqual({ data, asOf });
});

test.each([
  [{}, 'payload.path', /either payload.path, with payload.format, or payload.table/],
  [{ path: '/a', table: 'b' }, 'payload.table', /either/],
  [{ path: '/a' }, 'payload.format', /format is missing; expected one of parquet, orc/],
  [{ path: '/a', format: 'xls' }, 'payload.format', /format is xls/],
  [{ path: 'orders', format: 'csv' }, 'payload.path', /must be absolute/],
  [{ path: '/a', format: 'csv', version: 1 }, 'payload.format', /for delta and iceberg, and the format is csv/],
  [{ path: '/a', format: 'delta', version: 1, timestamp: '2026-01-01' }, 'payload.version', /either payload.version or/],
  [{ path: '/a', format: 'delta', version: -1 }, 'payload.version', /an integer/],
  [{ table: 'a', timestamp: "2026-01-01' OR" }, 'payload.timestamp', /date or date-time/],
  [{ path: '/a', format: 'csv', options: { path: '/etc' } }, 'payload.options', /path is not a reading option/],
  [{ path: '/a', format: 'csv', options: { sep: 1 } }, 'payload.options', /must be a string/],
  [{ path: '/a', format: 'csv', options: [] }, 'payload.options', /must be an object/],
  [{ table: 'a..b' }, 'payload.table', /must be a name/],
  [{ table: '`a' }, 'payload.table', /must be a name/],
  [{ table: 'a.b.c.d.e' }, 'payload.table', /must be a name/],
])('%j is refused at %s', (payload, member, sentence) => {
  expect(() => sparkAssetOf(payload)).toThrow(expect.objectContaining({ member, message: expect.stringMatching(sentence) }));
});
