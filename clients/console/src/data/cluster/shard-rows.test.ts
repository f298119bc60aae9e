// SPDX-License-Identifier: Apache-2.0
import type { CollectionClusterInfo } from '@sextant/sdk';
import { expect, test } from 'vitest';
import type { EnabledCluster } from './queries.ts';
import { isInShards, nodeRows, shardRows, sources, targets } from './shard-rows.ts';

const node = (name: string, applied: number, silent_seconds: number) => ({
  uri: `http://${name}`,
  name,
  applied,
  has_room: true,
  silent_seconds,
});
// The members that the rows are made of.
const CLUSTER = {
  peer_id: 1,
  peers: { 1: node('north', 10, 0), 2: node('east', 7, 3), 3: node('south', 10, 11) },
  raft_info: { commit: 10 },
} as unknown as EnabledCluster;
const INFO = {
  peer_id: 1,
  shard_count: 2,
  local_shards: [{ shard_id: 0, points_count: 5, state: 'Active' }],
  remote_shards: [
    { shard_id: 1, peer_id: 2, state: 'Active' },
    { shard_id: 0, peer_id: 2, state: 'Partial' },
    { shard_id: 1, peer_id: 9, state: 'Dead' },
  ],
  shard_transfers: [{ shard_id: 0, from: 1, to: 2, sync: true, method: 'snapshot', comment: '1.0 of 2.0 MB received' }],
} as unknown as CollectionClusterInfo;

test('nodes are by name, with how far behind they are and whether they are away', () => {
  expect(nodeRows(CLUSTER)).toEqual([
    { id: 2, name: 'east', address: 'http://east', isOwn: false, behind: 3, silentSeconds: 3, isAway: false },
    { id: 1, name: 'north', address: 'http://north', isOwn: true, behind: 0, silentSeconds: 0, isAway: false },
    { id: 3, name: 'south', address: 'http://south', isOwn: false, behind: 0, silentSeconds: 11, isAway: true },
  ]);
});

test('shards have their copies and transfers; a node that is not known any more has its number', () => {
  const nodes = nodeRows(CLUSTER);
  const [first, second] = shardRows(INFO, nodes);
  expect(first).toEqual({
    shard: 0,
    key: undefined,
    points: 5,
    holders: [
      { id: 2, name: 'east', state: 'Partial' },
      { id: 1, name: 'north', state: 'Active' },
    ],
    transfers: [{ from: 1, to: 2, text: 'north to east: 1.0 of 2.0 MB received' }],
  });
  expect(second?.points).toBeUndefined();
  expect(second?.holders.map(({ name }) => name)).toEqual(['9', 'east']);
});

test('a copy is made from a whole one, on a node that is there and has none', () => {
  const nodes = nodeRows(CLUSTER);
  const [first, second] = shardRows(INFO, nodes);
  if (first === undefined || second === undefined) throw new Error('the collection has two shards');
  expect(sources(first).map(({ name }) => name)).toEqual(['north']);
  expect(targets(first, nodes)).toEqual([]);
  expect(targets(second, nodes).map(({ name }) => name)).toEqual(['north']);
});

test('shards of keys say their keys, and their numbers may have gaps', () => {
  const keyed = {
    peer_id: 1,
    shard_count: 1,
    local_shards: [],
    remote_shards: [{ shard_id: 4, shard_key: 'berlin', peer_id: 2, state: 'Active' }],
    shard_transfers: [],
  } as unknown as CollectionClusterInfo;
  expect(shardRows(keyed, nodeRows(CLUSTER))).toMatchObject([{ shard: 4, key: 'berlin', holders: [{ name: 'east' }] }]);
  expect(isInShards(keyed)).toBe(true);
  expect(isInShards({ ...INFO, shard_count: 1 })).toBe(false);
});
