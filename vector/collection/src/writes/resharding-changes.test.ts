// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { comingShards, placedShards, shardOfPoint } from '../model/shards.ts';
import { changedPlacement, type Placed } from './placement-changes.ts';

const collection = 'films';
const IDS = Array.from({ length: 200 }, (_, id) => id);

/** Begun, and each copy noted in turn. */
function divided(placed: Placed, id: string, key?: string): Placed {
  const count = 2 * placedShards(collection, placed).filter(({ place }) => place.key === key).length;
  const nodes = Array.from({ length: count }, (_, index) => (index === 0 ? ['a', 'b'] : ['b']));
  const begun = changedPlacement(placed, { kind: 'begin_resharding', collection, id, nodes, ...(key === undefined ? {} : { key }) });
  expect(placedShards(collection, begun)).toEqual(placedShards(collection, placed));
  const copies = comingShards(collection, begun).flatMap(({ number: shard, nodes: on }) => on.map((node) => ({ shard, node })));
  return copies.reduce((state, copy) => {
    // Until the last copy is there, reads have the shards that there were.
    expect(placedShards(collection, state)).toEqual(placedShards(collection, placed));
    return changedPlacement(state, { kind: 'note_resharded', collection, id, ...copy });
  }, begun);
}

test('each new shard is made from the one that has its points, also when that was made from another', () => {
  let placed: Placed = { placement: [['a'], ['a', 'c']], transfers: [] };
  for (const id of ['first', 'second']) {
    const before = placedShards(collection, placed);
    const nodes = before.flatMap(() => [['a'], ['b']]);
    const coming = comingShards(collection, changedPlacement(placed, { kind: 'begin_resharding', collection, id, nodes }));
    for (const { place, parent } of coming) {
      const own = IDS.filter((each) => shardOfPoint(each, place.count) === place.index);
      expect(own.length).toBeGreaterThan(0);
      for (const each of own) expect(shardOfPoint(each, parent.place.count)).toBe(parent.place.index);
      expect(before).toContainEqual({ number: parent.number, name: parent.name, nodes: parent.nodes, place: parent.place });
    }
    placed = divided(placed, id);
    expect(placedShards(collection, placed)).toMatchObject(coming.map(({ number, name, place }) => ({ number, name, place })));
  }
  expect(placedShards(collection, placed).map(({ number }) => number)).toEqual([6, 7, 8, 9, 10, 11, 12, 13]);
  expect([placed.resharding, placed.shardNumbers?.next]).toEqual([undefined, 14]);
});

test('what is on its way of the old shards ends with them, and that of other keys stays', () => {
  const move = (id: string, shard: number) => ({ id, shard, from: 'a', to: 'c', isMove: true });
  const placed: Placed = {
    placement: { 0: ['a'], 1: ['a'] },
    transfers: [move('of a', 0), move('of b', 1)],
    shardKeys: {
      next: 2,
      keys: [
        { key: 'a', shards: [0] },
        { key: 'b', shards: [1] },
      ],
    },
  };
  const { placement, transfers, shardKeys } = divided(placed, 'first', 'a');
  expect(transfers.map(({ id }) => id)).toEqual(['of b']);
  expect(placement).toEqual({ 1: ['a'], 2: ['a', 'b'], 3: ['b'] });
  expect(shardKeys).toEqual({
    next: 4,
    keys: [
      { key: 'a', shards: [2, 3] },
      { key: 'b', shards: [1] },
    ],
  });
});
