// SPDX-License-Identifier: Apache-2.0
/** Aliases, snapshots and recovery on the whole service, by the published clients, unchanged. What a process leaves that is killed in the middle: `../crash`. */
import { QdrantClient as GrpcClient } from '@qdrant/js-client-grpc';
import { QdrantClient } from '@qdrant/js-client-rest';
import type { ChildServer } from '@sextant/foundation-testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedServerAndData, sharedVectorServer } from '../shared-server.ts';
import { scrollAll, vectorApi } from '../vector-api.ts';
import { grpcAddressOf, TWO_THREADS } from '../vector-server.ts';
import { batch, fill } from './marked-batches.ts';

let directory: string;
let server: ChildServer;
let client: QdrantClient;

const clientOf = ({ address }: ChildServer) => new QdrantClient({ url: address });

beforeAll(async () => {
  ({ server, directory } = await sharedServerAndData(TWO_THREADS));
  client = clientOf(server);
});

/** Since the service started, which other files may have used. */
async function snapshotsRecovered(): Promise<number> {
  return Number(/^snapshot_recovered_total (\d+)$/m.exec(await (await fetch(`${server.address}/metrics`)).text())?.[1] ?? 0);
}

const everything = (of: ChildServer, name: string) => scrollAll(vectorApi(of.client).collection(name));

describe('aliases, by the published clients', () => {
  test('are known to every thread when the change is acknowledged', async () => {
    await fill(client, 'one', 1);
    await fill(client, 'two', 2);
    for (let round = 0; round < 10; round++) {
      const [collection_name, count] = round % 2 === 0 ? ['two', 200] : ['one', 100];
      const actions = [{ delete_alias: { alias_name: 'current' } }, { create_alias: { alias_name: 'current', collection_name } }];
      expect(await client.updateCollectionAliases({ actions })).toBe(true);
      // Connections go to the threads in turn.
      const counts = await Promise.all(Array.from({ length: 8 }, () => clientOf(server).count('current')));
      expect(new Set(counts.map((each) => each.count))).toEqual(new Set([count]));
    }
    expect(await client.getAliases()).toEqual({ aliases: [{ alias_name: 'current', collection_name: 'one' }] });
    expect(await client.getCollectionAliases('two')).toEqual({ aliases: [] });
    expect(await client.deleteCollection('one')).toBe(true);
    await expect(client.count('current')).rejects.toMatchObject({ status: 404 });
    await client.deleteCollection('two');
  });

  test('and snapshots have their calls of gRPC', async () => {
    const grpc = new GrpcClient({ url: grpcAddressOf(server), https: false });
    await fill(client, 'things', 1);
    const collections = grpc.api('collections');
    const action = { case: 'createAlias' as const, value: { aliasName: 'also', collectionName: 'things' } };
    expect(await collections.updateAliases({ actions: [{ action }] })).toMatchObject({ result: true });
    expect((await collections.listAliases({})).aliases).toMatchObject([{ aliasName: 'also', collectionName: 'things' }]);
    expect((await collections.listCollectionAliases({ collectionName: 'also' })).aliases).toHaveLength(1);
    const snapshots = grpc.api('snapshots');
    const { snapshotDescription: made } = await snapshots.create({ collectionName: 'also' });
    const [listed] = await client.listSnapshots('things');
    expect(made).toMatchObject({ name: listed?.name, size: BigInt(listed?.size ?? 0), checksum: listed?.checksum });
    expect(Number(made?.creationTime?.seconds)).toBe(Date.parse(`${listed?.creation_time}Z`) / 1000);
    expect((await snapshots.list({ collectionName: 'things' })).snapshotDescriptions).toHaveLength(1);
    await snapshots.delete({ collectionName: 'things', snapshotName: made?.name ?? '' });
    await expect(snapshots.delete({ collectionName: 'things', snapshotName: made?.name ?? '' })).rejects.toThrow('Snapshot not found');
    const { snapshotDescription: full } = await snapshots.createFull({});
    expect((await snapshots.listFull({})).snapshotDescriptions).toMatchObject([{ name: full?.name }]);
    await snapshots.deleteFull({ snapshotName: full?.name ?? '' });
    expect(await client.listFullSnapshots()).toEqual([]);
    await client.deleteCollection('things');
  });
});

describe('snapshots, by the published client', () => {
  test('of a collection that is being written have every write whole, and those before them', async () => {
    await fill(client, 'busy', 10);
    let isDone = false;
    let mark = 10;
    const writing = (async () => {
      for (; !isDone; mark++) await client.upsert('busy', { wait: true, points: batch(mark) });
    })();
    const recovered = await snapshotsRecovered();
    const snapshot = await client.createSnapshot('busy');
    const writtenBefore = mark;
    isDone = true;
    await writing;
    const location = `file://${directory}/snapshots/busy/${snapshot?.name}`;
    expect(await client.recoverSnapshot('copy', { location, priority: 'snapshot', checksum: snapshot?.checksum ?? null })).toBe(true);
    const points = await everything(server, 'copy');
    const marks = new Map<unknown, number>();
    for (const { payload } of points) marks.set(payload?.mark, (marks.get(payload?.mark) ?? 0) + 1);
    expect(new Set(marks.values())).toEqual(new Set([100]));
    expect([...marks.keys()]).toEqual(Array.from({ length: marks.size }, (_, index) => index));
    expect(marks.size).toBeGreaterThanOrEqual(10);
    expect(marks.size).toBeLessThanOrEqual(writtenBefore + 1);
    // The indexer brings the saved graph level.
    const probe = batch(3)[7];
    expect((await client.query('copy', { query: probe?.vector ?? [], limit: 1 })).points).toMatchObject([{ id: probe?.id, score: 0 }]);
    const metrics = await (await fetch(`${server.address}/metrics`)).text();
    expect(await snapshotsRecovered()).toBe(recovered + 1);
    expect(metrics).not.toContain('collection="busy"');
    // Reads and writes of all serving threads, with a label of their own.
    await clientOf(server)
      .getCollection('no-such-collection')
      .catch(() => undefined);
    const byCollection = await (await fetch(`${server.address}/metrics?per_collection=true`)).text();
    expect(byCollection).toMatch(
      /^rest_responses_total\{collection="busy",status="200",method="PUT",endpoint="\/collections\/\{collection_name\}\/points"\} \d+$/m,
    );
    expect(byCollection).toMatch(/^rest_responses_duration_seconds_count\{collection="copy",.*\} \d+$/m);
    expect(byCollection).not.toContain('no-such-collection');
    for (const name of ['busy', 'copy']) await client.deleteCollection(name);
  });
});

test('a snapshot gives the same points on another server, byte for byte', async () => {
  await fill(client, 'things', 4);
  const first = await client.createSnapshot('things');
  const file = await (await fetch(`${server.address}/collections/things/snapshots/${first?.name}`)).blob();
  const form = new FormData();
  form.set('snapshot', file, 'a.snapshot');
  const other = await sharedVectorServer();
  const reply = await fetch(`${other.address}/collections/moved/snapshots/upload?priority=snapshot&checksum=${first?.checksum}`, {
    method: 'POST',
    body: form,
  });
  expect([reply.status, await reply.json()]).toEqual([200, expect.objectContaining({ result: true })]);
  expect(await everything(other, 'moved')).toEqual(await everything(server, 'things'));
});
