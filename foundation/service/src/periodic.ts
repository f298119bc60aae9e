// SPDX-License-Identifier: Apache-2.0
/** Work that is done again and again: one turn at a time, at once when it is woken, else after a pause. */
import type { Clock, Timer } from '@sextant/foundation-std';

export type PeriodicOptions = {
  /** True when there may be more to do at once. */
  readonly turn: () => Promise<boolean>;
  readonly pauseMs: number;
  readonly clock: Clock;
  /** Gets the error of a turn that failed; the next turn comes after the pause. */
  readonly onError: (error: unknown) => void;
};

export type Periodic = {
  /** One turn, beside those that the loop takes. */
  readonly turn: () => Promise<boolean>;
  /** Starts the loop, or takes the next turn at once. */
  readonly wake: () => void;
  /** No turn begins after this; resolves when the current one has ended. */
  readonly stop: () => Promise<void>;
};

export function periodic({ turn, pauseMs, clock, onError }: PeriodicOptions): Periodic {
  let timer: Timer | undefined;
  let current: Promise<void> | undefined;
  let isWoken = false;
  let isStopped = false;

  const run = async () => {
    while (isWoken && !isStopped) {
      isWoken = false;
      try {
        if (await turn()) isWoken = true;
      } catch (error) {
        onError(error);
      }
    }
    current = undefined;
    if (!isStopped) timer = clock.after(pauseMs, wake);
  };
  const wake = () => {
    if (isStopped) return;
    isWoken = true;
    if (current !== undefined) return;
    timer?.cancel();
    current = run();
  };
  const stop = async () => {
    isStopped = true;
    timer?.cancel();
    await current;
  };
  return { turn, wake, stop };
}
