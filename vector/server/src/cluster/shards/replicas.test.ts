// SPDX-License-Identifier: Apache-2.0
/** Which replica is asked, and what becomes of one that does not answer. */
import { ServiceError } from '@sextant/contracts-vector';
import { manualClock } from '@sextant/foundation-std';
import { type ShardReads, shardName } from '@sextant/vector-collection';
import { expect, test } from 'vitest';
import { PeerFailure } from './peer-client.ts';
import type { ShardQuestion } from './question.ts';
import { Replicas } from './replicas.ts';

const SHARD = shardName('films', 3);
const own = {} as ShardReads;

function replicasOf(ask: (node: string, question: ShardQuestion, signal: AbortSignal) => Promise<unknown>, dead: readonly string[] = []) {
  const clock = manualClock();
  const asked: string[] = [];
  const peers = new Map(['a', 'b', 'c'].map((node) => [node, { node, address: node, isDead: dead.includes(node) }]));
  const replicas = new Replicas({
    node: 'a',
    own,
    peers: () => peers,
    ask: (address, question, signal) => {
      asked.push(address);
      return ask(address, question, signal);
    },
    atLeast: () => 17,
    clock,
    // The first of the nodes that are given.
    random: { integer: () => 0 } as never,
  });
  return { clock, asked, peers, count: (nodes: readonly string[]) => replicas.readsOf(nodes).count(SHARD, {}) };
}

test('a shard that is here is asked here', () => {
  const clock = manualClock();
  const random = { integer: () => 0 } as never;
  const options = {
    node: 'a',
    own,
    peers: () => new Map(),
    ask: () => Promise.reject(new Error('asked')),
    atLeast: () => 0,
    clock,
    random,
  };
  expect(new Replicas(options).readsOf(['b', 'a'])).toBe(own);
});

test('a question names the shard and the position that its answer may not be older than', async () => {
  const questions: ShardQuestion[] = [];
  const { count } = replicasOf(async (_, question) => {
    questions.push(question);
    return 5;
  });
  expect(await count(['b'])).toBe(5);
  expect(questions).toEqual([{ read: 'count', shard: SHARD, request: {}, atLeast: 17 }]);
});

test('a replica that fails is passed over, and one that is dead is asked last', async () => {
  const failing = replicasOf(async (node) => {
    if (node === 'b') throw new PeerFailure('it is not ready');
    return 1;
  });
  expect(await failing.count(['b', 'c'])).toBe(1);
  expect(failing.asked).toEqual(['b', 'c']);
  const { asked, count } = replicasOf(async () => 1, ['b']);
  await count(['b', 'c']);
  expect(asked).toEqual(['c']);
});

test('without any replica left the read fails, and says why', async () => {
  const { count } = replicasOf(async (node) => {
    throw new PeerFailure(`${node} is away`);
  });
  await expect(count(['b', 'c', 'd'])).rejects.toMatchObject({
    code: 'shard_unavailable',
    details: { collection: 'films', reason: 'd: the cluster does not know it; b: b is away; c: c is away' },
  });
});

test('a node that has just joined is waited for, and not for ever', async () => {
  const { clock, peers, count } = replicasOf(async (node) => node);
  const joining = count(['d']);
  peers.set('d', { node: 'd', address: 'd', isDead: false });
  await waited(clock);
  expect(await joining).toBe('d');
  const missing = expect(count(['e'])).rejects.toMatchObject({ details: { reason: 'e: the cluster does not know it' } });
  for (let turn = 0; turn < 100; turn += 1) await waited(clock);
  await missing;
});

async function waited(clock: ReturnType<typeof manualClock>): Promise<void> {
  await new Promise(setImmediate);
  clock.advance(50);
}

test('what a shard refuses is not asked again', async () => {
  const { asked, count } = replicasOf(async () => {
    throw new ServiceError('index_required', { key: 'x', types: 'y' });
  });
  await expect(count(['b', 'c'])).rejects.toMatchObject({ code: 'index_required' });
  expect(asked).toEqual(['b']);
});

test('a late answer is asked for at another replica, and the one that is not needed ends', async () => {
  const ended: string[] = [];
  const { clock, asked, count } = replicasOf((node, _, signal) => {
    if (node === 'c') return Promise.resolve(2);
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        ended.push(node);
        reject(new PeerFailure('ended'));
      });
    });
  });
  const answer = count(['b', 'c']);
  expect(asked).toEqual(['b']);
  clock.advance(1000);
  expect(await answer).toBe(2);
  expect({ asked, ended }).toEqual({ asked: ['b', 'c'], ended: ['b'] });
});
