// SPDX-License-Identifier: Apache-2.0
/**
 * Slows guessing of passwords: a limit for each account at each address, so that who mistypes locks nobody else out behind the same proxy; one for each
 * address, since an attacker may try many accounts; and one for all together, since an attacker may have many addresses. No limit is an account's
 * alone, which would let anybody lock its owner out. All are the generic cell rate algorithm (ITU-T I.371, annex A): every attempt costs
 * a span of time, and a source may be ahead of the clock by one window at most. A right password releases its span.
 */
import type { Clock } from '@sextant/foundation-std';

/** How much may be spent at once, and the time in which all of it comes back. */
export const LOGIN_WINDOW_MS = 60_000;
/** What an attempt costs. Twenty of an account: far more than fingers mistype, far less than guessing twelve characters needs. */
const ACCOUNT_COST_MS = LOGIN_WINDOW_MS / 20;
const ADDRESS_COST_MS = LOGIN_WINDOW_MS / 100;
const TOTAL_COST_MS = LOGIN_WINDOW_MS / 200;
const KEYS_MAX = 20_000;

export type LoginAttempt = {
  /** Of the caller's socket. */
  readonly address: string;
  /** Left out where there is one account alone. */
  readonly account?: string;
};

export class LoginLimiter {
  readonly #clock: Clock;
  /** Until when time is spent, the least recently seen first; what lies in the past is forgiven. */
  readonly #spentMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes an attempt; 0 when there was one, otherwise the seconds until there is. */
  take(attempt: LoginAttempt): number {
    const nowMs = this.#clock.monotonicMs();
    const spent = loginCosts(attempt).map(([key, costMs]) => [key, Math.max(nowMs, this.#spentMs.get(key) ?? 0) + costMs] as const);
    const waitMs = Math.max(...spent.map(([, spentMs]) => spentMs)) - nowMs - LOGIN_WINDOW_MS;
    if (waitMs > 0) return Math.ceil(waitMs / 1000);
    for (const [key, spentMs] of spent) this.#remember(key, spentMs);
    return 0;
  }

  /** Releases an attempt once its password was right. */
  release(attempt: LoginAttempt): void {
    for (const [key, costMs] of loginCosts(attempt)) {
      const spentMs = this.#spentMs.get(key);
      if (spentMs !== undefined) this.#spentMs.set(key, spentMs - costMs);
    }
  }

  #remember(key: string, spentMs: number): void {
    this.#spentMs.delete(key);
    this.#spentMs.set(key, spentMs);
    // The bound may make us forget an address that is still being slowed; the limit over all still slows it.
    if (this.#spentMs.size > KEYS_MAX) this.#spentMs.delete(this.#spentMs.keys().next().value ?? '');
  }
}

/** What an attempt costs in milliseconds, by what it is counted for; all together last, so that it is never the least recently seen. */
export function loginCosts({ address, account = '' }: LoginAttempt): readonly (readonly [string, number])[] {
  return [
    [JSON.stringify([address, account]), ACCOUNT_COST_MS],
    [JSON.stringify([address]), ADDRESS_COST_MS],
    ['', TOTAL_COST_MS],
  ];
}
