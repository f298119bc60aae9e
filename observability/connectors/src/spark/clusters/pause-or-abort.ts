// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '@sextant/foundation-std';

/** Resolves after `ms` milliseconds. @throws the reason of the signal, at once */
export async function pauseOrAbort(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  const timer = clock.after(ms, end);
  signal.addEventListener('abort', end, { once: true });
  await promise;
  timer.cancel();
  signal.removeEventListener('abort', end);
  signal.throwIfAborted();
}
