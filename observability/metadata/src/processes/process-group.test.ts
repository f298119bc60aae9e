// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { soleProcess } from './process-group.ts';

test('a process that is alone leads, and has nobody to wake', async () => {
  expect([soleProcess.leads(), soleProcess.isClockRight()]).toEqual([true, true]);
  soleProcess.announce('jobs');
  await soleProcess.turn();
});
