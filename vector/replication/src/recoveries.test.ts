// SPDX-License-Identifier: Apache-2.0
/** A collection that is made from a snapshot on two nodes: what others may do to it meanwhile, and what becomes of the recovery then. */
import type { CreateCollection, PointInput } from '@sextant/contracts-vector';
import { systemClock } from '@sextant/foundation-std';
import { type CollectionOperation, shardName } from '@sextant/vector-collection';
import { MemoryLog, type OperationLog } from '@sextant/vector-log';
import { expect, test } from 'vitest';
import { openNode, rewind, type TestNode, temporaryCluster } from './replicas.fixture.ts';

const CONFIG: CreateCollection = { vectors: { size: 1, distance: 'Dot' } };
const PLACEMENT = [['north'], ['east']];
/** More than are written at a time. */
const POINTS = 3000;
const SHARDS = [shardName('films', 0), shardName('films', 1)] as const;

const pointsOf = (count: number) => Array.from({ length: count }, (_, id) => ({ id, vector: [id], payload: { at: id } }));
const foreign = { id: 1, vector: [-1], payload: { of: 'another' } };

/** @param beforeAppend of north */
async function twoNodes(beforeAppend: () => Promise<void> = async () => undefined) {
  const cluster = temporaryCluster();
  const open = (name: string, log: OperationLog) =>
    cluster.open({ directory: cluster.directory(name), log, name, placement: PLACEMENT, peers: cluster.peers });
  const north = await open('north', new HookedLog(cluster, beforeAppend));
  const east = await open('east', cluster.log());
  return { cluster, open, north, east, [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose]() };
}

class HookedLog extends MemoryLog {
  readonly #beforeAppend: () => Promise<void>;

  constructor({ store }: Pick<ReturnType<typeof temporaryCluster>, 'store'>, beforeAppend: () => Promise<void>) {
    super(store, systemClock);
    this.#beforeAppend = beforeAppend;
  }

  override async append(entry: Parameters<OperationLog['append']>[0]): Promise<number> {
    await this.#beforeAppend();
    return super.append(entry);
  }
}

/** Of a node that stands alone: its file. */
async function snapshotFile(cluster: ReturnType<typeof temporaryCluster>): Promise<string> {
  const alone = await openNode({ directory: cluster.directory('alone') });
  try {
    await alone.engine.createCollection('films', CONFIG);
    await alone.engine.createFieldIndex('films', 'at', { type: 'integer' });
    await alone.engine.upsert('films', pointsOf(POINTS));
    const { name } = await alone.snapshots.create('films');
    return (await alone.folder.locate({ kind: 'collection', name: 'films' }, name)).path;
  } finally {
    await alone.engine.close();
  }
}

/** As a recovery begins, by way of the log. */
const begin = ({ replicator }: TestNode) =>
  replicator?.onCatalog({
    kind: 'create_sharded_collection',
    collection: 'films',
    request: CONFIG,
    placement: PLACEMENT,
    recovery: { id: 'first', node: 'north' },
  });
const end = ({ replicator }: TestNode) => replicator?.onCatalog({ kind: 'end_recovery', collection: 'films', id: 'first', isDone: true });
const upsert = (more: { readonly recovery?: string; readonly points?: readonly PointInput[] }): CollectionOperation => ({
  kind: 'upsert',
  collection: 'films',
  points: pointsOf(10),
  ...more,
});

test('a collection that was deleted during its recovery and made again gets nothing of it', async () => {
  let appends = 0;
  const instead = async () => {
    if (north?.catalog.recoveries.of('films') === undefined) return;
    appends += 1;
    // The field index, and some of the points.
    if (appends !== 3) return;
    await east?.engine.deleteCollection('films');
    await east?.engine.createCollection('films', CONFIG);
    await east?.engine.upsert('films', [foreign]);
  };
  let north: TestNode | undefined;
  let east: TestNode | undefined;
  await using nodes = await twoNodes(() => instead());
  ({ north, east } = nodes);
  const path = await snapshotFile(nodes.cluster);
  await expect(north.snapshots.recover('films', { path })).rejects.toMatchObject({
    code: 'recovery_ended',
    message: expect.stringContaining('the collection films was deleted while the snapshot was written to it'),
  });
  for (const node of [north, east]) {
    await node.replicator?.caughtUp();
    const { points } = await node.engine.scroll('films', { with_payload: true });
    expect(points.map(({ id, payload }) => ({ id, payload }))).toEqual([{ id: 1, payload: { of: 'another' } }]);
    expect((await node.engine.collectionInfo('films')).payload_schema).toEqual({});
    expect(node.catalog.recoveries.unfinished()).toEqual([]);
  }
  // It has stopped, rather than sent all of its writes to be refused.
  expect(appends).toBeLessThan(10);
});

test('one that was deleted alone ends the recovery with the same reason', async () => {
  let east: TestNode | undefined;
  let north: TestNode | undefined;
  await using nodes = await twoNodes(async () => {
    if (north?.catalog.recoveries.of('films') !== undefined) await east?.engine.deleteCollection('films');
  });
  ({ north, east } = nodes);
  const path = await snapshotFile(nodes.cluster);
  await expect(north.snapshots.recover('films', { path })).rejects.toMatchObject({ code: 'recovery_ended' });
  expect(await north.engine.collectionExists('films')).toBe(false);
});

const OTHERS: { readonly [what: string]: (node: TestNode) => Promise<unknown> | undefined } = {
  'an upsert': ({ engine }) => engine.upsert('films', [foreign]),
  'a deletion by filter': ({ engine }) => engine.deletePoints('films', { filter: {} }),
  'a deletion of points': ({ engine }) => engine.deletePoints('films', { points: [1] }),
  'a payload': ({ engine }) => engine.setPayload('films', { selector: { points: [1] }, payload: { a: 1 } }),
  'a field index': ({ engine }) => engine.createFieldIndex('films', 'at', { type: 'integer' }),
  'a vector': ({ engine }) => engine.createVector('films', 'other', { dense: { size: 2, distance: 'Dot' } }),
  'a setting': ({ engine }) => engine.updateCollection('films', { metadata: { of: 'another' } }),
};

test.each(Object.entries(OTHERS))('%s of anybody else is refused until the recovery has ended, and done then', async (_, write) => {
  await using nodes = await twoNodes();
  const { north, east } = nodes;
  await begin(north);
  await north.replicator?.onCollection(upsert({ recovery: 'first' }));
  for (const node of [north, east])
    await expect(write(node)).rejects.toMatchObject({
      code: 'collection_recovering',
      message: expect.stringContaining('films is being recovered from a snapshot'),
    });
  await end(north);
  for (const node of [east, north]) await expect(write(node)).resolves.toBeDefined();
});

test('keys are made by the recovery, and neither made nor dropped by anybody else', async () => {
  await using nodes = await twoNodes();
  const { north, east } = nodes;
  const request = { ...CONFIG, sharding_method: 'custom' } as const;
  const key = (name: string, recovery?: string) =>
    ({ kind: 'create_shard_key', collection: 'films', key: name, nodes: [['east']], ...(recovery && { recovery }) }) as const;
  const recovery = { id: 'first', node: 'north' };
  await north.replicator?.onCatalog({ kind: 'create_sharded_collection', collection: 'films', request, placement: [], recovery });
  await north.replicator?.onCatalog(key('berlin', 'first'));
  const refused = { code: 'collection_recovering' };
  await expect(east.replicator?.onCatalog(key('paris'))).rejects.toMatchObject(refused);
  await expect(east.replicator?.onCatalog({ kind: 'drop_shard_key', collection: 'films', key: 'berlin' })).rejects.toMatchObject(refused);
  await expect(north.replicator?.onCatalog(key('rome', 'second'))).rejects.toMatchObject({ code: 'recovery_ended' });
  expect(await east.engine.shardKeys('films')).toEqual(['berlin']);
});

test('what was refused at its position stays refused where the log is read again', async () => {
  await using nodes = await twoNodes();
  const { north, east, cluster, open } = nodes;
  await begin(north);
  await north.replicator?.onCollection(upsert({ recovery: 'first' }));
  // Past the look of the node, as from one that knows nothing of the recovery yet.
  await expect(east.replicator?.onCollection(upsert({ points: [foreign] }))).rejects.toMatchObject({
    code: 'collection_recovering',
  });
  await end(north);
  await expect(north.replicator?.onCollection(upsert({ recovery: 'first' }))).rejects.toMatchObject({ code: 'recovery_ended' });
  await east.replicator?.caughtUp();
  const before = [north.dump(SHARDS[0]), east.dump(SHARDS[1])];
  await east.engine.close();
  rewind(cluster.directory('east'), { marks: true });
  const again = await open('east', cluster.log());
  expect([north.dump(SHARDS[0]), again.dump(SHARDS[1])]).toEqual(before);
  expect(await again.engine.count('films', {})).toBe(10);
});

test('a shard that comes to a node during the recovery takes in what the recovery wrote, and nothing else', async () => {
  const cluster = temporaryCluster();
  await using _ = cluster;
  let meanwhile: () => Promise<unknown> = async () => undefined;
  const open = (name: string) =>
    cluster.open({
      directory: cluster.directory(name),
      log: cluster.log(),
      name,
      placement: PLACEMENT,
      peers: cluster.peers,
      afterCopy: () => meanwhile(),
    });
  const north = await open('north');
  const east = await open('east');
  await begin(north);
  const transfer = { id: 'copy', shard: 1, from: 'east', to: 'north', isMove: false };
  meanwhile = async () => {
    await north.replicator?.onCollection(upsert({ recovery: 'first' }));
    await east.replicator?.onCollection(upsert({ points: [foreign] })).catch(() => undefined);
    await end(north);
    await north.replicator?.onCollection(upsert({ recovery: 'first' })).catch(() => undefined);
    await east.engine.deletePoints('films', { points: [2] });
  };
  await north.replicator?.onCatalog({ kind: 'begin_transfer', collection: 'films', transfer });
  await expect.poll(() => north.catalog.partsOf('films').length, { timeout: 60_000 }).toBe(3);
  await expect.poll(() => north.replicator?.incoming, { timeout: 60_000 }).toEqual([]);
  expect(north.dump(SHARDS[1])).toEqual(east.dump(SHARDS[1]));
  expect(await east.engine.count('films', {})).toBe(9);
});
