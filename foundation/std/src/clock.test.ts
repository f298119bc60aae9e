import { expect, test } from 'vitest';
import { manualClock, systemClock } from './clock.ts';

test('a manual clock stands still until it is moved', () => {
  const clock = manualClock(1000);
  expect([clock.nowMs(), clock.monotonicMs()]).toEqual([1000, 1000]);
  clock.advance(250);
  expect([clock.nowMs(), clock.monotonicMs()]).toEqual([1250, 1250]);
});

test('the system clock tells wall time, and a duration that never runs backwards', () => {
  const before = Date.now();
  const now = systemClock.nowMs();
  expect(now).toBeGreaterThanOrEqual(before);
  expect(now).toBeLessThanOrEqual(Date.now());
  const readings = Array.from({ length: 1000 }, () => systemClock.monotonicMs());
  expect(readings).toEqual(readings.toSorted((one, other) => one - other));
});
