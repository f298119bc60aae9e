// SPDX-License-Identifier: Apache-2.0
import type { CollectionClusterInfo } from '@sextant/sdk';
import { expect, test } from 'vitest';
import { reshardingOf } from './resharding-rows.ts';
import type { NodeRow } from './shard-rows.ts';

const NODES = [
  { id: 1, name: 'north' },
  { id: 2, name: 'east' },
] as unknown as readonly NodeRow[];
const infoOf = (resharding_operations: readonly object[]) => ({ resharding_operations }) as unknown as CollectionClusterInfo;

test('copies of new shards are by shard and node, with how far each is; a node that is not known any more has its number', () => {
  const info = infoOf([
    { direction: 'up', shard_id: 3, shard_key: 'acme', peer_id: 9, comment: 'the node south is away' },
    { direction: 'up', shard_id: 2, shard_key: 'acme', peer_id: 1, comment: '1.0 of 2.0 MB received' },
    { direction: 'up', shard_id: 2, shard_key: 'acme', peer_id: 2, comment: 'complete; waiting for the other copies' },
  ]);
  expect(reshardingOf(info, NODES)).toEqual({
    direction: 'up',
    key: 'acme',
    complete: 1,
    copies: [
      { shard: 2, node: 'east', isComplete: true, progress: 'complete; waiting for the other copies' },
      { shard: 2, node: 'north', isComplete: false, progress: '1.0 of 2.0 MB received' },
      { shard: 3, node: '9', isComplete: false, progress: 'the node south is away' },
    ],
  });
});

test('a collection whose shards stay as they are has no resharding', () => {
  expect(reshardingOf(infoOf([]), NODES)).toBeUndefined();
});
