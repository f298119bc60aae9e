/** A token that is gone is gone on every serving thread at once, and a new one is known to all of them. */
import { jsonClient, temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { startVectorServer } from '../vector-server.ts';

const PASSWORD = 'Correct-Horse-9';
const THREADS = 4;
/** Connections are spread over the threads by the system; so many reach each of them almost surely. */
const CONNECTIONS = 32;
const ROUNDS = 5;

test('tokens are created, rotated and deleted for all threads at once', async () => {
  await using directory = await temporaryDirectory();
  await using server = await startVectorServer({ directory: directory.path, environment: { SERVICE_THREADS: String(THREADS) } });
  const body = async (method: string, path: string, sent: unknown, credential?: string) => {
    const headers: { [name: string]: string } = credential === undefined ? {} : { authorization: `Bearer ${credential}` };
    // Only the members that the test reads; it compares them.
    return (await server.client.request(method, path, sent, { headers })).body as { token: string; api_key: string; id: number };
  };
  await body('POST', '/auth/admin', { password: PASSWORD });
  const { token: jwt } = await body('POST', '/auth/admin/login', { password: PASSWORD });
  await body('PATCH', '/auth/enabled', { enabled: true }, jwt);

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
  await server.stop();
});
