// SPDX-License-Identifier: Apache-2.0
/** Shards that become twice as many while clients write. */
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type NodeOptions, type TestNode, temporaryCluster } from './replicas.fixture.ts';

const LINE = { vectors: { size: 1, distance: 'Dot' } } as const;
/** Only what hangs takes so long, on however busy a machine. */
const PATIENCE_MS = 60_000;
/** Of one shard. */
const HALVES = [['north'], ['north', 'east']];
const DIVIDED = { 1: ['north'], 2: ['north', 'east'] };
const points = (from: number, count = 10) =>
  Array.from({ length: count }, (_, at) => ({ id: from + at, vector: [from + at], payload: { n: from + at } }));

async function twoNodes(options: { readonly east?: Partial<NodeOptions>; readonly north?: Partial<NodeOptions> } = {}) {
  const cluster = temporaryCluster();
  const placement = [['north']];
  const open = (name: string, more: Partial<NodeOptions> = {}) =>
    cluster.open({ directory: cluster.directory(name), log: cluster.log(), name, placement, peers: cluster.peers, ...more });
  const north = await open('north', options.north);
  const east = await open('east', options.east);
  await north.engine.createCollection('line', LINE);
  await north.engine.createFieldIndex('line', 'n', { type: 'integer' });
  await north.engine.upsert('line', points(0, 100));
  return { north, east, open, cluster, [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose]() };
}

const begin = (node: TestNode, more: { readonly id?: string; readonly nodes?: readonly (readonly string[])[] } = {}) =>
  node.replicator?.onCatalog({ kind: 'begin_resharding', collection: 'line', id: 'first', nodes: HALVES, ...more });

const abort = (node: TestNode, id = 'first') => node.replicator?.onCatalog({ kind: 'abort_resharding', collection: 'line', id });

const definition = async (node: TestNode) => {
  await node.replicator?.caughtUp();
  return node.catalog.writer('line');
};

const placementAt = async (node: TestNode) => (await definition(node)).config.placement;

const partsOn = (node: TestNode) =>
  node.catalog
    .partsOf('line')
    .slice(1)
    .map((part) => part.replace('line\u001f', ''));

/** What is there of all points, as a node says and those that it asks. */
async function valuesAt(node: TestNode, other: TestNode): Promise<ReadonlyMap<unknown, unknown>> {
  for (const each of [node, other]) await each.replicator?.caughtUp();
  const { points: found } = await node.engine.scroll('line', { limit: 10_000, with_vector: true });
  const values = new Map(found.map(({ id, payload }) => [id, payload?.n]));
  expect(values.size).toBe(found.length);
  expect(await node.engine.count('line', {})).toBe(found.length);
  expect((await node.engine.collectionInfo('line')).points_count).toBe(found.length);
  return values;
}

test.concurrent('shards are divided while clients write, and schemas change', async ({ expect }) => {
  await using nodes = await twoNodes();
  const { north, east } = nodes;
  const expected = new Map<unknown, unknown>(Array.from({ length: 100 }, (_, id) => [id, id]));
  let isDivided = false;
  const writing = (async () => {
    for (let next = 100; !isDivided; next += 10) {
      await (next % 20 === 0 ? north : east).engine.upsert('line', points(next));
      for (const { id } of points(next)) expected.set(id, id);
      await north.engine.deletePoints('line', { points: [next - 95] });
      expected.delete(next - 95);
      await east.engine.setPayload('line', { selector: { points: [next] }, payload: { n: -next } });
      expected.set(next, -next);
      await east.engine.deletePoints('line', { filter: { must: [{ key: 'n', match: { value: next - 94 } }] } });
      expected.delete(next - 94);
    }
  })();
  await begin(north);
  await east.engine.createFieldIndex('line', 'm', { type: 'integer' });
  await expect.poll(() => placementAt(north), { timeout: PATIENCE_MS }).toEqual(DIVIDED);
  isDivided = true;
  await writing;
  await north.engine.upsert('line', points(5000));
  for (const { id } of points(5000)) expected.set(id, id);
  expect(await valuesAt(north, east)).toEqual(expected);
  expect(await valuesAt(east, north)).toEqual(expected);
  expect([partsOn(north), partsOn(east)]).toEqual([['1', '2'], ['2']]);
  expect(north.dump('line\u001f2')).toEqual(east.dump('line\u001f2'));
  const { config, sequence } = await definition(east);
  expect([config.resharding, config.params.shard_number]).toEqual([undefined, 2]);
  for (const part of east.catalog.partsOf('line')) expect(east.catalog.writer(part).sequence).toBe(sequence);
  const nearest = await east.engine.nearest('line', { vector: [1], limit: 3 });
  expect(nearest.map(({ id }) => id)).toEqual([5009, 5008, 5007]);
});

test.concurrent('what was not divided is served meanwhile, and the copies begin again after failures and stops', async ({ expect }) => {
  await using nodes = await twoNodes({ east: { beforeCopy: () => Promise.reject(new Error('cut')) } });
  const { north, east, open, cluster } = nodes;
  await begin(east);
  await expect.poll(() => east.replicator?.incoming.some(({ failure }) => failure === 'cut')).toBe(true);
  // North has all that it is to have; nobody reads it yet.
  await expect.poll(() => partsOn(north), { timeout: PATIENCE_MS }).toEqual(['0', '1', '2']);
  await north.engine.upsert('line', points(100, 50));
  expect((await valuesAt(north, east)).size).toBe(150);
  expect(await placementAt(north)).toEqual([['north']]);
  await north.engine.close();
  await east.engine.close();
  rmSync(cluster.directory('east'), { recursive: true });
  const northAgain = await open('north');
  expect(partsOn(northAgain)).toEqual(['0', '1', '2']);
  const eastAgain = await open('east');
  await northAgain.engine.upsert('line', points(150, 50));
  await expect.poll(() => placementAt(northAgain), { timeout: PATIENCE_MS }).toEqual(DIVIDED);
  expect((await valuesAt(northAgain, eastAgain)).size).toBe(200);
  expect(northAgain.dump('line\u001f2')).toEqual(eastAgain.dump('line\u001f2'));
});

test.concurrent('what is aborted leaves nothing, and its numbers are not given again', async ({ expect }) => {
  const beforeCopy = (signal: AbortSignal) =>
    new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
  let isHeld = true;
  await using nodes = await twoNodes({ east: { beforeCopy: (signal) => (isHeld ? beforeCopy(signal) : Promise.resolve()) } });
  const { north, east } = nodes;
  await begin(north);
  await expect.poll(() => partsOn(north), { timeout: PATIENCE_MS }).toEqual(['0', '1', '2']);
  await abort(east);
  isHeld = false;
  for (const node of [north, east]) {
    const { config } = await definition(node);
    expect([config.resharding, config.placement]).toEqual([undefined, [['north']]]);
    expect(node.replicator?.incoming).toEqual([]);
  }
  expect([partsOn(north), partsOn(east)]).toEqual([['0'], []]);
  await begin(east, { id: 'second', nodes: [['east'], ['north']] });
  await expect.poll(() => placementAt(north), { timeout: PATIENCE_MS }).toEqual({ 3: ['east'], 4: ['north'] });
  expect((await valuesAt(east, north)).size).toBe(100);
});

test.concurrent('what cannot be is refused alike on every node, and changes nothing', async ({ expect }) => {
  const beforeCopy = (signal: AbortSignal) =>
    new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
  await using nodes = await twoNodes({ east: { beforeCopy } });
  const { north, east } = nodes;
  const refused = async (asked: Promise<unknown> | undefined) => expect(asked).rejects.toMatchObject({ code: 'shard_change_refused' });
  await refused(begin(north, { nodes: HALVES.slice(1) }));
  await refused(abort(north));
  await refused(north.replicator?.onCatalog({ kind: 'begin_resharding', collection: 'line', id: 'keyed', key: 'a', nodes: HALVES }));
  expect((await definition(north)).config.shardNumbers).toBeUndefined();
  await begin(east);
  await refused(begin(north, { id: 'second' }));
  await refused(abort(north, 'second'));
  const note = (shard: number, node: string) =>
    north.replicator?.onCatalog({ kind: 'note_resharded', collection: 'line', id: 'first', shard, node });
  await refused(note(1, 'east'));
  await refused(note(0, 'north'));
  expect((await definition(east)).config.resharding).toMatchObject({ id: 'first' });
});

test.concurrent('the shards of a key are divided, and those of other keys stay', async ({ expect }) => {
  await using cluster = temporaryCluster();
  const open = (name: string) =>
    cluster.open({ directory: cluster.directory(name), log: cluster.log(), name, placement: [[]], peers: cluster.peers });
  const [north, east] = [await open('north'), await open('east')];
  await north.engine.createCollection('line', { vectors: { size: 1, distance: 'Cosine' }, sharding_method: 'custom' });
  const key = (name: string, nodes: readonly (readonly string[])[]) =>
    north.replicator?.onCatalog({ kind: 'create_shard_key', collection: 'line', key: name, nodes });
  await key('a', [['north']]);
  await key('b', [['east']]);
  for (const name of ['a', 'b']) await north.engine.upsert('line', points(0, 40), undefined, name);
  await north.engine.upsert('line', points(40, 40), undefined, 'a');
  await expect(begin(north, { nodes: [['east'], ['north']] })).rejects.toMatchObject({ code: 'shard_change_refused' });
  await north.replicator?.onCatalog({ kind: 'begin_resharding', collection: 'line', id: 'first', key: 'a', nodes: [['east'], ['north']] });
  await expect(north.replicator?.onCatalog({ kind: 'drop_shard_key', collection: 'line', key: 'a' })).rejects.toMatchObject({
    code: 'shard_change_refused',
  });
  await expect.poll(() => placementAt(east), { timeout: PATIENCE_MS }).toEqual({ 1: ['east'], 2: ['east'], 3: ['north'] });
  await north.engine.upsert('line', points(80, 40), undefined, 'a');
  // Between these nodes nothing waits for the other one.
  for (const node of [north, east]) await node.replicator?.caughtUp();
  for (const node of [north, east]) {
    expect(await node.engine.count('line', { shard_key: 'a' })).toBe(120);
    expect(await node.engine.count('line', { shard_key: 'b' })).toBe(40);
    // Each vector that was ever written is counted once, where none was while the copies were made.
    expect(Object.values((await node.engine.inputNorms('line')).vectors)).toMatchObject([{ written: 160 }]);
    expect(await node.engine.count('line', { shard_key: 'a', filter: { must: [{ has_id: [3, 90] }] } })).toBe(2);
  }
  await key('c', [['north']]);
  expect(await placementAt(east)).toMatchObject({ 4: ['north'] });
});
