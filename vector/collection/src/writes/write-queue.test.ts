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
        const write = { run: () => undefined, done: () => resolve() };
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
  const write = { run: () => undefined, done: () => answered++ };
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
