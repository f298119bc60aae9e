// SPDX-License-Identifier: Apache-2.0
/** The service as a process of its own: started, killed, started again. */
import { join } from 'node:path';
import { type ChildServer, startServer, temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';

const ENTRY = join(import.meta.dirname, 'main.ts');
const PASSWORD = 'Correct-Horse-42';

function start(directory: string, environment: { readonly [name: string]: string } = {}): Promise<ChildServer> {
  const settings = {
    OBSERVABILITY_DATA_DIR: directory,
    OBSERVABILITY_PORT: '0',
    OBSERVABILITY_ADMIN_PASSWORD: PASSWORD,
    DATABASE_URL: undefined,
  };
  return startServer({ entry: ENTRY, environment: { ...settings, ...environment } });
}

async function login({ client }: ChildServer): Promise<{ readonly headers: { readonly [name: string]: string } }> {
  const body = { grant_type: 'password', username: 'admin@localhost', password: PASSWORD };
  const reply = await client.request('POST', '/auth/token', body);
  expect(reply.status).toBe(200);
  return { headers: { authorization: `Bearer ${(reply.body as { access_token: string }).access_token}` } };
}

test('a scan that was killed with its process runs again after the start, and SIGTERM ends the process in order', async () => {
  await using directory = await temporaryDirectory();
  await using first = await start(directory.path);
  await expect(start(directory.path)).rejects.toThrow('choose another directory with OBSERVABILITY_DATA_DIR');
  const options = await login(first);
  const rows = Array.from({ length: 2000 }, (_, index) => `${index},name ${index % 1000},${index / 7}`).join('\n');
  const bytes = Buffer.from(`id,name,amount\n${rows}\n`);
  const upload = await first.client.request('POST', '/default/uploads?name=large.csv', bytes, options);
  const { payload } = upload.body as { payload: object };
  const path = '/api/backend/default/configuration/projects/0/assets';
  const asset = await first.client.request('POST', path, { name: 'large', type: 'UPLOAD', payload }, options);
  const { id } = asset.body as { id: string };
  await first.client.request('PUT', `/api/backend/default/configuration/assets/${id}/attributes`, { all: true }, options);
  const job = await first.client.request('POST', `/default/assets/${id}/batch_data`, {}, options);
  const { job_id } = job.body as { job_id: string };
  await statusOf(first, job_id, options, ['IN_PROGRESS', 'FINISHED']);
  await first.kill();
  await using second = await start(directory.path);
  expect(await statusOf(second, job_id, options, ['FINISHED', 'FAILED'])).toBe('FINISHED');
  const metrics = await second.client.request('GET', `/default/metrics?asset_id=${id}&metric_name=RECORD_COUNT`, undefined, options);
  expect(metrics.body).toMatchObject([{ value: 2000, job_id }]);
  await second.stop();
});

test('a database that cannot be reached is reported in a sentence', async () => {
  await using directory = await temporaryDirectory();
  const database = { DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/none' };
  await expect(start(directory.path, database)).rejects.toThrow('DATABASE_URL cannot be reached');
});

async function statusOf({ client }: ChildServer, jobId: string, options: object, wanted: readonly string[]): Promise<string> {
  for (;;) {
    const { body } = await client.request('GET', `/api/backend/default/jobs/${jobId}`, undefined, options);
    const { status } = body as { status: string };
    if (wanted.includes(status)) return status;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
