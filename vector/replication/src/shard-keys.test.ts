// SPDX-License-Identifier: Apache-2.0
/** Engines whose callers divide the points by keys, on one node and on two. */

import { type Clock, systemClock } from '@sextant/foundation-std';
import { describeShardKeys } from '@sextant/vector-collection/conformance';
import { expect, test } from 'vitest';
import { openNode, type TestNode, temporaryCluster } from './replicas.fixture.ts';

const keyed = (node: TestNode, placement: readonly (readonly string[])[]) => ({
  ...node.engine,
  createShardKey: async (collection: string, key: string | number) =>
    node.replicator?.onCatalog({ kind: 'create_shard_key', collection, key, nodes: placement }),
  dropShardKey: async (collection: string, key: string | number) => node.replicator?.onCatalog({ kind: 'drop_shard_key', collection, key }),
});

describeShardKeys('engine of a node', async () => {
  const cluster = temporaryCluster();
  const node = await openNode({ directory: cluster.directory('a'), log: cluster.log(), shards: 1 });
  return {
    engine: keyed(node, [['a'], ['a']]),
    [Symbol.asyncDispose]: async () => {
      await node.engine.close();
      await cluster[Symbol.asyncDispose]();
    },
  };
});

test('steps of a query tell points of one id apart by their keys', async () => {
  await using cluster = temporaryCluster();
  const node = await cluster.open({ directory: cluster.directory('a'), log: cluster.log(), shards: 1 });
  const engine = keyed(node, [['a'], ['a']]);
  await engine.createCollection('map', { vectors: { size: 2, distance: 'Euclid' }, sharding_method: 'custom' });
  for (const key of ['berlin', 'rome']) {
    await engine.createShardKey('map', key);
    const points = [1, 2, 3].map((id) => ({ id, vector: [id, key === 'rome' ? 4 : 0], payload: { key, kind: id % 2 } }));
    await engine.upsert('map', points, undefined, key);
  }
  const shown = { with_payload: false, with_vector: false, offset: 0 } as const;
  const names = (hits: readonly { readonly id: unknown; readonly shard_key?: unknown }[]) =>
    hits.map(({ id, shard_key: key }) => `${id} ${key}`);
  const near = (x: number, y: number, limit: number) => ({ prefetch: [], query: { kind: 'nearest', to: [x, y] }, limit }) as const;

  // 3 of Rome is first in one list and in none of the other; 1 of Berlin the other way round.
  const fused = { ...shown, prefetch: [near(3, 4, 2), near(1, 0, 1)], query: { kind: 'rrf', k: 2 }, limit: 9 } as const;
  expect(names(await engine.query('map', fused)).toSorted()).toEqual(['1 berlin', '2 rome', '3 rome']);
  expect(names(await engine.query('map', { ...fused, shard_key: 'berlin' })).toSorted()).toEqual(['1 berlin', '2 berlin', '3 berlin']);

  // What a prefetch has not found is not scored by the query above it.
  const rescored = { ...shown, prefetch: [near(3, 4, 1)], query: { kind: 'nearest', to: [0, 0] }, limit: 9 } as const;
  expect(await engine.query('map', { ...rescored, with_payload: true })).toMatchObject([
    { id: 3, shard_key: 'rome', payload: { key: 'rome' } },
  ]);

  const expression = { sum: ['$score', { mult: [100, { key: 'key', match: { value: 'rome' } }] }] };
  const formula = { ...shown, prefetch: [near(1, 0, 6)], query: { kind: 'formula', expression, defaults: {} }, limit: 3 } as const;
  expect(names(await engine.query('map', formula))).toEqual(['3 rome', '2 rome', '1 rome']);

  const groups = await engine.queryGroups('map', { ...near(3, 4, 2), ...shown, group_by: 'key', group_size: 2 });
  expect(groups.map(({ id, hits }) => [id, names(hits)])).toEqual([
    ['rome', ['3 rome', '2 rome']],
    ['berlin', ['3 berlin', '2 berlin']],
  ]);
  const recommended = { kind: 'recommend', positive: [{ id: 1 }], negative: [], strategy: 'best_score' } as const;
  expect(names(await engine.query('map', { ...shown, prefetch: [], query: recommended, limit: 9, shard_key: 'rome' }))).toEqual([
    '2 rome',
    '3 rome',
  ]);
  expect(names(await engine.query('map', { ...shown, prefetch: [], limit: 3 }))).toEqual(['1 berlin', '1 rome', '2 berlin']);
  const mmr = { kind: 'nearest', to: [3, 4], mmr: { diversity: 0.5, candidates_limit: 6 } } as const;
  expect(new Set(names(await engine.query('map', { ...shown, prefetch: [], query: mmr, limit: 6 }))).size).toBe(6);

  await engine.createCollection('people', { vectors: { size: 2, distance: 'Euclid' } });
  await engine.upsert('people', [{ id: 9, vector: [1, 4], payload: {} }]);
  const looked = { ...shown, prefetch: [], query: { kind: 'nearest', to: { id: 3 } }, limit: 1 } as const;
  const fromRome = { ...looked, lookup_from: { collection: 'map', shard_key: 'rome' } };
  expect(await engine.query('people', fromRome)).toMatchObject([{ id: 9, score: 2 }]);
  expect((await engine.query('people', { ...looked, lookup_from: { collection: 'map' } }))[0]?.score).toBeCloseTo(Math.hypot(2, 4));
  const drawn = await engine.sample('map', { limit: 9, having: '' });
  expect(new Set(names(drawn)).size).toBe(6);
  expect(await engine.neighboursAmong('map', { id: 1, among: [1, 2, 3], limit: 2 })).toMatchObject([{ id: 2 }, { id: 3 }]);
  // Near 9 of Oslo lie 3 of Oslo, 2 and 3 of Berlin, and 1: each id counts once, where it is nearest.
  await engine.createShardKey('map', 'oslo');
  const inOslo = [
    { id: 9, vector: [2.1, 1], payload: {} },
    { id: 3, vector: [2.1, 1.5], payload: {} },
  ];
  await engine.upsert('map', inOslo, undefined, 'oslo');
  const nearest = await engine.neighboursAmong('map', { id: 9, among: [1, 2, 3, 9], limit: 3 });
  expect(names(nearest)).toEqual(['3 oslo', '2 berlin', '1 berlin']);
});

/** Nodes announce themselves often, and all else takes its time. */
const beatingClock: Clock = { ...systemClock, every: (ms, action) => systemClock.every(ms / 50, action) };

test('a shard of a key is copied while clients write under all keys, and keys come and go', async () => {
  await using cluster = temporaryCluster();
  const open = (name: string) =>
    cluster.open({
      directory: cluster.directory(name),
      log: cluster.log(),
      name,
      shards: 1,
      peers: cluster.peers,
      clock: beatingClock,
      // What comes meanwhile is read from the log beside the node's own work.
      afterCopy: async () => {
        for (let at = 0; at < 100; at++) await north.engine.upsert('map', pointsAt(200 + at), undefined, at % 2 === 0 ? 'rome' : 'berlin');
        await keyed(north, [['north']]).createShardKey('map', 'oslo');
      },
    });
  const pointsAt = (id: number) => [{ id, vector: [id], payload: { id } }];
  const north = await open('north');
  const east = await open('east');
  const engine = keyed(north, [['north']]);
  await engine.createCollection('map', { vectors: { size: 1, distance: 'Dot' }, sharding_method: 'custom' });
  for (const key of ['berlin', 'rome', 'oslo']) await engine.createShardKey('map', key);
  for (const key of ['berlin', 'rome']) await engine.upsert('map', [0, 1, 2, 3].flatMap(pointsAt), undefined, key);
  await engine.dropShardKey('map', 'oslo');
  const transfer = { id: 'first', shard: 1, from: 'north', to: 'east', isMove: false };
  await north.replicator?.onCatalog({ kind: 'begin_transfer', collection: 'map', transfer });
  await expect(engine.dropShardKey('map', 'rome')).rejects.toMatchObject({ code: 'shard_change_refused' });
  await engine.createFieldIndex('map', 'id', { type: 'integer' });
  const placement = async () => {
    await east.replicator?.caughtUp();
    return east.catalog.writer('map').config.placement;
  };
  await expect.poll(placement, { timeout: 60_000 }).toEqual({ 0: ['north'], 1: ['north', 'east'], 3: ['north'] });
  await engine.deletePoints('map', { points: [1, 200] });
  for (const node of [north, east]) await node.replicator?.caughtUp();
  expect(east.dump('map\u001f1')).toEqual(north.dump('map\u001f1'));
  expect(east.catalog.writer('map\u001f1').pointCount).toBe(3 + 49);
  expect(await engine.count('map', { shard_key: 'berlin' })).toBe(3 + 50);
  expect(east.catalog.partsOf('map')).toEqual(['map', 'map\u001f1']);
});
