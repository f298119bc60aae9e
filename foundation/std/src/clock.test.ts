import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { manualClock, systemClock } from './clock.ts';

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
