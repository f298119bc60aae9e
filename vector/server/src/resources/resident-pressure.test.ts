// SPDX-License-Identifier: Apache-2.0

import { manualClock } from '@sextant/foundation-std';
import { silentLog } from '@sextant/vector-collection';
import { expect, test } from 'vitest';
import { ResidentPressure } from './resident-pressure.ts';

test('collections that nobody has used for a while are closed from 85 % of the memory on, until it is less than 80 %', async () => {
  const clock = manualClock();
  let used = 84;
  let open = 100;
  const asked: number[] = [];
  const catalog = {
    releaseOne: async (options?: { readonly unusedMs: number }) => {
      asked.push(options?.unusedMs ?? 0);
      open--;
      return true;
    },
  };
  const pressure = new ResidentPressure({ catalog, percent: () => used, clock, log: silentLog });
  const second = async () => {
    clock.advance(1000);
    // What was begun has its turn.
    await new Promise((resolve) => setImmediate(resolve));
  };
  await second();
  expect(open).toBe(100);
  used = 85;
  await second();
  expect(open).toBe(92);
  used = 80;
  await second();
  expect(open).toBe(84);
  used = 79;
  await second();
  used = 84;
  await second();
  expect(open).toBe(84);
  expect(new Set(asked)).toEqual(new Set([10_000]));
  await pressure.close();
  used = 99;
  await second();
  expect(open).toBe(84);
});
