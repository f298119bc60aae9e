// SPDX-License-Identifier: Apache-2.0
/** Who waits for something new, each at most for its own time. */
import type { Clock } from '@sextant/foundation-std';

export class Wakes {
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves at the next call of `all`, or when the time is over. */
  next(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        timer.cancel();
        resolve();
      };
      const timer = this.#clock.after(ms, wake).unref();
      this.#waiting.add(wake);
    });
  }

  all(): void {
    for (const wake of this.#waiting) wake();
  }
}
