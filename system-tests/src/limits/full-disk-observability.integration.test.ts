// SPDX-License-Identifier: Apache-2.0
/** The observability service on a full disk: what is stored is read, writes are refused with 507 and the word disk, and go on by themselves. */
import { endpoints, type OperationId } from '@sextant/contracts-observability';
import { seededRandom } from '@sextant/foundation-std';
import { type ChildServer, openSmallDisk, type SmallDisk, smallDiskProblem } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { type SeededTenant, seedTenant } from '../observability/isolation/seeded-tenant.ts';
import { stepOf, take } from '../observability/isolation/walk.ts';
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

/** What a full disk does not refuse beforehand although it is sent: what is only looked at, and what ends work. */
const WITHOUT_ROOM: ReadonlySet<OperationId> = new Set<OperationId>([
  'alerts_by_filters',
  'cancel_job',
  'job_alerts',
  'preview_monitor',
  'preview_ticket',
  'test_connection',
  'test_project_connection',
  'test_tracker_connection',
]);

/** By the table of the operations of a tenant: what writes is refused, what reads is answered. */
async function everyOperationIsSound(seeded: SeededTenant): Promise<void> {
  const random = seededRandom(1);
  // The keys of the table are the operations.
  const operations = (Object.keys(endpoints) as readonly OperationId[]).filter((id) => endpoints[id].path.includes('{tenant}'));
  const isDeletion = (id: OperationId) => endpoints[id].method === 'DELETE';
  // What is there to be read is deleted last, where the disk lets it be.
  for (const id of [...operations.filter((each) => !isDeletion(each)), ...operations.filter(isDeletion)]) {
    const { status, body } = await take(seeded.api, stepOf(id, random, { tenant: ADMIN.tenant, tenants: [seeded] }));
    const outcome = { id, status, text: JSON.stringify(body) };
    const isRefused = status === 507 && outcome.text.includes('disk');
    const mayBeDone = isDeletion(id) || endpoints[id].method === 'GET' || WITHOUT_ROOM.has(id);
    expect({ ...outcome, isSound: mayBeDone ? status < 500 || isRefused : isRefused }).toEqual({ ...outcome, isSound: true });
    const isRead = endpoints[id].method === 'GET' || id === 'alerts_by_filters' || id === 'job_alerts';
    expect({ ...outcome, isRefusedRead: isRead && isRefused }).toEqual({ ...outcome, isRefusedRead: false });
  }
}

test.skipIf(problem !== undefined)('a full disk refuses writes in words, lets people read, and needs no restart', async () => {
  using disk = openSmallDisk(256 * MIB);
  let key = '';
  let projects = 0;
  {
    await using server = await serverOn(disk);
    const seeded = await seedTenant(server.client, ADMIN, 'seeded-for-the-full-disk');
    disk.fill();
    await expect.poll(() => readOnly(server)).toContain('disk');
    expect(String((await server.client.request('GET', '/metrics')).body)).toMatch(/^disk_full 1$/m);
    await everyOperationIsSound(seeded);
    disk.empty();
    await expect.poll(() => readOnly(server)).toBe('');
    await seeded.api.call('create_project', {}, { body: { name: 'later' } });
    ({ key } = await seeded.api.call('create_api_key', {}, { body: { name: 'reader' } }));
    projects = (await seeded.api.call('list_projects', {})).length;
    await server.stop();
  }
  disk.fill();
  await using server = await serverOn(disk);
  expect(await readOnly(server)).toContain('disk');
  await expect.poll(() => server.log.filter((line) => line.includes('"level":"warn"')).join('\n')).toContain('the disk is full');
  const reader = observabilityApi(server.client, { tenant: ADMIN.tenant, headers: { 'X-TLM-Key': key } });
  expect(await reader.call('list_projects', {})).toHaveLength(projects);
  await expect(serverOn(disk)).rejects.toThrow(`is in use by process ${server.pid}`);
  // Not even a session can be stored; that is reported as what it is.
  await expect(adminApi(server)).rejects.toThrow(/answered 507.*disk/);
  disk.empty();
  await expect.poll(() => readOnly(server)).toBe('');
  const api = await adminApi(server);
  await api.call('create_project', {}, { body: { name: 'last' } });
  expect(await api.call('list_projects', {})).toHaveLength(projects + 1);
  await server.stop();
});
