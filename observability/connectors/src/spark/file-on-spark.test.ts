// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { asFile, fileAddress, isSeenBy } from './file-on-spark.ts';

test.each([
  ['FILE', { directory: '/data' }, 'a/b c.parquet', '/data/a/b c.parquet'],
  ['S3', { bucket: 'lake', region: 'eu-west-1' }, 'a/b.parquet', 's3a://lake/a/b.parquet'],
  ['GCS', { bucket: 'lake' }, 'b.parquet', 'gs://lake/b.parquet'],
  ['AZURE', { bucket: 'lake', storage_account: 'acme' }, 'b.parquet', 'abfss://lake@acme.dfs.core.windows.net/b.parquet'],
  // A bucket of the same name at an address of its own is another one.
  ['S3', { bucket: 'lake', endpoint: 'https://storage.example.com' }, 'b.parquet', undefined],
  ['GCS', { bucket: 'lake', api_endpoint: 'https://storage.example.com' }, 'b.parquet', undefined],
  ['AZURE', { bucket: 'lake', storage_account: 'acme', endpoint: 'https://storage.example.com' }, 'b.parquet', undefined],
  // Spark would read a pattern, or overlook the file.
  ['FILE', { directory: '/data' }, '*.parquet', undefined],
  ['FILE', { directory: '/data' }, 'a{b}.parquet', undefined],
  ['FILE', { directory: '/data' }, '_b.parquet', undefined],
  ['FILE', { directory: '/data' }, '.a/b.parquet', undefined],
  ['UPLOAD', { owner: 'default' }, 'b.parquet', undefined],
])('the address of a file for Spark: %s %j %s', (type, payload, path, address) => {
  expect(fileAddress({ type: type as 'FILE', payload }, path)).toBe(address);
});

test('a Spark on this machine sees its files, one elsewhere sees object stores', () => {
  const [local, remote] = [{ payload: { local: true } }, { payload: { host: 'spark.example.com' } }];
  expect([isSeenBy(local, 'FILE'), isSeenBy(local, 'S3'), isSeenBy(remote, 'FILE'), isSeenBy(remote, 'S3')]).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

test('a file of another size at the same address is refused', async () => {
  await using opened = {
    description: { columns: [], modified_at: null, bytes: 7 },
    data: { kind: 'spark', connect: { query: async () => [] }, view: 'v' } as const,
    confirmUnchanged: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
  expect(() => asFile(opened, { columns: [], modified_at: null, bytes: 8 })).toThrow(
    'Spark sees a file of 7 bytes, but the connection a file of 8 bytes: Spark reads another file, or the file is changing',
  );
  const [int] = asFile(
    { ...opened, description: { ...opened.description, bytes: 8, columns: [{ name: 'a', source_type: 'int', data_type: 'INTEGER' }] } },
    { columns: [], modified_at: null, bytes: 8 },
  ).description.columns;
  expect(int).toEqual({ name: 'a', source_type: 'INTEGER', data_type: 'INTEGER' });
});
