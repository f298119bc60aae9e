// SPDX-License-Identifier: Apache-2.0
/** Few file descriptors: collections are closed for each other, connections beyond them are refused with a sentence, and nothing dies. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { QdrantClient } from '@qdrant/js-client-grpc';
import { type ChildServer, isLongRun, temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { inLanes } from '../lanes.ts';
import { adminApi, startObservabilityServer } from '../observability/observability-server.ts';
import { scan, uploadAsset } from '../observability/scanning.ts';
import { vectorApi } from '../vector-api.ts';
import { grpcAddressOf, startVectorServer } from '../vector-server.ts';

/** Seven collections may be open, and in the long run four at the second start. */
const LIMIT = 160;
const LOWER_LIMIT = 140;
const COLLECTIONS_ASKED = 12;
/** The observability service opens files of many kinds beside its connections. */
const OBSERVABILITY_LIMIT = 256;
const CONNECTIONS_ASKED = 205;
const CREATION = { vectors: { size: 4, distance: 'Dot' } };
const POINT = { id: 1, vector: [1, 2, 3, 4], payload: { kept: true } };
/** As many threads whatever the machine has. */
const environment = { SERVICE_THREADS: '2' };

const nameOf = (index: number) => `c${index}`;

async function metric({ client }: ChildServer, name: string): Promise<number> {
  const { body } = await client.request('GET', '/metrics');
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(String(body))?.[1]);
}

/** Asks for a collection, and for a point in it. */
async function createWithPoint({ client }: ChildServer, name: string): Promise<void> {
  expect(await client.request('PUT', `/collections/${name}`, CREATION)).toMatchObject({ status: 200 });
  expect(await client.request('PUT', `/collections/${name}/points`, { points: [POINT] })).toMatchObject({ status: 200 });
}

async function idleConnections(port: number, count: number): Promise<Socket[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.on('error', () => undefined);
      return socket;
    }),
  );
}

async function readable(server: ChildServer, names: readonly string[]): Promise<void> {
  const api = vectorApi(server.client);
  for (const name of names) expect(await api.collection(name).count()).toBe(1);
}

test.skipIf(process.platform !== 'linux')('a limit that is too low to start is reported in a sentence', async () => {
  await using directory = await temporaryDirectory();
  const started = startVectorServer({ directory: directory.path, descriptorLimit: 64, environment });
  await expect(started).rejects.toThrow(/the process may open 64 file descriptors, but with SERVICE_THREADS=2 it needs at least \d+/);
});

test.skipIf(process.platform !== 'linux')(
  'more collections than there are descriptors for are all served, among floods of idle connections',
  async () => {
    await using directory = await temporaryDirectory();
    const created = Array.from({ length: COLLECTIONS_ASKED }, (_, index) => nameOf(index));
    await using server = await startVectorServer({ directory: directory.path, descriptorLimit: LIMIT, environment });
    const ports = [server.address, grpcAddressOf(server)].map((address) => Number(new URL(address).port));
    const floods: Socket[] = [];
    await inLanes(COLLECTIONS_ASKED, 4, async (index) => {
      if (index === 5) for (const port of ports) floods.push(...(await idleConnections(port, CONNECTIONS_ASKED)));
      await createWithPoint(server, nameOf(index));
    });
    expect(server.running).toBe(true);
    expect(await metric(server, 'process_max_fds')).toBe(LIMIT);
    expect(await metric(server, 'connections_refused_total')).toBeGreaterThan(CONNECTIONS_ASKED);
    const open = await metric(server, 'collections_open');
    expect(open).toBe(await metric(server, 'collections_open_max'));
    expect(open).toBeLessThan(COLLECTIONS_ASKED);
    expect(await metric(server, 'storage_descriptors_used')).toBe(3 * open);
    expect(await metric(server, 'process_open_fds')).toBeLessThan(LIMIT);

    // One connection more is refused with the reason, in the words of its protocol.
    const [restPort = 0] = ports;
    const [refused] = await idleConnections(restPort, 1);
    expect(await text(refused as Socket)).toMatch(/503 Service Unavailable[\s\S]*retry-after: 1[\s\S]*SERVICE_CONNECTIONS_MAX/);
    // Of the flood before, a few refused connections may still be open to receive the reason; until they are closed others get none.
    const refusal = () =>
      new QdrantClient({ url: grpcAddressOf(server), https: false })
        .api('collections')
        .list({})
        .then(() => '', String);
    await expect.poll(refusal).toMatch(/resource_exhausted.*SERVICE_CONNECTIONS_MAX/);
    for (const socket of floods) socket.destroy();
    await readable(server, created);
    await server.stop();
    if (!isLongRun()) return;

    // Under a lower limit they take turns in fewer places.
    await using lower = await startVectorServer({ directory: directory.path, descriptorLimit: LOWER_LIMIT, environment });
    expect(await metric(lower, 'collections_not_opened')).toBe(COLLECTIONS_ASKED);
    await readable(lower, created);
    expect(await metric(lower, 'collections_open')).toBeLessThan(open);
    await lower.stop();
  },
);

test.skipIf(process.platform !== 'linux')('the observability service goes on to work among a flood of idle connections', async () => {
  await using directory = await temporaryDirectory();
  await using server = await startObservabilityServer({ directory: directory.path, descriptorLimit: OBSERVABILITY_LIMIT });
  const api = await adminApi(server);
  const port = Number(new URL(server.address).port);
  const floods = await idleConnections(port, CONNECTIONS_ASKED);
  expect(await metric(server, 'process_max_fds')).toBe(OBSERVABILITY_LIMIT);
  expect(await metric(server, 'process_open_fds')).toBeLessThan(OBSERVABILITY_LIMIT);
  // The kernel completes a handshake before the service accepts the connection.
  await expect.poll(() => metric(server, 'connections_refused_total')).toBeGreaterThan(0);
  const [refused] = await idleConnections(port, 1);
  const answer = await text(refused as Socket);
  expect(answer).toMatch(/^HTTP\/1.1 503 Service Unavailable[\s\S]*retry-after: 1\r\n/);
  expect(answer).toMatch(
    /The server has reached its maximum number of connections \(\d+, OBSERVABILITY_CONNECTIONS_MAX\); try again in 1 s/,
  );

  // Who was there before the flood has files written and read, and child processes started.
  const asset = await uploadAsset(api, { file: 'cities.csv', bytes: Buffer.from('id,city\n1,Rome\n2,Oslo\n') });
  expect(await scan(api, asset.id)).toMatchObject({ status: 'FINISHED' });
  for (const socket of floods) socket.destroy();
  expect(await api.call('list_uploads', {})).toHaveLength(1);
  // There is room again for others.
  await expect
    .poll(() => fetch(`${server.address}/readyz`, { headers: { connection: 'close' } }).then(({ status }) => status, String))
    .toBe(200);
  await server.stop();
});
