// SPDX-License-Identifier: Apache-2.0
/** Access tokens: known to every serving thread at once, and gone from all of them; over gRPC; by the command line; and in the audit log. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ConnectErrorCode, QdrantClient } from '@qdrant/js-client-grpc';
import { type ChildServer, jsonClient, type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { environmentOf, PROGRAM, sextant } from '../clients/sextant.ts';
import { grpcAddressOf, startVectorServer, TWO_THREADS } from '../vector-server.ts';

const PASSWORD = 'Correct-Horse-9';
const WRONG = 'Wrong-Horse-9';
/** Connections are spread over the threads by the system; so many reach each of them almost surely. */
const CONNECTIONS = 16;
const ROUNDS = 3;

function sender(server: ChildServer) {
  return async (method: string, path: string, sent: unknown, credential?: string) => {
    const headers: { [name: string]: string } = credential === undefined ? {} : { authorization: `Bearer ${credential}` };
    // Only the members that the test reads; it compares them.
    return (await server.client.request(method, path, sent, { headers })).body as { token: string; api_key: string; id: number };
  };
}

/** The JWT of the admin, once credentials are enforced. */
async function enforced(body: ReturnType<typeof sender>): Promise<string> {
  await body('POST', '/auth/admin', { password: PASSWORD });
  const { token: jwt } = await body('POST', '/auth/admin/login', { password: PASSWORD });
  await body('PATCH', '/auth/enabled', { enabled: true }, jwt);
  return jwt;
}

let directory: TemporaryDirectory;
let server: ChildServer;
let body: ReturnType<typeof sender>;
let jwt: string;

beforeAll(async () => {
  directory = await temporaryDirectory();
  server = await startVectorServer({ directory: directory.path, environment: TWO_THREADS });
  body = sender(server);
  jwt = await enforced(body);
});
afterAll(async () => {
  await server?.stop();
  await directory?.[Symbol.asyncDispose]();
});

const grpcClient = (more: object = {}) => new QdrantClient({ url: grpcAddressOf(server), https: false, ...more });

test('the audit log notes who administers from where over REST and gRPC, what was refused, and no points and no secrets', async () => {
  await body('POST', '/auth/admin/login', { password: WRONG });
  const { id, api_key: apiKey } = await body('POST', '/auth/api_key', { name: 'writer', permission: 'write' }, jwt);
  const creation = { vectors: { size: 1, distance: 'Dot' } };
  for (let time = 0; time < 2; time++) await body('PUT', '/collections/a%20b', creation, apiKey);
  await body('PUT', '/collections/a%20b/points', { points: [{ id: 1, vector: [1] }] }, apiKey);
  await grpcClient({ apiKey }).api('collections').delete({ collectionName: 'a b' });

  const text = await readFile(join(directory.path, 'audit.jsonl'), 'utf8');
  const entries = text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { operation, actor, address, status, target } = JSON.parse(line) as { readonly [name: string]: unknown };
      return [operation, actor, address, status, target];
    });
  const here = expect.stringMatching(/^(?:::ffff:)?127\.0\.0\.1$/);
  const collection = { collection_name: 'a b' };
  expect(entries).toEqual([
    ['create_admin', 'anonymous', here, 200, {}],
    ['login', 'anonymous', here, 200, {}],
    ['set_enforced', 'admin', here, 200, {}],
    ['login', 'anonymous', here, 401, {}],
    ['create_token', 'admin', here, 200, {}],
    ['create_collection', `token ${id}`, here, 200, collection],
    ['create_collection', `token ${id}`, here, 409, collection],
    ['delete_collection', `token ${id}`, expect.anything(), 200, collection],
  ]);
  for (const secret of [PASSWORD, WRONG, jwt, apiKey]) expect(text).not.toContain(secret);
});

test('tokens are created, rotated and deleted for all threads at once', async () => {
  const connections = Array.from({ length: CONNECTIONS }, () => jsonClient({ baseUrl: server.address, connectionsMax: 1 }));
  const statuses = async (credential: string) => {
    const replies = connections.map((client) => client.request('GET', '/collections', undefined, { headers: { 'api-key': credential } }));
    return [...new Set((await Promise.all(replies)).map(({ status }) => status))];
  };
  for (let round = 0; round < ROUNDS; round++) {
    const created = await body('POST', '/auth/api_key', { name: `round ${round}`, permission: 'read' }, jwt);
    expect(await statuses(created.api_key)).toEqual([200]);
    const rotated = await body('POST', `/auth/api_key/${created.id}/rotate`, undefined, jwt);
    expect(await statuses(created.api_key)).toEqual([401]);
    expect(await statuses(rotated.api_key)).toEqual([200]);
    await body('DELETE', `/auth/api_key/${created.id}`, undefined, jwt);
    expect(await statuses(rotated.api_key)).toEqual([401]);
  }
  for (const client of connections) client[Symbol.dispose]();
});

test('over gRPC a token of the right permission opens what it should, by either name, but no group of calls that is off', async () => {
  const { api_key: apiKey } = await body('POST', '/auth/api_key', { name: 'reader', permission: 'read' }, jwt);
  const unauthenticated = { code: ConnectErrorCode.Unauthenticated };
  await expect(grpcClient().api('collections').list({})).rejects.toMatchObject(unauthenticated);
  await expect(grpcClient({ apiKey: 'wrong' }).api('collections').list({})).rejects.toMatchObject(unauthenticated);
  const reader = grpcClient({ apiKey });
  expect((await reader.api('collections').list({})).collections).toEqual([]);
  await expect(
    reader
      .api('collections')
      .create({ collectionName: 'x', vectorsConfig: { config: { case: 'params', value: { size: 3n, distance: 1 } } } }),
  ).rejects.toMatchObject({ code: ConnectErrorCode.PermissionDenied });
  // oxlint-disable-next-line typescript/no-deprecated -- older clients call it.
  await expect(reader.api('points').recommend({ collectionName: 'films', limit: 1n })).rejects.toMatchObject({
    code: ConnectErrorCode.Unimplemented,
    rawMessage: 'Not implemented: qdrant.Points/Recommend',
  });
  const bearer = grpcClient({ headers: { authorization: `Bearer ${apiKey}` } });
  expect((await bearer.api('collections').list({})).collections).toEqual([]);
});

test('over gRPC a token that is limited to some collections names no others', async () => {
  for (const name of ['own', 'other']) await body('PUT', `/collections/${name}`, { vectors: { size: 2, distance: 'Dot' } }, jwt);
  const { api_key: apiKey } = await body('POST', '/auth/api_key', { name: 'limited', permission: 'read,write', collections: ['own'] }, jwt);
  const client = grpcClient({ apiKey });
  const nearest = { variant: { case: 'dense' as const, value: { data: [1, 0] } } };
  const query = { variant: { case: 'nearest' as const, value: nearest } };
  const search = (collectionName: string) => client.api('points').query({ collectionName, query, limit: 1n });
  expect((await search('own')).result).toEqual([]);
  const refused = { code: ConnectErrorCode.PermissionDenied };
  await expect(search('other')).rejects.toMatchObject(refused);
  await expect(search('nowhere')).rejects.toMatchObject(refused);
  await expect(client.api('collections').delete({ collectionName: 'other' })).rejects.toMatchObject(refused);
  await expect(client.api('points').query({ collectionName: 'own', lookupFrom: { collectionName: 'other' } })).rejects.toMatchObject(
    refused,
  );
  const { collections } = await client.api('collections').list({});
  expect(collections.map(({ name }) => name)).toEqual(['own']);
});

test('by the command line tokens are made and rotated, and what they may not do is refused', async () => {
  await body('PUT', '/collections/things', { vectors: { size: 3, distance: 'Dot' } }, jwt);
  const environment = environmentOf(directory.path, { SEXTANT_URL: server.address });
  const asAdmin = { ...environment, SEXTANT_ADMIN_PASSWORD: PASSWORD };
  const as = (key: string) => ({ ...environment, SEXTANT_API_KEY: key });
  expect(await sextant(['collections', 'list'], environment)).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('SEXTANT_API_KEY'),
  });
  const made = await sextant(['tokens', 'create', 'viewer', '--permission', 'read'], asAdmin);
  const secret = made.stdout.trim();
  expect([made.code, made.stderr.includes(secret)]).toEqual([0, false]);
  const { stdout } = await sextant(['tokens', 'create', 'narrow', '--permission', 'read', '--collections', 'elsewhere,more'], asAdmin);
  expect((await sextant(['tokens', 'list'], asAdmin)).stdout).toMatch(/viewer +read +all[\s\S]*narrow +read +elsewhere, more/);
  expect((await sextant(['collections', 'info', 'things'], as(stdout.trim()))).stderr).toContain('is limited to');
  const asReader = as(secret);
  expect((await sextant(['collections', 'list', '--json'], asReader)).code).toBe(0);
  const refused = await sextant(['collections', 'delete', 'things', '--yes'], asReader);
  expect([refused.code, (refused.stdout + refused.stderr).includes(secret)]).toEqual([4, false]);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [PROGRAM, 'mcp'], env: asReader }));
  const upsert = { name: 'upsert', arguments: { collection: 'things', points: [{ id: 1, vector: [1, 2, 3] }] } };
  expect(await client.callTool(upsert)).toMatchObject({ isError: true });
  expect(await client.callTool({ name: 'list_collections', arguments: {} })).toMatchObject({ structuredContent: { left_out: 0 } });
  await client.close();
  const [, id = ''] = /^Token (\d+) /.exec(made.stderr) ?? [];
  await sextant(['tokens', 'rotate', id], asAdmin);
  expect((await sextant(['collections', 'list'], asReader)).code).toBe(4);
});
