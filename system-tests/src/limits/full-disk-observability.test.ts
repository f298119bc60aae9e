/** The observability service on a full disk: what is stored is read, writes are refused with 507 and the word disk, and go on by themselves. */
import { type ChildServer, openSmallDisk, type SmallDisk, smallDiskProblem } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { observabilityApi } from '../observability/observability-api.ts';
import { ADMIN, adminApi, startObservabilityServer } from '../observability/observability-server.ts';

const MIB = 1024 * 1024;
const problem = smallDiskProblem();
const serverOn = (disk: SmallDisk) => startObservabilityServer({ directory: `${disk.path}/data` });

async function readOnly({ client }: ChildServer): Promise<string> {
  const { status, body } = await client.request('GET', '/readyz');
  expect(status).toBe(200);
  return (body as { readonly read_only?: string }).read_only ?? '';
}

test.runIf(problem !== undefined)(`tests of a full disk are skipped: ${problem}`, () => undefined);

test.skipIf(problem !== undefined)('a full disk refuses writes in words, lets people read, and needs no restart', async () => {
  using disk = openSmallDisk(64 * MIB);
  let key = '';
  {
    await using server = await serverOn(disk);
    const api = await adminApi(server);
    ({ key } = await api.call('create_api_key', {}, { body: { name: 'reader' } }));
    await api.call('create_project', {}, { body: { name: 'kept' } });
    disk.fill();
    await expect.poll(() => readOnly(server)).toContain('disk');
    for (const send of [
      () => api.call('create_project', {}, { body: { name: 'refused' } }),
      () => api.call('create_upload', {}, { query: { name: 'a.csv' }, body: Buffer.from('a,b\n1,2\n') }),
      () => api.call('create_api_key', {}, { body: { name: 'refused' } }),
    ]) {
      await expect(send()).rejects.toThrow(/answered 507.*disk/);
    }
    expect(String((await server.client.request('GET', '/metrics')).body)).toMatch(/^disk_full 1$/m);
    expect(await api.call('list_projects', {})).toHaveLength(2);
    disk.empty();
    await expect.poll(() => readOnly(server)).toBe('');
    await api.call('create_project', {}, { body: { name: 'later' } });
    await server.stop();
  }
  disk.fill();
  await using server = await serverOn(disk);
  expect(await readOnly(server)).toContain('disk');
  expect(server.log.some((line) => line.includes('"level":"warn"') && line.includes('the disk is full'))).toBe(true);
  const reader = observabilityApi(server.client, { tenant: ADMIN.tenant, headers: { 'X-TLM-Key': key } });
  expect(await reader.call('list_projects', {})).toHaveLength(3);
  await expect(serverOn(disk)).rejects.toThrow(`is in use by process ${server.pid}`);
  // Not even a session can be stored; that is reported as what it is.
  await expect(adminApi(server)).rejects.toThrow(/answered 507.*disk/);
  disk.empty();
  await expect.poll(() => readOnly(server)).toBe('');
  const api = await adminApi(server);
  await api.call('create_project', {}, { body: { name: 'last' } });
  expect(await api.call('list_projects', {})).toHaveLength(4);
  await server.stop();
});
