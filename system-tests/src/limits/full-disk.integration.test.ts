// SPDX-License-Identifier: Apache-2.0
/** A full disk: reads and deletions go on, writes are refused with 507 and the word disk on every route, nothing is half-written, and writes go on by themselves. */
import { QdrantClient } from '@qdrant/js-client-grpc';
import { type ChildServer, openSmallDisk, type SmallDisk, smallDiskProblem } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { vectorApi } from '../vector-api.ts';
import { grpcAddressOf, startVectorServer, TWO_THREADS } from '../vector-server.ts';

const MIB = 1024 * 1024;
const problem = smallDiskProblem();
const environment = { SERVICE_CAPABILITIES: 'all' };
const PASSWORD = 'Correct-Horse-42';
const DIMENSION = 256;
const POINTS_OF_A_BATCH = 100;

const serverOn = (disk: SmallDisk, more = {}) =>
  startVectorServer({ directory: `${disk.path}/data`, environment: { ...environment, ...more } });
const pointsFrom = (first: number, count = POINTS_OF_A_BATCH) =>
  Array.from({ length: count }, (_, index) => ({
    id: first + index,
    vector: Array.from({ length: DIMENSION }, (_each, place) => ((first + index + place) % 100) / 100),
    payload: { city: `c${index}` },
  }));

async function readiness({ client }: ChildServer): Promise<{ readonly status: number; readonly text: string }> {
  const { status, body } = await client.request('GET', '/readyz');
  return { status, text: String(body) };
}

/** As the service knows them. */
async function freeBytesOf({ client }: ChildServer): Promise<number> {
  const { body } = await client.request('GET', '/metrics');
  return Number(/^disk_free_bytes (\S+)$/m.exec(String(body))?.[1]);
}

async function withCollection(server: ChildServer): Promise<void> {
  const collection = vectorApi(server.client).collection('kept');
  await collection.create({ vectors: { size: DIMENSION, distance: 'Dot' } });
  await collection.upsert(pointsFrom(0));
}

test.runIf(problem !== undefined)(`tests of a full disk are skipped: ${problem}`, () => undefined);

test.skipIf(problem !== undefined)(
  'a disk that fills with writes: each is whole or refused, also after a kill; the next start comes up for reading, and a second one names the process that holds the data',
  async () => {
    using disk = openSmallDisk(64 * MIB);
    let acknowledged = 0;
    {
      await using server = await serverOn(disk);
      await withCollection(server);
      acknowledged = POINTS_OF_A_BATCH;
      // Most of it is taken, and the rest fills with the same writes.
      disk.fill(16 * MIB);
      // Until it looks at the disk again, the service writes as if it had the room of before.
      await expect.poll(() => freeBytesOf(server)).toBeLessThanOrEqual(16 * MIB);
      let refusal: { readonly status: number; readonly body: unknown } | undefined;
      while (refusal === undefined) {
        const reply = await server.client.request('PUT', '/collections/kept/points', { points: pointsFrom(acknowledged) });
        if (reply.status === 200) acknowledged += POINTS_OF_A_BATCH;
        else refusal = reply;
      }
      expect(refusal).toMatchObject({ status: 507 });
      expect(JSON.stringify(refusal.body)).toContain('disk');
      expect(disk.freeBytes()).toBeGreaterThan(0);
      // Past the reserve too: the rest is taken by somebody else in the middle of it.
      disk.fill();
      expect((await server.client.request('PUT', '/collections/kept/points', { points: pointsFrom(acknowledged) })).status).toBe(507);
      await server.kill();
    }
    // The disk is still full.
    await using server = await serverOn(disk);
    expect((await readiness(server)).text).toContain('read-only: the disk');
    await expect.poll(() => server.log.filter((line) => line.includes('"level":"warn"')).join('\n')).toContain('the disk is full');
    expect(String((await server.client.request('GET', '/metrics')).body)).toMatch(/^disk_full 1$/m);
    const collection = vectorApi(server.client).collection('kept');
    expect(await collection.count()).toBe(acknowledged);
    for (const id of [0, acknowledged - 1]) {
      const hits = await collection.search({ vector: pointsFrom(id, 1)[0]?.vector ?? [], limit: 3, params: { exact: true } });
      expect(hits).toHaveLength(3);
      expect(hits[0]?.score).toBeGreaterThan(0);
    }
    await expect(serverOn(disk)).rejects.toThrow(`is in use by process ${server.pid}`);
    disk.empty();
    await expect.poll(async () => (await readiness(server)).text).toBe('all shards are ready');
    await collection.upsert(pointsFrom(acknowledged));
    expect(await collection.count()).toBe(acknowledged + POINTS_OF_A_BATCH);
  },
);

test.skipIf(problem !== undefined)(
  'on a full disk every write is refused with 507 and the word disk, and goes on when there is room',
  async () => {
    using disk = openSmallDisk(64 * MIB);
    await using server = await serverOn(disk, TWO_THREADS);
    await withCollection(server);
    const { client } = server;
    const api = vectorApi(client);
    // Without it there is room to delete a point of the other: the pages of a deletion are copied before they are freed.
    await api.collection('spare').create({ vectors: { size: DIMENSION, distance: 'Dot' } });
    await api.collection('spare').upsert(pointsFrom(0));
    expect((await client.request('POST', '/auth/admin', { password: PASSWORD })).status).toBe(200);
    const { body: login } = await client.request('POST', '/auth/admin/login', { password: PASSWORD });
    const headers = { authorization: `Bearer ${(login as { token: string }).token}` };
    disk.fill();
    await expect.poll(async () => (await readiness(server)).text).toContain('read-only: the disk');
    expect((await readiness(server)).status).toBe(200);

    const point = pointsFrom(7, 1)[0];
    const writes: readonly (readonly [method: string, path: string, body?: unknown])[] = [
      ['PUT', '/collections/new', { vectors: { size: 4, distance: 'Dot' } }],
      ['PATCH', '/collections/kept', { optimizers_config: { indexing_threshold: 1 } }],
      ['PUT', '/collections/kept/points', { points: [point] }],
      ['PUT', '/collections/kept/points/vectors', { points: [{ id: 7, vector: point?.vector }] }],
      ['POST', '/collections/kept/points/payload', { payload: { a: 1 }, points: [7] }],
      ['PUT', '/collections/kept/points/payload', { payload: { a: 1 }, points: [7] }],
      ['POST', '/collections/kept/points/batch', { operations: [{ set_payload: { payload: { a: 1 }, points: [7] } }] }],
      ['PUT', '/collections/kept/index', { field_name: 'city', field_schema: 'keyword' }],
      ['POST', '/collections/aliases', { actions: [{ create_alias: { collection_name: 'kept', alias_name: 'other' } }] }],
      ['POST', '/collections/kept/snapshots'],
      ['POST', '/snapshots'],
      ['PUT', '/collections/kept/snapshots/recover', { location: 'file:///nowhere' }],
      ['POST', '/auth/admin/reset-password', { password: 'Correct-Horse-43' }],
      ['PATCH', '/auth/enabled', { enabled: true }],
    ];
    for (const [method, path, body] of writes) {
      const reply = await client.request(method, path, body, { headers });
      expect({ path, status: reply.status, text: JSON.stringify(reply.body) }).toEqual({
        path,
        status: 507,
        text: expect.stringContaining('disk'),
      });
    }
    const grpc = new QdrantClient({ url: grpcAddressOf(server), https: false });
    const upsert = grpc.api('points').upsert({ collectionName: 'kept', points: [] });
    await expect(upsert).rejects.toThrow(/resource_exhausted.*disk/);
    expect(String((await client.request('GET', '/metrics')).body)).toMatch(/^disk_full 1$/m);

    // Reads go on, and so does what makes room.
    expect(await api.collection('kept').count()).toBe(POINTS_OF_A_BATCH);
    expect((await client.request('DELETE', '/collections/spare')).status).toBe(200);
    expect((await client.request('POST', '/collections/kept/points/delete', { points: [3] })).status).toBe(200);
    expect(await api.collection('kept').count()).toBe(POINTS_OF_A_BATCH - 1);

    expect((await client.request('POST', '/auth/admin/login', { password: PASSWORD })).status).toBe(200);

    disk.empty();
    await expect.poll(async () => (await readiness(server)).text).toBe('all shards are ready');
    for (const [method, path, body] of writes.slice(0, 9)) expect((await client.request(method, path, body)).status).toBe(200);
    await server.stop();
    expect(server.log.filter((line) => line.includes('the disk is full'))).toHaveLength(1);
    expect(server.log.filter((line) => line.includes('the disk has space again'))).toHaveLength(1);
  },
);

test.skipIf(problem !== undefined)('a first start on a full disk says so in a sentence', async () => {
  using disk = openSmallDisk(4 * MIB);
  disk.fill();
  await expect(serverOn(disk)).rejects.toThrow(/sextant: .*disk/);
});
