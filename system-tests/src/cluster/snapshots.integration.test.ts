// SPDX-License-Identifier: Apache-2.0
/** Snapshots of collections in shards on three nodes, made at one of them and recovered at another. */
import { execFileSync } from 'node:child_process';
import { openAsBlob } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChildServer, missingNats, temporaryDirectory } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { scrollAll, vectorApi } from '../vector-api.ts';
import { serverAt as at, type ClusterNodes, NODES } from './cluster-nodes.ts';
import { pausedRecovery, slowSnapshot } from './paused-recovery.ts';
import { sharedCluster } from './shared-cluster.ts';

const missing = missingNats();
const POINTS = 300;

describe.skipIf(missing !== undefined)(missing ?? 'three nodes over NATS', () => {
  test('make snapshots of what they have together, and recover them', { timeout: 300_000 }, async () => {
    const { cluster } = await sharedCluster();
    const config = { vectors: { size: 3, distance: 'Dot' }, shard_number: 2 };
    await call(at(cluster, 0), 'PUT', '/collections/films', config);
    await call(at(cluster, 0), 'PUT', '/collections/films/index?wait=true', { field_name: 'color', field_schema: 'keyword' });
    await call(at(cluster, 1), 'PUT', '/collections/whole', { vectors: { size: 1, distance: 'Dot' } });
    await call(at(cluster, 1), 'PUT', '/collections/whole/points', { points: [{ id: 1, vector: [1] }] });
    const points = Array.from({ length: POINTS }, (_, id) => ({
      id,
      vector: [id, 1, -id],
      payload: { color: id % 2 === 0 ? 'red' : 'blue' },
    }));
    await call(at(cluster, 2), 'PUT', '/collections/films/points', { points });

    const made = (await call(at(cluster, 0), 'POST', '/collections/films/snapshots')) as {
      readonly name: string;
      readonly checksum: string;
    };
    expect(await call(at(cluster, 0), 'GET', '/collections/films/snapshots')).toEqual([made]);
    expect(await upload(at(cluster, 1), 'restored', await download(at(cluster, 0), 'films', made.name), made.checksum)).toEqual([
      200,
      true,
    ]);
    const whole = (await call(at(cluster, 2), 'POST', '/collections/whole/snapshots')) as { readonly name: string };
    expect(await upload(at(cluster, 0), 'second', await download(at(cluster, 2), 'whole', whole.name))).toEqual([200, true]);

    const original = await scrollAll(vectorApi(at(cluster, 0).client).collection('films'));
    expect(original).toHaveLength(POINTS);
    for (const node of NODES.keys()) {
      for (const name of ['restored', 'second'])
        await call(at(cluster, node), 'POST', `/collections/${name}/points/count?consistency=majority`, {});
      const found = await scrollAll(vectorApi(at(cluster, node).client).collection('restored'));
      expect(found.map(withoutVersion)).toEqual(original.map(withoutVersion));
      expect(await call(at(cluster, node), 'POST', '/collections/restored/facet', { key: 'color' })).toEqual({
        hits: [
          { value: 'blue', count: POINTS / 2 },
          { value: 'red', count: POINTS / 2 },
        ],
      });
      expect(await call(at(cluster, node), 'POST', '/collections/second/points/count', {})).toEqual({ count: 1 });
    }
    expect(await call(at(cluster, 2), 'GET', '/collections/restored/cluster')).toMatchObject({ shard_count: 2 });

    const refused = async (node: number, method: string, path: string) => {
      const reply = await at(cluster, node).client.request(method, path);
      return `${reply.status} ${(reply.body as { readonly status: { readonly error: string } }).status.error}`;
    };
    expect(await upload(at(cluster, 1), 'films', await download(at(cluster, 0), 'films', made.name))).toEqual([
      409,
      'Collection already exists: films',
    ]);
    await recoverKeys(cluster);
    await recoverFromFull(cluster);
    await killWhileRecovering(cluster);
    expect(await refused(0, 'PUT', `/collections/films/snapshots/${made.name}/recover`)).toMatch(/^501 .*cannot be replaced in a cluster/);
    expect(await call(at(cluster, 0), 'DELETE', `/collections/films/snapshots/${made.name}`)).toBe(true);
    // What only a node has that is away cannot be packed.
    await cluster.servers[1]?.kill();
    expect(await refused(0, 'POST', '/collections/films/snapshots')).toMatch(/^503 A shard of films cannot be reached/);
    expect(await refused(0, 'POST', '/snapshots')).toMatch(/^503 A shard of \w+ cannot be reached/);
    expect(await call(at(cluster, 0), 'GET', '/collections/films/snapshots')).toEqual([]);
  });
});

/** A collection whose points keys divide, with one id under both, is packed at one node and taken in at another. */
async function recoverKeys(cluster: ClusterNodes): Promise<void> {
  await call(at(cluster, 0), 'PUT', '/collections/cities', { vectors: { size: 1, distance: 'Dot' }, sharding_method: 'custom' });
  await call(at(cluster, 1), 'PUT', '/collections/cities/shards', { shard_key: 'berlin', shards_number: 2, replication_factor: 2 });
  await call(at(cluster, 2), 'PUT', '/collections/cities/shards', { shard_key: 7 });
  for (const shard_key of ['berlin', 7]) {
    const points = Array.from({ length: 20 }, (_, id) => ({ id, vector: [id], payload: { of: String(shard_key) } }));
    await call(at(cluster, 0), 'PUT', '/collections/cities/points', { points, shard_key });
  }
  const { name } = (await call(at(cluster, 1), 'POST', '/collections/cities/snapshots')) as { readonly name: string };
  expect(await upload(at(cluster, 2), 'towns', await download(at(cluster, 1), 'cities', name))).toEqual([200, true]);
  const pageOf = async (collection: string) => {
    const page = await call(at(cluster, 0), 'POST', `/collections/${collection}/points/scroll?consistency=majority`, { limit: 100 });
    return page as { readonly points: readonly object[] };
  };
  const original = await pageOf('cities');
  expect(original.points).toHaveLength(40);
  expect(await pageOf('towns')).toEqual(original);
  expect(await call(at(cluster, 1), 'GET', '/collections/towns/shards')).toEqual({ shard_keys: [{ key: 'berlin' }, { key: 7 }] });
  const { local_shards, remote_shards } = (await call(at(cluster, 0), 'GET', '/collections/towns/cluster')) as Placed;
  const copies = [...local_shards, ...remote_shards].map(({ shard_id, shard_key }) => `${shard_id} ${shard_key}`);
  expect(copies.toSorted()).toEqual(['0 berlin', '0 berlin', '1 berlin', '1 berlin', '2 7']);
}

/** One archive has everything of the cluster, whichever node makes it; each collection is recovered from its member. */
async function recoverFromFull(cluster: ClusterNodes): Promise<void> {
  await call(at(cluster, 0), 'POST', '/collections/aliases', {
    actions: [{ create_alias: { alias_name: 'movies', collection_name: 'films' } }],
  });
  const made = (await call(at(cluster, 1), 'POST', '/snapshots')) as { readonly name: string };
  expect(await call(at(cluster, 1), 'GET', '/snapshots')).toEqual([made]);
  await using directory = await temporaryDirectory();
  const archive = join(directory.path, 'full.tar');
  await writeFile(archive, Buffer.from(await (await fileOf(at(cluster, 1), `/snapshots/${made.name}`)).arrayBuffer()));
  execFileSync('tar', ['-xf', archive, '-C', directory.path]);
  const { collections, aliases } = JSON.parse(await readFile(join(directory.path, 'manifest.json'), 'utf8')) as FullManifest;
  expect(aliases).toEqual([{ alias_name: 'movies', collection_name: 'films' }]);
  expect(collections.map(({ collection }) => collection)).toEqual(['cities', 'films', 'restored', 'second', 'towns', 'whole']);
  for (const [collection, count] of [
    ['films', POINTS],
    ['whole', 1],
  ] as const) {
    const member = collections.find((each) => each.collection === collection)?.name ?? '';
    const target = `full-${collection}`;
    expect(await upload(at(cluster, 2), target, await openAsBlob(join(directory.path, member)))).toEqual([200, true]);
    expect(await call(at(cluster, 2), 'POST', `/collections/${target}/points/count`, {})).toEqual({ count });
  }
  expect(await call(at(cluster, 1), 'DELETE', `/snapshots/${made.name}`)).toBe(true);
  expect(await call(at(cluster, 1), 'GET', '/snapshots')).toEqual([]);
}

/** A node that is killed while it writes the points of a snapshot leaves no part of the collection, on any node. */
async function killWhileRecovering(cluster: ClusterNodes): Promise<void> {
  const { file, count } = await slowSnapshot(at(cluster, 0), 'large', { shard_number: 2 });
  const about = async (node: number, method: string, path: string, body?: object): Promise<Reply> => {
    const reply = await at(cluster, node).client.request(method, `/collections/part${path}`, body);
    const { result, status } = reply.body as { readonly result?: unknown; readonly status: { readonly error?: string } };
    return { status: reply.status, result, error: status.error };
  };
  const recovering = await pausedRecovery({ file, target: 'part', node: at(cluster, 1), observer: at(cluster, 0) });
  // It stands still in the middle, and the others do not take what they have for the whole.
  const sentence = expect.stringContaining('is being recovered from a snapshot');
  expect(recovering.described).toMatchObject({ status: 'yellow', warnings: [{ message: sentence }] });
  const refused = { status: 503, error: sentence };
  for (const node of [0, 2]) {
    for (const path of ['/points/count', '/points/scroll']) expect(await about(node, 'POST', path, {})).toMatchObject(refused);
    expect(await about(node, 'POST', '/points/search?consistency=majority', { vector: [1], limit: 1 })).toMatchObject(refused);
    expect(await about(node, 'POST', '/snapshots')).toMatchObject(refused);
    expect(await about(node, 'PUT', '/points', { points: [{ id: 1, vector: [-1] }] })).toMatchObject(refused);
    expect(await call(at(cluster, node), 'GET', '/collections/part/exists')).toEqual({ exists: true });
  }
  await at(cluster, 1).kill();
  expect(await recovering.outcome).toBe('no answer');
  await cluster.start(1);
  for (const node of NODES.keys()) {
    const exists = () => call(at(cluster, node), 'GET', '/collections/part/exists');
    await expect.poll(exists, { timeout: 60_000 }).toEqual({ exists: false });
  }
  expect(await upload(at(cluster, 1), 'part', file)).toEqual([200, true]);
  // A node that does not know of the end yet asks the log before it refuses.
  expect(await call(at(cluster, 2), 'POST', '/collections/part/points/count', {})).toEqual({ count });
}

type Reply = { readonly status: number; readonly result: unknown; readonly error: string | undefined };
type FullManifest = {
  readonly collections: readonly { readonly name: string; readonly collection: string }[];
  readonly aliases: readonly unknown[];
};
type Shard = { readonly shard_id: number; readonly shard_key: unknown };
type Placed = { readonly local_shards: readonly Shard[]; readonly remote_shards: readonly Shard[] };

function withoutVersion({ id, payload, vector }: { readonly id: unknown; readonly payload?: unknown; readonly vector?: unknown }) {
  return { id, payload, vector };
}

function download(server: ChildServer, collection: string, name: string): Promise<Blob> {
  return fileOf(server, `/collections/${collection}/snapshots/${name}`);
}

async function fileOf(server: ChildServer, path: string): Promise<Blob> {
  const reply = await fetch(`${server.address}${path}`);
  expect(reply.status).toBe(200);
  return reply.blob();
}

async function upload(server: ChildServer, collection: string, file: Blob, checksum?: string): Promise<readonly unknown[]> {
  const form = new FormData();
  form.set('snapshot', file, 'taken.snapshot');
  const query = checksum === undefined ? '' : `?checksum=${checksum}`;
  const reply = await fetch(`${server.address}/collections/${collection}/snapshots/upload${query}`, { method: 'POST', body: form });
  const { result, status } = (await reply.json()) as { readonly result?: unknown; readonly status: { readonly error?: string } };
  return [reply.status, result ?? status.error];
}

function call(server: ChildServer, method: string, path: string, body?: object): Promise<unknown> {
  return vectorApi(server.client).call(method, path, body);
}
