// SPDX-License-Identifier: Apache-2.0
/** Which replica is asked, and what becomes of one that does not answer. */
import { ServiceError } from '@sextant/contracts-vector';
import { manualClock, systemClock } from '@sextant/foundation-std';
import { type ShardReads, shardName } from '@sextant/vector-collection';
import { expect, test } from 'vitest';
import { PeerFailure, ShardAbsentError } from './peer-client.ts';
import type { ShardQuestion } from './question.ts';
import { Replicas } from './replicas.ts';

const SHARD = shardName('films', 3);
const own = {} as ShardReads;

/** Leaves the nodes in the order in which the cluster names them. */
const inOrder = (bound: number) => bound - 1;

function replicasOf(
  ask: (node: string, question: ShardQuestion, signal: AbortSignal) => Promise<unknown>,
  { dead = [], turn = inOrder }: { readonly dead?: readonly string[]; readonly turn?: (bound: number) => number } = {},
) {
  const clock = manualClock();
  const asked: string[] = [];
  const peers = new Map(['a', 'b', 'c'].map((node) => [node, { node, address: node, isDead: dead.includes(node) }]));
  const replicas = new Replicas({
    node: 'a',
    own,
    has: () => false,
    reached: async () => {},
    peers: () => peers,
    ask: (address, question, signal) => {
      asked.push(address);
      return ask(address, question, signal);
    },
    atLeast: () => 17,
    clock,
    random: { integer: (bound: number) => turn(bound) } as never,
  });
  return { clock, asked, peers, count: (nodes: readonly string[], shard = SHARD) => replicas.readsOf(() => nodes).count(shard, {}) };
}

type Held = { readonly nodes: () => readonly string[]; readonly has: () => boolean; readonly count: ShardReads['count'] };

/** A node `a` beside `b`, which answers 2. */
let now = 0;

function besideOne({ nodes, has, count }: Held, reached: (position: number) => Promise<void> = async () => {}) {
  const replicas = new Replicas({
    node: 'a',
    own: { count } as ShardReads,
    has,
    reached,
    peers: () => new Map(['a', 'b', 'c'].map((node) => [node, { node, address: node, isDead: false }])),
    ask: async (node) => {
      if (node === 'c') throw new ShardAbsentError(40);
      return 2;
    },
    atLeast: () => 0,
    // What it waits for comes at once, or has not come when its time is over.
    clock: { ...manualClock(), monotonicMs: () => (now += 4000), after: (_, action) => systemClock.after(0, action) },
    random: { integer: inOrder } as never,
  });
  return replicas.readsOf(nodes).count(SHARD, {});
}

test('a shard that is here is asked here, and one that is still on its way here elsewhere', async () => {
  const held = { nodes: () => ['b', 'a'], count: async () => 1 };
  expect(await besideOne({ ...held, has: () => true })).toBe(1);
  expect(await besideOne({ ...held, has: () => false })).toBe(2);
});

test('a shard that leaves this node while it is read is asked where it has gone', async () => {
  let isHere = true;
  const count = async () => {
    isHere = false;
    throw new ServiceError('collection_not_found', { collection: SHARD });
  };
  expect(await besideOne({ nodes: () => (isHere ? ['a'] : ['b']), has: () => isHere, count })).toBe(2);
  const missing = besideOne({ nodes: () => ['a'], has: () => true, count });
  await expect(missing).rejects.toMatchObject({ code: 'collection_not_found' });
});

test('a node that has given a shard up says from where on the placement names another', async () => {
  const reached: number[] = [];
  const nodes = () => (reached.length === 0 ? ['c'] : ['b']);
  const own = { has: () => false, count: async () => 1 };
  const reach = async (position: number) => void reached.push(position);
  expect(await besideOne({ ...own, nodes }, reach)).toBe(2);
  expect(reached).toEqual([40]);
  let looks = 0;
  const later = () => (looks++ < 2 ? ['c'] : ['b']);
  expect(await besideOne({ ...own, nodes: later })).toBe(2);
  await expect(besideOne({ ...own, nodes: () => ['c'] })).rejects.toMatchObject({ code: 'shard_unavailable' });
  await expect(besideOne({ ...own, nodes: () => [] })).rejects.toMatchObject({ code: 'collection_not_found' });
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
  const { asked, count } = replicasOf(async () => 1, { dead: ['b'] });
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

test('all shards that are asked for in one moment are asked for at the same nodes, and in the next moment perhaps at others', async () => {
  let drawn = 0;
  const { asked, count } = replicasOf(async () => 1, { turn: () => drawn++ % 2 });
  const moment = () =>
    Promise.all([0, 1, 2, 3].map((index) => count(index % 2 === 0 ? ['b', 'c'] : ['c', 'b'], shardName('films', index))));
  await moment();
  await moment();
  expect(asked).toEqual(['c', 'c', 'c', 'c', 'b', 'b', 'b', 'b']);
});

/** What an aborted request does. */
const endless = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new PeerFailure('ended'))));

test('no more than a few questions are asked twice because they are late, and the others when the replica seems to have stopped', async () => {
  const { clock, asked, count } = replicasOf((node, _, signal) => (node === 'c' ? Promise.resolve(2) : endless(signal)));
  const answers = Array.from({ length: 40 }, () => count(['b', 'c']));
  expect(asked).toHaveLength(40);
  clock.advance(300);
  expect(asked.filter((node) => node === 'c')).toHaveLength(10);
  clock.advance(500);
  expect(await Promise.all(answers)).toEqual(answers.map(() => 2));
});

async function answered(answer: Promise<unknown>, clock: ReturnType<typeof manualClock>): Promise<void> {
  let isThere = false;
  void answer.then(() => {
    isThere = true;
  });
  while (!isThere) await waited(clock);
}

test('what was late and not needed any more counts among the times of answers', async () => {
  let isLate = true;
  const { clock, asked, count } = replicasOf((node, _, signal) => (node === 'b' && isLate ? endless(signal) : Promise.resolve(2)));
  for (let question = 0; question < 10; question += 1) await answered(count(['b', 'c']), clock);
  isLate = false;
  // So many earn that another may be asked twice.
  for (let question = 0; question < 30; question += 1) await count(['b', 'c']);
  isLate = true;
  asked.length = 0;
  const answer = count(['b', 'c']);
  clock.advance(100);
  expect(asked).toEqual(['b']);
  await answered(answer, clock);
  expect(asked).toEqual(['b', 'c']);
});
