// SPDX-License-Identifier: Apache-2.0
/** Shards that come to nodes and leave them while clients write. */
import { rmSync } from 'node:fs';
import { type Clock, systemClock } from '@sextant/foundation-std';
import type { Transfer } from '@sextant/vector-collection';
import { expect, test } from 'vitest';
import { type NodeOptions, rewind, type TestNode, temporaryCluster } from './replicas.fixture.ts';

const LINE = { vectors: { size: 1, distance: 'Dot' } } as const;
const SHARDS = ['line\u001f0', 'line\u001f1'] as const;
/** Only what hangs takes so long, on however busy a machine. */
const PATIENCE_MS = 60_000;
const points = (from: number, count = 10) =>
  Array.from({ length: count }, (_, at) => ({ id: from + at, vector: [from + at], payload: { n: from + at } }));

/** Nodes announce themselves often, and all else takes its time. */
const beatingClock: Clock = { ...systemClock, every: (ms, action) => systemClock.every(ms / 50, action) };

async function twoNodes(options: { readonly east?: Partial<NodeOptions> } = {}) {
  const cluster = temporaryCluster();
  const placement = [['north'], ['north', 'east']];
  const open = (name: string, more: Partial<NodeOptions> = {}) =>
    cluster.open({ directory: cluster.directory(name), log: cluster.log(), name, placement, peers: cluster.peers, ...more });
  const north = await open('north');
  const east = await open('east', options.east);
  await north.engine.createCollection('line', LINE);
  await north.engine.upsert('line', points(0, 100));
  return { north, east, open, cluster, [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose]() };
}

const begin = (node: TestNode, transfer: Partial<Transfer> = {}) =>
  node.replicator?.onCatalog({
    kind: 'begin_transfer',
    collection: 'line',
    transfer: { id: 'first', shard: 0, from: 'north', to: 'east', isMove: false, ...transfer },
  });

const enforce = (value: boolean, revision: number) =>
  ({ kind: 'change_credentials', revision, changes: [{ kind: 'put', key: 'auth/enforced', value }] }) as const;

const definition = async (node: TestNode) => {
  await node.replicator?.caughtUp();
  return node.catalog.writer('line');
};

const placementAt = async (node: TestNode) => (await definition(node)).config.placement;

const holds = (node: TestNode, shard: string) => node.catalog.partsOf('line').includes(shard);

async function expectEqual(nodes: readonly TestNode[], shard: string): Promise<void> {
  for (const node of nodes) await node.replicator?.caughtUp();
  const [first, ...others] = nodes.map((node) => node.dump(shard));
  for (const other of others) expect(other).toEqual(first);
}

test.concurrent('a shard is copied while clients write, schemas change and aliases move', async ({ expect }) => {
  await using nodes = await twoNodes();
  const { north, east } = nodes;
  await north.engine.createCollection('other', LINE);
  await north.engine.changeAliases([{ create_alias: { alias_name: 'alias', collection_name: 'line' } }]);
  let isCopied = false;
  let next = 100;
  const writing = (async () => {
    while (!isCopied) {
      const alias = next % 60 === 0 ? 'other' : 'line';
      if (next % 30 === 0) {
        await east.engine.changeAliases([
          { delete_alias: { alias_name: 'alias' } },
          { create_alias: { alias_name: 'alias', collection_name: alias } },
        ]);
      }
      await (next % 20 === 0 ? north : east).engine.upsert('alias', points(next));
      await north.engine.deletePoints('line', { points: [next - 95] });
      next += 10;
    }
  })();
  await begin(north);
  await east.engine.createFieldIndex('line', 'n', { type: 'integer' });
  await expect
    .poll(() => placementAt(north), { timeout: PATIENCE_MS })
    .toEqual([
      ['north', 'east'],
      ['north', 'east'],
    ]);
  isCopied = true;
  await writing;
  await north.engine.upsert('line', points(5000));
  for (const shard of SHARDS) await expectEqual([north, east], shard);
  expect(east.catalog.writer(SHARDS[0]).pointCount).toBeGreaterThan(50);
  expect((await definition(east)).config.transfers).toBeUndefined();
});

test.concurrent('what a shard takes in after its copy bears the batch by which a node notices a log that was restored to another state', async ({
  expect,
}) => {
  const afterCopy = () => nodes.north.engine.upsert('line', points(100, 50));
  await using nodes = await twoNodes({ east: { afterCopy } });
  const { north, east } = nodes;
  await begin(east, { isMove: true });
  await expect.poll(() => placementAt(north), { timeout: PATIENCE_MS }).toEqual([['east'], ['north', 'east']]);
  expect(east.catalog.followed(SHARDS[0])?.applied).toEqual(east.catalog.followed(SHARDS[1])?.applied);
  expect(east.catalog.followed(SHARDS[0])?.applied.batch).toBeDefined();
});

test.concurrent('a move takes the shard from the node that had it, and the log is kept until it has come', async ({ expect }) => {
  let openGate: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    openGate = resolve;
  });
  await using nodes = await twoNodes({ east: { beforeCopy: () => gate, clock: beatingClock } });
  const { north, east, cluster } = nodes;
  await begin(east, { isMove: true });
  await expect.poll(() => east.replicator?.incoming).toMatchObject([{ shard: SHARDS[0], phase: 'copying' }]);
  const { last } = cluster.store;
  const { transfers } = (await definition(north)).config;
  expect(transfers).toMatchObject([{ shard: 0, from: 'north', to: 'east', isMove: true }]);
  expect(await placementAt(north)).toEqual([['north'], ['north', 'east']]);
  expect(holds(east, SHARDS[0])).toBe(false);
  await north.engine.upsert('line', points(100, 50));
  await east.replicator?.caughtUp();
  // It announces itself again, and not that it has what the copy may lack.
  const seenMs = cluster.store.members.get('east')?.seenMs ?? 0;
  await expect.poll(() => cluster.store.members.get('east')?.seenMs).toBeGreaterThan(seenMs);
  expect(cluster.store.members.get('east')?.applied).toBe(last);
  openGate();
  await expect.poll(() => cluster.store.members.get('east')?.applied, { timeout: PATIENCE_MS }).toBeGreaterThan(last);
  await expect.poll(() => placementAt(north), { timeout: PATIENCE_MS }).toEqual([['east'], ['north', 'east']]);
  await east.replicator?.caughtUp();
  expect([holds(north, SHARDS[0]), holds(east, SHARDS[0])]).toEqual([false, true]);
  expect(await north.engine.count('line', {})).toBe(150);
});

test.concurrent('what cannot be is refused alike on every node, and changes nothing', async ({ expect }) => {
  await using nodes = await twoNodes();
  const { north, east } = nodes;
  const refused = async (asked: Promise<unknown> | undefined) => expect(asked).rejects.toMatchObject({ code: 'shard_change_refused' });
  await refused(begin(north, { shard: 2 }));
  await refused(begin(east, { from: 'west' }));
  await refused(begin(north, { shard: 1 }));
  const drop = (node: TestNode, shard: number, name: string) =>
    node.replicator?.onCatalog({ kind: 'drop_replica', collection: 'line', shard, node: name });
  await refused(drop(east, 0, 'north'));
  await refused(drop(north, 0, 'east'));
  expect(await placementAt(east)).toEqual([['north'], ['north', 'east']]);
  await drop(east, 1, 'north');
  expect(await placementAt(north)).toEqual([['north'], ['east']]);
  expect(holds(north, SHARDS[1])).toBe(false);
  expect(await north.engine.count('line', {})).toBe(100);
});

test.concurrent('an aborted transfer leaves nothing, and a later one begins again', async ({ expect }) => {
  let copies = 0;
  const beforeCopy = async (signal: AbortSignal) => {
    copies += 1;
    if (copies === 1) await new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
  };
  await using nodes = await twoNodes({ east: { beforeCopy } });
  const { north, east } = nodes;
  await begin(north);
  await expect.poll(() => copies).toBe(1);
  await north.replicator?.onCatalog({ kind: 'end_transfer', collection: 'line', id: 'first', isDone: false });
  expect((await definition(east)).config.transfers).toBeUndefined();
  expect(east.replicator?.incoming).toEqual([]);
  await begin(north, { id: 'second' });
  await expect
    .poll(() => placementAt(north), { timeout: PATIENCE_MS })
    .toEqual([
      ['north', 'east'],
      ['north', 'east'],
    ]);
  await expectEqual([north, east], SHARDS[0]);
});

test.concurrent('a transfer outlives the stop of either node, also one that forgets how far it was', async ({ expect }) => {
  await using nodes = await twoNodes({ east: { beforeCopy: () => new Promise((_, reject) => setTimeout(reject, 50, new Error('cut'))) } });
  const { north, east, open, cluster } = nodes;
  await begin(north);
  await expect.poll(() => east.replicator?.incoming).toMatchObject([{ failure: 'cut' }]);
  await east.engine.close();
  await north.engine.upsert('line', points(100));
  await north.engine.close();
  const northAgain = await open('north');
  const eastAgain = await open('east');
  await northAgain.engine.upsert('line', points(200));
  await expect
    .poll(() => placementAt(northAgain), { timeout: PATIENCE_MS })
    .toEqual([
      ['north', 'east'],
      ['north', 'east'],
    ]);
  for (const shard of SHARDS) await expectEqual([northAgain, eastAgain], shard);
  const before = eastAgain.dump(SHARDS[0]);
  await eastAgain.engine.close();
  rewind(cluster.directory('east'), { marks: true });
  const rewound = await open('east');
  await rewound.replicator?.caughtUp();
  expect(rewound.dump(SHARDS[0])).toEqual(before);
});

test.concurrent('a node that lost its disk gets its shards from those who have them', async ({ expect }) => {
  await using nodes = await twoNodes();
  const { north, east, open, cluster } = nodes;
  await begin(north);
  await expect
    .poll(() => placementAt(north), { timeout: PATIENCE_MS })
    .toEqual([
      ['north', 'east'],
      ['north', 'east'],
    ]);
  await east.engine.close();
  rmSync(cluster.directory('east'), { recursive: true });
  await north.engine.upsert('line', points(100));
  const again = await open('east');
  await expect.poll(() => again.replicator?.incoming, { timeout: PATIENCE_MS }).toEqual([]);
  for (const shard of SHARDS) await expectEqual([north, again], shard);
});

test.concurrent('a node that lost its disk begins from the others where the log has forgotten its beginning', async ({ expect }) => {
  await using nodes = await twoNodes();
  const { north, east, open, cluster } = nodes;
  await north.engine.createCollection('gone', LINE);
  await north.engine.deleteCollection('gone');
  await north.engine.changeAliases([{ create_alias: { alias_name: 'alias', collection_name: 'line' } }]);
  await north.replicator?.onCatalog(enforce(true, 0));
  await north.engine.upsert('alias', points(100));
  await east.engine.close();
  rmSync(cluster.directory('east'), { recursive: true });
  const { last } = cluster.store;
  await cluster.log().truncate({ below: last });
  let isOver = false;
  const writing = (async () => {
    for (let next = 200; !isOver; next += 10) await north.engine.upsert('alias', points(next));
  })();
  const again = await open('east');
  await expect.poll(() => again.replicator?.incoming, { timeout: PATIENCE_MS }).toEqual([]);
  isOver = true;
  await writing;
  await again.engine.deletePoints('alias', { points: [1, 2, 3] });
  for (const part of ['line', SHARDS[1]]) await expectEqual([north, again], part);
  expect(again.catalog.aliases()).toEqual(north.catalog.aliases());
  expect(again.catalog.credentials.documents()).toEqual([
    { key: 'auth/enforced', value: true },
    { key: 'auth-revision', value: 1 },
  ]);
  expect([again.failures, cluster.store.first]).toEqual([[], last]);
  // Its standing is that of any node: it starts again from where it was.
  await again.engine.close();
  const restarted = await open('east');
  await expectEqual([north, restarted], SHARDS[1]);
});
