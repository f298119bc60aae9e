// SPDX-License-Identifier: Apache-2.0
/** Over HTTP: which engine a scan of a file takes, and what its job says of it. */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../testing/test-service.ts';

const PROJECT = '/api/backend/default/configuration/projects/0';
const BOUND = 'the limit of 100 above which Spark scans files';
let directory: TemporaryDirectory;
let service: TestService;
let headers: { readonly [name: string]: string };

beforeAll(async () => {
  directory = await temporaryDirectory();
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`COPY (SELECT i AS id FROM range(9) AS r(i)) TO '${join(directory.path, 'plain.parquet')}' (FORMAT parquet)`);
  await connection.run(
    `COPY (SELECT i::UTINYINT AS id FROM range(9) AS r(i)) TO '${join(directory.path, 'unsigned.parquet')}' (FORMAT parquet)`,
  );
  await connection.run(`COPY (SELECT i AS id FROM range(99) AS r(i)) TO '${join(directory.path, 'text.csv')}' (FORMAT csv)`);
  await copyFile(join(directory.path, 'plain.parquet'), join(directory.path, '_hidden.parquet'));
  connection.closeSync();
  instance.closeSync();
  service = await testService({
    environment: { OBSERVABILITY_ALLOWED_DIRECTORIES: directory.path, OBSERVABILITY_SPARK_FROM_BYTES: '100' },
  });
  headers = await service.login();
});
afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  await directory?.[Symbol.asyncDispose]();
});

async function create(what: string, body: object): Promise<string> {
  const reply = await service.call('POST', `${PROJECT}/${what}`, body, headers);
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
  return String((reply.body as { id: unknown }).id);
}

async function scan(path: string, connectionId: string) {
  const asset = await create('assets', { name: path, type: 'FILE', connection_id: Number(connectionId), payload: { path } });
  const { body } = await service.call('POST', `/api/data/default/assets/${asset}/batch_data`, undefined, headers);
  const { status, details } = await service.untilEnded((body as { job_id: string }).job_id, headers);
  return { status, details };
}

test('a large Parquet file goes to the Spark of its project; what Spark would read otherwise stays, and the job says why', async () => {
  const files = await create('connections', { name: 'files', type: 'FILE', payload: { directory: directory.path } });
  const before = await scan('plain.parquet', files);
  expect(before.status).toBe('FINISHED');
  // Without a Spark there is no choice to speak of.
  expect(before.details).not.toContain('Scanned by');
  await create('connections', { name: 'lake', type: 'SPARK', payload: { local: true } });
  // The operator of this service lets it start none: that it is asked for one shows where the scan went.
  expect(await scan('plain.parquet', files)).toEqual({
    status: 'FAILED',
    details: expect.stringContaining('OBSERVABILITY_SPARK_MEMORY_MB'),
  });
  for (const [path, why] of [
    ['unsigned.parquet', 'column id has a type that Spark reads as another'],
    ['text.csv', 'only Parquet files say by themselves how they are read'],
    ['_hidden.parquet', 'the project has no connection of a Spark that sees the file'],
  ] as const) {
    const { status, details } = await scan(path, files);
    expect([status, details]).toEqual(['FINISHED', expect.stringContaining(`Scanned by the service: `)]);
    expect(details).toContain(`bytes are more than ${BOUND}, but ${why}.`);
  }
});
