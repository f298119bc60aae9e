// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { manualClock, pause, systemClock } from './clock.ts';

test('a manual clock stands still until it is moved', () => {
  const clock = manualClock(1000);
  expect([clock.nowMs(), clock.monotonicMs()]).toEqual([1000, 1000]);
  clock.advance(250);
  expect([clock.nowMs(), clock.monotonicMs()]).toEqual([1250, 1250]);
});

test('the system clock gives wall time, and a duration that never runs backwards', () => {
  const before = Date.now();
  const now = systemClock.nowMs();
  expect(now).toBeGreaterThanOrEqual(before);
  expect(now).toBeLessThanOrEqual(Date.now());
  const readings = Array.from({ length: 1000 }, () => systemClock.monotonicMs());
  expect(readings).toEqual(readings.toSorted((one, other) => one - other));
});

test('the monotonic time of the system clock is the same on all threads', async () => {
  const before = systemClock.monotonicMs();
  const worker = new Worker(
    `import { parentPort } from 'node:worker_threads'; import { systemClock } from ${JSON.stringify(new URL('clock.ts', import.meta.url).href)};
    parentPort.postMessage(systemClock.monotonicMs());`,
    { eval: true },
  );
  const [there]: unknown[] = await once(worker, 'message');
  expect(there).toBeGreaterThan(before);
  expect(there).toBeLessThan(systemClock.monotonicMs());
  await worker.terminate();
});

test('timers of a manual clock run in the order of their times while it moves', () => {
  const clock = manualClock();
  const ran: string[] = [];
  const note = (what: string) => () => void ran.push(`${what} at ${clock.nowMs()}`);
  clock.after(30, note('last'));
  clock.after(10, () => clock.after(5, note('nested')));
  const tick = clock.every(12, note('tick'));
  clock.after(11, note('cancelled')).cancel();
  clock.advance(9);
  expect(ran).toEqual([]);
  clock.advance(21);
  expect(ran).toEqual(['tick at 12', 'nested at 15', 'tick at 24', 'last at 30']);
  tick.cancel();
  clock.advance(100);
  expect(ran).toHaveLength(4);
  expect(clock.nowMs()).toBe(130);
});

test('timers of the system clock run, and do not once they are cancelled', async () => {
  const ran: string[] = [];
  systemClock.after(0, () => void ran.push('cancelled')).cancel();
  const tick = systemClock.every(1, () => {
    ran.push('tick');
    tick.cancel();
  });
  systemClock
    .after(60_000, () => {})
    .unref()
    .cancel();
  await expect.poll(() => ran).toEqual(['tick']);
  await pause(systemClock, 3);
  expect(ran).toEqual(['tick']);
});
