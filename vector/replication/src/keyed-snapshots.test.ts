// SPDX-License-Identifier: Apache-2.0
/** Snapshots of collections whose points keys divide, and what becomes of them: the same keys on the nodes of a cluster, and nothing where there can be none. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { createShardedSnapshot, openEmbeddedEngine, type ShardedSnapshotOptions } from '@sextant/vector-collection';
import { importHere } from '@sextant/vector-collection/conformance';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type NodeOptions, type TestNode, temporaryCluster } from './replicas.fixture.ts';

const KEYS = [
  { key: 'berlin', shards: 2, replicas: 2 },
  { key: 'rome', shards: 1, replicas: 1 },
  { key: 7, shards: 1, replicas: 1 },
] as const;

async function twoNodes(ofEast: Partial<NodeOptions> = {}) {
  const cluster = temporaryCluster();
  const open = (name: string, more: Partial<NodeOptions> = {}) =>
    cluster.open({ directory: cluster.directory(name), log: cluster.log(), name, shards: 1, peers: cluster.peers, ...more });
  const north = await open('north');
  const east = await open('east', ofEast);
  const { engine } = north;
  await engine.createCollection('cities', { vectors: { size: 2, distance: 'Dot' }, sharding_method: 'custom', metadata: { of: 'tests' } });
  for (const { key, shards } of KEYS) {
    // The last shard is on the other node.
    const nodes = Array.from({ length: shards }, () => (key === 7 ? ['east'] : ['north']));
    await north.replicator?.onCatalog({ kind: 'create_shard_key', collection: 'cities', key, nodes });
  }
  await engine.createFieldIndex('cities', 'city', { type: 'keyword' });
  // One id under two keys is two points.
  for (const key of ['berlin', 'rome']) {
    const points = Array.from({ length: 150 }, (_, id) => ({ id, vector: [id, key.length], payload: { city: key, id } }));
    await engine.upsert('cities', points, undefined, key);
  }
  await engine.deletePoints('cities', { points: [1] }, 'rome');
  for (const { replicator } of [north, east]) await replicator?.caughtUp();
  return { north, east, cluster, [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose]() };
}

type Nodes = Awaited<ReturnType<typeof twoNodes>>;

let nodes: Nodes;
beforeAll(async () => {
  nodes = await twoNodes();
});
afterAll(() => nodes[Symbol.asyncDispose]());

/** @returns the file */
async function snapshotOf({ north, east }: Pick<Nodes, 'north' | 'east'>, changed: Partial<ShardedSnapshotOptions> = {}): Promise<string> {
  const { name } = await createShardedSnapshot({
    collection: 'cities',
    count: 4,
    keys: KEYS,
    pack: (part) => packed(part === 3 ? east : north, part),
    folder: north.folder,
    clock: systemClock,
    signal: new AbortController().signal,
    ...changed,
  });
  return (await north.folder.locate({ kind: 'collection', name: 'cities' }, name)).path;
}

function packed(node: TestNode, part: number | 'definition') {
  return node.snapshots.pack(part === 'definition' ? 'cities' : `cities\u001f${part}`);
}

async function everything({ engine }: TestNode, collection: string) {
  const { config, payload_schema } = await engine.collectionInfo(collection);
  const { points } = await engine.scroll(collection, { limit: 10_000, with_payload: true, with_vector: true });
  return { config, payload_schema, keys: await engine.shardKeys(collection), points };
}

test('hold every key with its points, field indexes and settings', async () => {
  const { north, east } = nodes;
  const path = await snapshotOf(nodes);
  const original = await everything(north, 'cities');
  expect(original.points).toHaveLength(150 + 149);

  await east.snapshots.recover('copy', { path });
  for (const node of [north, east]) {
    await node.replicator?.caughtUp();
    expect(await everything(node, 'copy')).toEqual(original);
    expect(await node.engine.count('copy', { shard_key: 'rome' })).toBe(149);
    expect(node.catalog.writer('copy').config.placement).toEqual({
      0: ['east', 'north'],
      1: ['east', 'north'],
      2: ['east'],
      3: ['east'],
    });
  }
  // It goes on as any other does.
  await north.replicator?.onCatalog({ kind: 'create_shard_key', collection: 'copy', key: 'oslo', nodes: [['north']] });
  await north.engine.upsert('copy', [{ id: 1, vector: [1, 1], payload: {} }], undefined, 'oslo');
  expect(await north.engine.shardKeys('copy')).toEqual(['berlin', 'rome', 7, 'oslo']);
});

test('hold a collection that has no key yet', async () => {
  const { north } = nodes;
  await north.snapshots.recover('keyless', { path: await snapshotOf(nodes, { count: 0, keys: [] }) });
  expect(await north.engine.shardKeys('keyless')).toEqual([]);
  expect(Object.keys((await north.engine.collectionInfo('keyless')).payload_schema)).toEqual(['city']);
});

test('are refused by a node that stands alone, which says where they can be recovered', async () => {
  const path = await snapshotOf(nodes);
  await using directory = await temporaryDirectory();
  const alone = await openEmbeddedEngine({
    dataDirectory: join(directory.path, 'data'),
    clock: systemClock,
    random: seededRandom(1),
    importSnapshot: importHere,
  });
  try {
    await expect(alone.recover('cities', { path })).rejects.toMatchObject({
      code: 'snapshot_invalid',
      message: expect.stringContaining('recover it in a cluster whose nodes share SERVICE_CLUSTER_SECRET'),
    });
    expect(await alone.collectionExists('cities')).toBe(false);
  } finally {
    await alone.close();
  }
});

test.for<readonly [string, Partial<ShardedSnapshotOptions> | 'damaged', string]>([
  ['one of whose shards is missing', { count: 3 }, 'its manifest has keys with 4 shards, and members for 3'],
  ['one of whose keys is there twice', { keys: [KEYS[1], KEYS[1], KEYS[0]] }, 'its manifest has the shard key "rome" twice'],
  ['whose shards are under other keys', { keys: [KEYS[1], KEYS[0], KEYS[2]] }, 'it is not the requested shard'],
  ['a part of which is damaged', 'damaged', 'is damaged'],
])('%s are refused, and leave nothing', async ([, changed, reason]) => {
  const { east } = nodes;
  const path = await snapshotOf(nodes, changed === 'damaged' ? {} : changed);
  if (changed === 'damaged') {
    const bytes = await readFile(path);
    bytes.writeUInt8(bytes.readUInt8(bytes.length / 2) ^ 1, bytes.length / 2);
    await writeFile(path, bytes);
  }
  await expect(east.snapshots.recover('refused', { path })).rejects.toMatchObject({
    code: 'snapshot_invalid',
    message: expect.stringContaining(reason),
  });
  expect(await east.engine.collectionExists('refused')).toBe(false);
});

test('that find no room leave neither keys nor a collection', async () => {
  await using narrow = await twoNodes({ vectorMemoryBytes: 1 });
  const { east } = narrow;
  const path = await snapshotOf(narrow, { count: 1, keys: [KEYS[1]], pack: (part) => packed(narrow.north, part === 0 ? 2 : part) });
  await expect(east.snapshots.recover('copy', { path })).rejects.toMatchObject({ code: 'memory_exhausted' });
  expect(await east.engine.collectionExists('copy')).toBe(false);
  expect(east.catalog.partsOf('copy')).toEqual(['copy']);
});
