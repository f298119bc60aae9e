// SPDX-License-Identifier: Apache-2.0
import { manualClock } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { MemoryReturn } from './memory-return.ts';

/** A collector that takes so long, and the times at which it was called. */
function timed(tookMs: number) {
  const clock = manualClock();
  let spentMs = 0;
  const startedMs: number[] = [];
  const memory = new MemoryReturn({ ...clock, monotonicMs: () => clock.monotonicMs() + spentMs }, () => () => {
    startedMs.push(clock.monotonicMs());
    spentMs += tookMs;
  });
  return { clock, memory, startedMs };
}

test('collects twice soon after a collection was deleted, and after a start', () => {
  const { clock, memory, startedMs } = timed(0);
  clock.advance(20_000);
  expect(startedMs).toEqual([10_300, 10_600]);
  memory.after({ kind: 'deleted', name: 'gone' });
  clock.advance(5000);
  expect(startedMs.slice(2)).toEqual([20_300, 20_600]);
});

test('collections that come and go all the time cost a fiftieth of the time of a thread', () => {
  const { clock, memory, startedMs } = timed(40);
  const endMs = 600_000;
  while (clock.monotonicMs() < endMs) {
    memory.after({ kind: 'deleted', name: 'gone' });
    clock.advance(500);
  }
  expect((startedMs.length * 40) / endMs).toBeLessThan(0.021);
  expect(startedMs.length).toBeGreaterThan(200);
});
