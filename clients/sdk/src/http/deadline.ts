// SPDX-License-Identifier: Apache-2.0
import { SextantError } from '../errors/errors.ts';

/**
 * Runs `work` under a signal that ends with the caller's or after `limitMs` (0: never), whichever comes first. When the time has run out,
 * rejects with `expired()`; when the caller has cancelled, with the caller's reason.
 */
export async function withDeadline<Result>(
  limitMs: number,
  callers: AbortSignal | undefined,
  work: (signal: AbortSignal | undefined) => Promise<Result>,
  expired: () => Error,
): Promise<Result> {
  callers?.throwIfAborted();
  const deadline = limitMs > 0 ? AbortSignal.timeout(limitMs) : undefined;
  const signals = [callers, deadline].filter((signal) => signal !== undefined);
  try {
    return await work(signals.length > 1 ? AbortSignal.any(signals) : signals[0]);
  } catch (error) {
    callers?.throwIfAborted();
    throw deadline?.aborted && !(error instanceof SextantError) ? expired() : error;
  }
}
