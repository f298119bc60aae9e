// SPDX-License-Identifier: Apache-2.0
import { afterAll, beforeAll, expect, test } from 'vitest';
import { monitorBody, templateBody } from '../testing/seeded-tenant.ts';
import { type TestService, testService } from '../testing/test-service.ts';
import { ADMIN_EMAIL } from '../testing/test-users.ts';

type Json = { readonly [name: string]: unknown };
type Entry = { readonly id: number; readonly actor: string; readonly action: string; readonly subject_id: string; readonly details: Json };

const AUDIT = '/api/backend/default/audit';

let service: TestService;
let admin: { readonly [name: string]: string };
beforeAll(async () => {
  service = await testService();
  admin = await service.login();
});
afterAll(async () => service[Symbol.asyncDispose]());

async function ask<Body = Json>(method: string, path: string, body?: unknown): Promise<Body> {
  const reply = await service.call(method, path, body, admin);
  expect([path, reply]).toMatchObject([path, { status: 200 }]);
  // The caller knows what it asked for.
  return reply.body as Body;
}

/** What happened since, oldest first: who, what, to whom and how. */
async function since(newest: number): Promise<readonly (readonly [string, string, Json])[]> {
  const entries = await ask<readonly Entry[]>('GET', AUDIT);
  return entries
    .filter(({ id }) => id > newest)
    .toReversed()
    .map(({ action, subject_id, details }) => [action, subject_id, details]);
}

const newestId = async () => (await ask<readonly Entry[]>('GET', `${AUDIT}?limit=1`))[0]?.id ?? 0;

test('changes of monitors are recorded, with the members that changed', async () => {
  const before = await newestId();
  const body = { name: 'a', type: 'UPLOAD', payload: {} };
  const { id: asset } = await ask('POST', '/api/backend/default/configuration/projects/0/assets', body);
  const { id } = await ask('POST', `/default/configuration/assets/${asset}/monitors`, monitorBody('full'));
  const { type: _type, ...same } = monitorBody('full');
  const place = `/default/configuration/assets/${asset}/monitors/${id}`;
  await ask('PUT', place, same);
  await ask('PUT', place, { ...same, name: 'fuller', enabled: false });
  await ask('DELETE', place);
  const subject = `${asset}/${id}`;
  expect(await since(before)).toEqual([
    ['CREATED', subject, { name: 'full', type: 'PREDEFINED_METRIC' }],
    ['UPDATED', subject, { name: 'full', changed: [] }],
    ['UPDATED', subject, { name: 'fuller', changed: ['name', 'enabled'] }],
    ['DELETED', subject, { name: 'fuller' }],
  ]);
});

test('changes of ticket templates and configurations are recorded', async () => {
  const before = await newestId();
  const templates = '/default/configuration/integrations/tickets/template';
  const { id } = await ask('POST', templates, templateBody('bug'));
  await ask('PUT', `${templates}/${id}`, templateBody('issue'));
  await ask('DELETE', `${templates}/${id}`);
  const spark = '/configuration/tenants/default/spark-job-config';
  await ask('PUT', spark, { spark_properties: { a: '1' } });
  await ask('DELETE', spark);
  await ask('DELETE', '/default/configuration/dq_reporting');
  expect(await since(before)).toEqual([
    ['CREATED', String(id), { name: 'bug' }],
    ['UPDATED', String(id), { name: 'issue' }],
    ['DELETED', String(id), { name: 'issue' }],
    ['UPDATED', 'spark_job_config', { changed: ['spark_properties'] }],
    ['DELETED', 'spark_job_config', {}],
    ['DELETED', 'dq_reporting', {}],
  ]);
});

test('changes of channels and of the connection to the tracker are recorded, without what is secret', async () => {
  const before = await newestId();
  const channels = '/api/backend/default/configuration/alert_channels';
  await ask('POST', channels, { name: 'ops', type: 'WEBHOOK', addresses: ['https://hooks.example.com/a'] });
  await ask('PUT', `${channels}/ops`, { type: 'WEBHOOK', addresses: ['https://hooks.example.com/b'] });
  await ask('POST', `${channels}/ops/rotate_secret`);
  await ask('DELETE', `${channels}/ops`);
  const connection = '/default/configuration/integrations/tickets/connection';
  await ask('PUT', connection, { base_url: 'https://tracker.example.com', api_token: 'very secret' });
  await ask('DELETE', connection);
  expect(await since(before)).toEqual([
    ['CREATED', 'ops', { type: 'WEBHOOK' }],
    ['UPDATED', 'ops', { type: 'WEBHOOK' }],
    ['UPDATED', 'ops', { changed: ['secret'] }],
    ['DELETED', 'ops', { type: 'WEBHOOK' }],
    ['UPDATED', 'tracker_connection', { base_url: 'https://tracker.example.com' }],
    ['DELETED', 'tracker_connection', {}],
  ]);
});

test('what is refused is not recorded', async () => {
  const before = await newestId();
  const missing = await service.call('DELETE', '/default/configuration/integrations/tickets/template/999', undefined, admin);
  expect(missing.status).toBe(404);
  const { id: asset } = await ask('POST', '/api/backend/default/configuration/projects/0/assets', {
    name: 'b',
    type: 'UPLOAD',
    payload: {},
  });
  const prebuilt = await service.call('DELETE', `/default/configuration/assets/${asset}/monitors/SCHEMA_DRIFTS`, undefined, admin);
  expect(prebuilt.status).toBe(409);
  expect(await since(before)).toEqual([]);
});

test('it names an API key by its name, and is read page by page by admins alone', async () => {
  const { key } = await ask<{ key: string }>('POST', '/auth/default/apiKeys', { name: 'night watch' });
  const templates = '/default/configuration/integrations/tickets/template';
  await ask('POST', templates, templateBody('first'));
  await service.call('POST', templates, templateBody('second'), { 'x-tlm-key': key });
  const [newest, ...rest] = await ask<readonly Entry[]>('GET', `${AUDIT}?subject_type=TICKET_TEMPLATE&limit=3`);
  expect([newest?.actor, rest[0]?.actor]).toEqual(['night watch', ADMIN_EMAIL]);
  expect(await ask('GET', `${AUDIT}?subject_type=TICKET_TEMPLATE&limit=2&before=${newest?.id}`)).toEqual(rest);
  expect(await ask('GET', `${AUDIT}?subject_type=TICKET_TEMPLATE&subject_id=${newest?.subject_id}`)).toEqual([newest]);
  expect((await service.call('GET', AUDIT, undefined, await service.loginAs('editor'))).status).toBe(403);
  for (const query of ['subject_type=PERSON', 'limit=-1', 'before=x', 'unheard=1']) {
    expect(await service.call('GET', `${AUDIT}?${query}`, undefined, admin)).toMatchObject({ status: 400 });
  }
});
