// SPDX-License-Identifier: Apache-2.0
/** A token that is gone is gone on every serving thread at once, and a new one is known to all of them. */
import { ConnectErrorCode, QdrantClient } from '@qdrant/js-client-grpc';
import { type ChildServer, jsonClient, type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { grpcAddressOf, startVectorServer } from '../vector-server.ts';

const PASSWORD = 'Correct-Horse-9';
const THREADS = 4;
/** Connections are spread over the threads by the system; so many reach each of them almost surely. */
const CONNECTIONS = 32;
const ROUNDS = 5;

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
  server = await startVectorServer({ directory: directory.path, environment: { SERVICE_THREADS: String(THREADS) } });
  body = sender(server);
  jwt = await enforced(body);
});
afterAll(async () => {
  await server?.stop();
  await directory?.[Symbol.asyncDispose]();
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

test('over gRPC a token that is limited to some collections names no others', async () => {
  for (const name of ['own', 'other']) await body('PUT', `/collections/${name}`, { vectors: { size: 2, distance: 'Dot' } }, jwt);
  const { api_key: apiKey } = await body('POST', '/auth/api_key', { name: 'limited', permission: 'read,write', collections: ['own'] }, jwt);
  const client = new QdrantClient({ url: grpcAddressOf(server), https: false, apiKey });
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
