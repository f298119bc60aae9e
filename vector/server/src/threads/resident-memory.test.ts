// SPDX-License-Identifier: Apache-2.0
import { manualClock, systemClock } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { residentMemoryPercent } from './resident-memory.ts';

test('the share of the memory is read again after a while', () => {
  const clock = manualClock();
  let resident = 300;
  const percent = residentMemoryPercent(clock, { resident: () => resident, total: 1200 });
  expect(percent()).toBe(25);
  resident = 600;
  expect(percent()).toBe(25);
  clock.advance(500);
  expect(percent()).toBe(50);
});

test('this process holds some of the memory, and not all of it', () => {
  const percent = residentMemoryPercent(systemClock)();
  expect(percent).toBeGreaterThan(0);
  expect(percent).toBeLessThan(100);
});
