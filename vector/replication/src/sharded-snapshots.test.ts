// SPDX-License-Identifier: Apache-2.0
/** Snapshots of collections in shards, and what becomes of them: a collection in as many shards elsewhere, or in one piece on a node that stands alone. */
import { join } from 'node:path';
import type { CreateCollection, PointInput, VectorOutput } from '@sextant/contracts-vector';
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { createShardedSnapshot, type EngineReads, openEmbeddedEngine, shardName } from '@sextant/vector-collection';
import { importHere } from '@sextant/vector-collection/conformance';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type NodeOptions, type TestNode, temporaryCluster } from './replicas.fixture.ts';

const CONFIG: CreateCollection = {
  vectors: {
    '': { size: 3, distance: 'Dot' },
    half: { size: 2, distance: 'Cosine', datatype: 'float16' },
    bytes: { size: 2, distance: 'Euclid', datatype: 'uint8' },
    many: { size: 2, distance: 'Dot', multivector_config: { comparator: 'max_sim' } },
  },
  sparse_vectors: { words: { modifier: 'idf' } },
  hnsw_config: { m: 24 },
  shard_number: 3,
  metadata: { of: 'tests' },
};
const PLACEMENT = [['north'], ['east'], ['north']];
const POINTS = 120;

const points: readonly PointInput[] = Array.from({ length: POINTS }, (_, at) => ({
  id: at % 3 === 0 ? `00000000-0000-4000-8000-${String(at).padStart(12, '0')}` : at,
  vector:
    at % 10 === 0
      ? {}
      : {
          '': [at, Math.sin(at), -1],
          half: [Math.cos(at), 0.5],
          bytes: [at % 200, 3],
          many: Array.from({ length: 1 + (at % 3) }, (__, part) => [part, at]),
          words: { indices: [at % 7, 100], values: [0.25, 2] },
        },
  payload: { at, word: `w${at % 5}`, exact: 9_007_199_254_740_993n },
}));

async function twoNodes(ofEast: Partial<NodeOptions> = {}) {
  const cluster = temporaryCluster();
  const open = (name: string, more: Partial<NodeOptions> = {}) =>
    cluster.open({ directory: cluster.directory(name), log: cluster.log(), name, placement: PLACEMENT, peers: cluster.peers, ...more });
  const north = await open('north');
  const east = await open('east', ofEast);
  await north.engine.createCollection('films', CONFIG);
  await north.engine.createFieldIndex('films', 'word', { type: 'keyword' });
  await north.engine.upsert('films', points);
  await north.engine.deletePoints('films', { points: [1, 2] });
  for (const { replicator } of [north, east]) await replicator?.caughtUp();
  return { north, east, cluster, [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose]() };
}

let nodes: Awaited<ReturnType<typeof twoNodes>>;
beforeAll(async () => {
  nodes = await twoNodes();
});
afterAll(() => nodes[Symbol.asyncDispose]());

/** @returns the file */
async function snapshotOf({ folder }: TestNode, shards: readonly TestNode[], indexes = [...shards.keys()]): Promise<string> {
  const { name } = await createShardedSnapshot({
    collection: 'films',
    count: shards.length,
    pack: async (part) => {
      const shard = indexes[Number(part)] ?? 0;
      const node = shards[shard];
      if (node === undefined) throw new Error('each shard is on a node');
      return node.snapshots.pack(shardName('films', shard));
    },
    folder,
    clock: systemClock,
    signal: new AbortController().signal,
  });
  return (await folder.locate({ kind: 'collection', name: 'films' }, name)).path;
}

async function everything(engine: EngineReads, collection: string) {
  const { config, payload_schema, points_count } = await engine.collectionInfo(collection);
  const found = await engine.scroll(collection, { limit: 10_000, with_payload: true, with_vector: true });
  const halves = found.points.flatMap(({ vector }) => halfOf(vector));
  const points = found.points.map(({ vector, ...point }) => ({ ...point, vector: { ...(vector as object), half: undefined } }));
  return { config, payload_schema, points_count, points, halves };
}

function halfOf(vector: VectorOutput | undefined): readonly number[] {
  const { half = [] } = vector as { readonly half?: readonly number[] };
  return half;
}

test('hold every point, vector, field index and setting, for a cluster and for a node that stands alone', async () => {
  const { north, east } = nodes;
  const path = await snapshotOf(north, [north, east, north]);
  const { halves, ...rest } = await everything(north.engine, 'films');
  // Brought to the length one again, a vector may differ in its last digit.
  const original = { ...rest, halves: halves.map((component) => expect.closeTo(component, 2)) };
  expect(original.points).toHaveLength(POINTS - 2);

  await east.snapshots.recover('copy', { path });
  for (const node of [north, east]) {
    await node.replicator?.caughtUp();
    expect(await everything(node.engine, 'copy')).toEqual(original);
    expect(node.catalog.isSharded('copy')).toBe(true);
  }

  await using directory = await temporaryDirectory();
  const alone = await openEmbeddedEngine({
    dataDirectory: join(directory.path, 'data'),
    clock: systemClock,
    random: seededRandom(1),
    importSnapshot: importHere,
  });
  try {
    await alone.recover('films', { path });
    expect(await everything(alone, 'films')).toEqual(original);
    // It is a collection as any other, whose snapshots a cluster takes in as well.
    const { name } = await alone.createSnapshot('films');
    const { path: whole } = await alone.snapshotFile({ collection: 'films', name });
    await north.snapshots.recover('again', { path: whole });
    expect(await everything(north.engine, 'again')).toEqual(original);
    await expect(alone.recover('films', { path })).rejects.toMatchObject({ code: 'collection_exists' });
  } finally {
    await alone.close();
  }
});

test('replace no collection in a cluster', async () => {
  const { north, east } = nodes;
  const path = await snapshotOf(north, [north, east, north]);
  await expect(east.snapshots.recover('films', { path })).rejects.toMatchObject({ code: 'collection_exists' });
  expect(await north.engine.count('films', {})).toBe(POINTS - 2);
});

test('are refused where a shard is not the one that its place says, and leave nothing', async () => {
  const { north, east } = nodes;
  const wrong = await snapshotOf(north, [north, east, north], [1, 1, 2]);
  await expect(north.snapshots.recover('refused', { path: wrong })).rejects.toMatchObject({
    code: 'snapshot_invalid',
    message: expect.stringContaining('it is not the requested shard'),
  });
  expect(await north.engine.collectionExists('refused')).toBe(false);
});

test('that find no room leave no collection', async () => {
  await using narrow = await twoNodes({ vectorMemoryBytes: 1 });
  const { north, east } = narrow;
  const path = await snapshotOf(north, [north, east, north]);
  await expect(east.snapshots.recover('copy', { path })).rejects.toMatchObject({ code: 'memory_exhausted' });
  expect(await east.engine.collectionExists('copy')).toBe(false);
});
