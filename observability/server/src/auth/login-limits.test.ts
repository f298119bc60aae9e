// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from 'node:crypto';
import { manualClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { openMetadata } from '@sextant/observability-metadata';
import { expect, test } from 'vitest';
import { loginLimits } from './login-limits.ts';

const ATTEMPT = { address: '192.0.2.1', account: 'default ada@example.org' };

test('two processes together grant what one does, and right passwords cost nothing in either', async () => {
  await using directory = await temporaryDirectory();
  const clock = manualClock(Date.parse('2026-03-10T12:00:00Z'));
  await using metadata = await openMetadata({ directory: directory.path }, { clock, randomBytes, encryptionKey: new Uint8Array(32) });
  const processes = [1, 2].map(() => loginLimits(clock, metadata.platform.spentTimes));
  const attempt = (count: number) => processes[count % 2]?.take(ATTEMPT);
  for (let count = 0; count < 100; count++) {
    expect(await attempt(count)).toBe(0);
    await processes[count % 2]?.release(ATTEMPT);
  }
  const waits: (number | undefined)[] = [];
  for (let count = 0; count < 25; count++) waits.push(await attempt(count));
  expect(waits).toEqual([...Array(20).fill(0), ...Array(5).fill(3)]);
  clock.advance(3000);
  expect([await attempt(0), await attempt(1)]).toEqual([0, 3]);
});

test('a process that is alone keeps its limits to itself', async () => {
  const limits = loginLimits(manualClock(1000), undefined);
  const waits: number[] = [];
  for (let count = 0; count < 21; count++) waits.push(await limits.take(ATTEMPT));
  expect(waits).toEqual([...Array(20).fill(0), 3]);
});
