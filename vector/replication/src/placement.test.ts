// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { placeShards } from './placement.ts';

const none = new Map<string, number>();

test('shards and their copies are spread evenly, each on nodes of its own', () => {
  const placement = placeShards({ shards: 6, replicas: 2, nodes: ['c', 'a', 'b'], held: none });
  expect(placement).toHaveLength(6);
  for (const nodes of placement) expect(new Set(nodes).size).toBe(2);
  expect(['a', 'b', 'c'].map((node) => placement.flat().filter((each) => each === node).length)).toEqual([4, 4, 4]);
});

test('a node that holds shards already gets fewer', () => {
  const held = new Map([['a', 2]]);
  expect(placeShards({ shards: 2, replicas: 1, nodes: ['a', 'b'], held })).toEqual([['b'], ['b']]);
});

test('there are no more copies than nodes', () => {
  expect(placeShards({ shards: 1, replicas: 3, nodes: ['a', 'b'], held: none })).toEqual([['a', 'b']]);
});
