// SPDX-License-Identifier: Apache-2.0
/**
 * What is tried again, and when. The service advises 500 ms, doubling, five times, while its engine starts (412); the same waits hold for
 * the rest, unless the answer says how long to wait. A call that may have arrived is sent again only if that comes to the same.
 */
import { ApiError, ConnectionError } from '../errors/errors.ts';

export type RetryPolicy = {
  /** Retries after the first attempt. */
  readonly retries: number;
  /** The delay before the first retry; each further delay is twice as long. */
  readonly firstWaitMs: number;
  /** If the service asks for a longer delay than this, the call is not retried. */
  readonly longestWaitMs: number;
};

export const ADVISED_RETRIES: RetryPolicy = { retries: 5, firstWaitMs: 500, longestWaitMs: 60_000 };

/** Answers of something before a service that cannot reach it, or of a service that is leaving. */
const UNREACHED = new Set([502, 503, 504]);

/** The delay before the next attempt; undefined if there is none. `attempt` counts from 0. */
export function waitBeforeRetry(
  error: unknown,
  { attempt, isRepeatable, policy }: { readonly attempt: number; readonly isRepeatable: boolean; readonly policy: RetryPolicy },
): number | undefined {
  if (attempt >= policy.retries || !isWorthRetrying(error, isRepeatable)) return undefined;
  const advised = error instanceof ApiError && error.retryAfterSeconds !== undefined ? error.retryAfterSeconds * 1000 : undefined;
  const waitMs = advised ?? policy.firstWaitMs * 2 ** attempt;
  return waitMs <= policy.longestWaitMs ? waitMs : undefined;
}

function isWorthRetrying(error: unknown, isRepeatable: boolean): boolean {
  if (error instanceof ConnectionError) return isRepeatable || !error.mayHaveArrived;
  if (!(error instanceof ApiError)) return false;
  // Refused before anything was done.
  if (error.code === 'engine_not_initialized' || error.status === 429) return true;
  return isRepeatable && UNREACHED.has(error.status);
}

export type Retrying = { readonly policy: RetryPolicy; readonly isRepeatable: boolean; readonly signal: AbortSignal | undefined };

/** Repeats an attempt until it succeeds or must not be retried. */
export async function retrying<Result>({ policy, isRepeatable, signal }: Retrying, attemptOnce: () => Promise<Result>): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await attemptOnce();
    } catch (error) {
      const waitMs = waitBeforeRetry(error, { attempt, isRepeatable, policy });
      if (waitMs === undefined) throw error;
      await wait(waitMs, signal);
    }
  }
}

/** Resolves after `ms`, or rejects with the signal's reason. */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stop = () => {};
  await new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
    stop = resolve;
    signal?.addEventListener('abort', stop, { once: true });
  });
  clearTimeout(timer);
  signal?.removeEventListener('abort', stop);
  signal?.throwIfAborted();
}
