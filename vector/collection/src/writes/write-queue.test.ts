// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { type QueuedWrite, WriteQueue } from './write-queue.ts';

test('writes that arrive together are committed together, in their order', async () => {
  const groups: string[][] = [];
  const queue = new WriteQueue(async (group) => {
    groups.push(
      group.map((write) => {
        write.run();
        return names.get(write) ?? '';
      }),
    );
    for (const { done } of group) done();
  });
  const names = new Map<QueuedWrite, string>();
  const added = ['a', 'b', 'c'].map(
    (name) =>
      new Promise<void>((resolve) => {
        const write = { vectors: 1, run: () => undefined, done: () => resolve() };
        names.set(write, name);
        queue.add(write);
      }),
  );
  await Promise.all(added);
  expect(groups).toEqual([['a', 'b', 'c']]);
});

test('a write that arrives during a commit waits for the next, and idle waits for it', async () => {
  const sizes: number[] = [];
  let answered = 0;
  const write = { vectors: 1, run: () => undefined, done: () => answered++ };
  const queue = new WriteQueue(async (group) => {
    sizes.push(group.length);
    if (sizes.length === 1) queue.add(write);
    await Promise.resolve();
    for (const { done } of group) done();
  });
  queue.add(write);
  await queue.idle();
  expect(sizes).toEqual([1, 1]);
  expect(answered).toBe(2);
});

test.each([
  { vectors: Array.from({ length: 100 }, () => 1), groups: [64, 36] },
  { vectors: [1000, 1000, 1000, 1000, 1000, 1000], groups: [4, 2] },
  { vectors: [4096, 1, 9000, 9000, 0], groups: [1, 1, 1, 1, 1] },
])('a group has 64 writes and 4,096 vectors at most: $groups', async ({ vectors, groups }) => {
  const sizes: number[] = [];
  const queue = new WriteQueue(async (group) => {
    sizes.push(group.length);
    for (const { done } of group) done();
  });
  for (const count of vectors) queue.add({ vectors: count, run: () => undefined, done: () => undefined });
  await queue.idle();
  expect(sizes).toEqual(groups);
});
