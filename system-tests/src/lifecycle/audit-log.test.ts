// SPDX-License-Identifier: Apache-2.0
/**
 * The audit log of the observability service: who did what from where, refusals among it, and nothing secret. Nobody but the owner may read it, or any
 * other file of the service. The audit log of the vector service is tested in `../consistency/access-token.test.ts`.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { pathsBelow } from '../limits/file-modes.ts';
import { ADMIN, adminApi, startObservabilityServer } from '../observability/observability-server.ts';

const WRONG = 'Wrong-Horse-42';

async function entriesOf(path: string): Promise<{ readonly text: string; readonly entries: readonly (readonly unknown[])[] }> {
  const text = await readFile(path, 'utf8');
  const lines = text.trimEnd().split('\n');
  const entries = lines.map((line) => {
    const { operation, actor, address, status, target } = JSON.parse(line) as { readonly [name: string]: unknown };
    return [operation, actor, address, status, target];
  });
  return { text, entries };
}

test('administration and what was refused are noted, no scans are, and nobody else may read the files', async () => {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, 'elsewhere', 'audit.jsonl');
  await using server = await startObservabilityServer({ directory: directory.path, environment: { OBSERVABILITY_AUDIT_LOG: path } });
  const request = (method: string, url: string, body?: unknown, headers = {}) => server.client.request(method, url, body, { headers });
  const grant = { grant_type: 'password', username: ADMIN.email, tenant: ADMIN.tenant };
  await request('POST', '/auth/token', { ...grant, password: WRONG });
  const reply = await request('POST', '/auth/token', { ...grant, password: ADMIN.password });
  const { access_token: token } = reply.body as { readonly access_token: string };
  const admin = { authorization: `Bearer ${token}` };
  const { body } = await request('POST', `/auth/${ADMIN.tenant}/apiKeys`, { name: 'nightly' }, admin);
  const { id, key } = body as { readonly id: string; readonly key: string };
  await request('GET', `/auth/${ADMIN.tenant}/apiKeys`, undefined, admin);
  await request('DELETE', `/auth/${ADMIN.tenant}/apiKeys/${id}`, undefined, admin);
  await request('POST', '/api/backend/default/configuration/projects', { name: 'p' });

  const { text, entries } = await entriesOf(path);
  const tenant = { tenant: ADMIN.tenant };
  expect(entries.map(([operation, actor, , status, target]) => [operation, actor, status, target])).toEqual([
    ['get_token', ADMIN.email, 401, {}],
    ['get_token', ADMIN.email, 200, {}],
    ['create_api_key', ADMIN.email, 200, tenant],
    ['delete_api_key', ADMIN.email, 200, { ...tenant, key_id: id }],
    ['create_project', 'unknown', 401, tenant],
  ]);
  for (const secret of [ADMIN.password, WRONG, token, key]) expect(text).not.toContain(secret);

  const api = await adminApi(server);
  await api.call('create_upload', {}, { query: { name: 'a.csv' }, body: Buffer.from('a,b\n1,2\n') });
  const { all, open } = pathsBelow(directory.path);
  // Windows keeps no such permissions.
  if (process.platform !== 'win32') expect(open).toEqual([]);
  const kept = [
    'lock',
    'metadata.sqlite',
    'metadata.sqlite-wal',
    'metadata.sqlite-shm',
    'encryption-key',
    join('elsewhere', 'audit.jsonl'),
  ];
  expect(all).toEqual(expect.arrayContaining(kept));
  await server.stop();
});
