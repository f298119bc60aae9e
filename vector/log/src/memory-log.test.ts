// SPDX-License-Identifier: Apache-2.0
import { systemClock } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { MemoryLog, MemoryLogStore } from './memory-log.ts';
import { openOperationLog } from './open-operation-log.ts';
import { describeOperationLog } from './operation-log.conformance.ts';
import { LogTruncatedError } from './operation-log.ts';

describeOperationLog('in memory', async () => {
  const store = new MemoryLogStore(systemClock);
  return { open: async () => new MemoryLog(store, systemClock), [Symbol.asyncDispose]: async () => undefined };
});

test('a log that is thrown away keeps nothing that its node has', async () => {
  const log = await openOperationLog({ url: 'memory:', clock: systemClock });
  for (const id of ['a', 'b', 'c']) await log.append({ id, entry: Uint8Array.of(1) });
  await log.announce({ node: 'scratch', address: 'http://127.0.0.1', applied: 2, isFull: false });
  expect(await log.describe()).toMatchObject({ first: 3, last: 3 });
  expect((await log.read({ after: 2, waitMs: 0 })).map(({ position }) => position)).toEqual([3]);
  await expect(log.read({ after: 0, waitMs: 0 })).rejects.toThrow(LogTruncatedError);
});
