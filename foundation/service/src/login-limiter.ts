/**
 * Slows guessing of passwords: a limit for each address, and one for all of them together, since an attacker may have many.
 * Both are the generic cell rate algorithm (ITU-T I.371, annex A): every attempt costs a span of time, and a source may be
 * ahead of the clock by one window at most. A right password releases its span.
 */
import type { Clock } from '@sextant/foundation-std';

/** How much may be spent at once, and the time in which all of it comes back. */
const WINDOW_MS = 60_000;
/** What an attempt costs. Twenty of an address: far more than fingers mistype, far less than guessing twelve characters needs. */
const ADDRESS_COST_MS = WINDOW_MS / 20;
const TOTAL_COST_MS = WINDOW_MS / 200;
const ADDRESSES_MAX = 10_000;

export class LoginLimiter {
  readonly #clock: Clock;
  /** Until when time is spent; what lies in the past is forgiven. */
  #totalSpentMs = 0;
  /** The same by address, the least recently seen first. */
  readonly #addressSpentMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes an attempt; 0 when there was one, otherwise the seconds until there is. */
  take(address: string): number {
    const nowMs = this.#clock.monotonicMs();
    const total = Math.max(nowMs, this.#totalSpentMs) + TOTAL_COST_MS;
    const own = Math.max(nowMs, this.#addressSpentMs.get(address) ?? 0) + ADDRESS_COST_MS;
    const waitMs = Math.max(total, own) - nowMs - WINDOW_MS;
    if (waitMs > 0) return Math.ceil(waitMs / 1000);
    this.#totalSpentMs = total;
    this.#remember(address, own);
    return 0;
  }

  /** Releases an attempt once its password was right. */
  giveBack(address: string): void {
    this.#totalSpentMs -= TOTAL_COST_MS;
    const own = this.#addressSpentMs.get(address);
    if (own !== undefined) this.#addressSpentMs.set(address, own - ADDRESS_COST_MS);
  }

  #remember(address: string, spentMs: number): void {
    this.#addressSpentMs.delete(address);
    this.#addressSpentMs.set(address, spentMs);
    // The bound may make us forget an address that is still being slowed; the limit over all still slows it.
    if (this.#addressSpentMs.size > ADDRESSES_MAX) this.#addressSpentMs.delete(this.#addressSpentMs.keys().next().value ?? '');
  }
}
