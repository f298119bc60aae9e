// SPDX-License-Identifier: Apache-2.0
/** The audit log of both services: who did what from where, refusals among it, and nothing secret. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { QdrantClient } from '@qdrant/js-client-grpc';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { ADMIN, startObservabilityServer } from '../observability/observability-server.ts';
import { grpcAddressOf, startVectorServer } from '../vector-server.ts';

const PASSWORD = 'Correct-Horse-42';
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

test('the vector service notes administration over REST and gRPC, and no points', async () => {
  await using directory = await temporaryDirectory();
  await using server = await startVectorServer({ directory: directory.path, environment: { SERVICE_THREADS: '2' } });
  const { client } = server;
  const request = (method: string, path: string, body?: unknown, headers = {}) => client.request(method, path, body, { headers });
  await request('POST', '/auth/admin', { password: PASSWORD });
  await request('POST', '/auth/admin/login', { password: WRONG });
  const { token } = (await request('POST', '/auth/admin/login', { password: PASSWORD })).body as { readonly token: string };
  const admin = { authorization: `Bearer ${token}` };
  await request('PATCH', '/auth/enabled', { enabled: true }, admin);
  const made = (await request('POST', '/auth/api_key', { name: 'writer', permission: 'write' }, admin)).body as {
    readonly id: number;
    readonly api_key: string;
  };
  const writer = { 'api-key': made.api_key };
  await request('PUT', '/collections/a%20b', { vectors: { size: 1, distance: 'Dot' } }, writer);
  await request('PUT', '/collections/a%20b', { vectors: { size: 1, distance: 'Dot' } }, writer);
  await request('PUT', '/collections/a%20b/points', { points: [{ id: 1, vector: [1] }] }, writer);
  const grpc = new QdrantClient({ url: grpcAddressOf(server), https: false, apiKey: made.api_key });
  await grpc.api('collections').delete({ collectionName: 'a b' });

  const { text, entries } = await entriesOf(join(directory.path, 'audit.jsonl'));
  const here = expect.stringMatching(/^(?:::ffff:)?127\.0\.0\.1$/);
  const collection = { collection_name: 'a b' };
  expect(entries).toEqual([
    ['create_admin', 'anonymous', here, 200, {}],
    ['login', 'anonymous', here, 401, {}],
    ['login', 'anonymous', here, 200, {}],
    ['set_enforced', 'admin', here, 200, {}],
    ['create_token', 'admin', here, 200, {}],
    ['create_collection', `token ${made.id}`, here, 200, collection],
    ['create_collection', `token ${made.id}`, here, 409, collection],
    ['delete_collection', `token ${made.id}`, expect.anything(), 200, collection],
  ]);
  for (const secret of [PASSWORD, WRONG, token, made.api_key]) expect(text).not.toContain(secret);
  await server.stop();
});

test('the observability service notes administration and what was refused, and no scans', async () => {
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
  await server.stop();
});
