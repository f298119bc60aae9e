// SPDX-License-Identifier: Apache-2.0
import { systemClock } from '@sextant/foundation-std';
import { MemoryLog, MemoryLogStore } from './memory-log.ts';
import { describeOperationLog } from './operation-log.conformance.ts';

describeOperationLog('in memory', async () => {
  const store = new MemoryLogStore(systemClock);
  return { open: async () => new MemoryLog(store, systemClock), [Symbol.asyncDispose]: async () => undefined };
});
