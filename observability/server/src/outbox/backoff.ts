// SPDX-License-Identifier: Apache-2.0
/** When a failed delivery is tried again. */
import type { Random } from '@sextant/foundation-std';
import type { DeliveryFailure } from '@sextant/observability-delivery';

/** 5 s, 10 s, 20 s … at most an hour, of each at least half, so that those that failed together do not come back together. */
const FIRST_PAUSE_MS = 5000;
const PAUSE_MS_MAX = 3_600_000;
const GIVE_UP_AFTER_MS = 24 * 3_600_000;

/** A day after the first attempt where the queue knows its time, else after a number of attempts. */
export type AttemptLimit =
  | { readonly kind: 'day'; readonly firstAttemptMs: number }
  | { readonly kind: 'attempts'; readonly attemptsMax: number };

export type FailedAttempt = {
  readonly failure: Pick<DeliveryFailure, 'isPermanent' | 'retryAfterMs'>;
  /** From 1. */
  readonly attempts: number;
  readonly limit: AttemptLimit;
  readonly nowMs: number;
};

/** Milliseconds since 1970; undefined when the delivery is given up. */
export function nextAttempt({ failure, attempts, limit, nowMs }: FailedAttempt, random: Random): number | undefined {
  if (failure.isPermanent) return undefined;
  const pauseMs = Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** (attempts - 1)) * (0.5 + random.next() / 2);
  const next = nowMs + Math.ceil(Math.max(pauseMs, failure.retryAfterMs ?? 0));
  const isOver = limit.kind === 'day' ? next - limit.firstAttemptMs > GIVE_UP_AFTER_MS : attempts >= limit.attemptsMax;
  return isOver ? undefined : next;
}
