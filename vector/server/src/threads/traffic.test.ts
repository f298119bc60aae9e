// SPDX-License-Identifier: Apache-2.0
import { manualClock } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { Traffic } from './traffic.ts';

test('a thread pauses between its slices while points are read, and no longer when none has been for a while', () => {
  const shared = Traffic.allocate();
  const clock = manualClock();
  let pauses = 0;
  const throttle = new Traffic(shared).throttle(clock, () => {
    pauses++;
  });
  throttle();
  expect(pauses).toBe(0);
  new Traffic(shared).noteRead();
  throttle();
  clock.advance(100);
  throttle();
  expect(pauses).toBe(2);
  clock.advance(1);
  throttle();
  expect(pauses).toBe(2);
  new Traffic(shared).noteRead();
  throttle();
  expect(pauses).toBe(3);
});

test('reads that were there before a thread began its work are none that come in', () => {
  const shared = Traffic.allocate();
  new Traffic(shared).noteRead();
  let pauses = 0;
  new Traffic(shared).throttle(manualClock(), () => {
    pauses++;
  })();
  expect(pauses).toBe(0);
});

test('however often it asks, a thread works for a while between two pauses', () => {
  const shared = Traffic.allocate();
  const clock = manualClock();
  const pausedAtMs: number[] = [];
  const throttle = new Traffic(shared).throttle(clock, () => {
    pausedAtMs.push(clock.monotonicMs());
    clock.advance(1);
  });
  new Traffic(shared).noteRead();
  for (let call = 0; call < 5; call++) {
    throttle();
    clock.advance(0.0625);
  }
  expect(pausedAtMs).toEqual([0, 1.125, 2.25]);
});
