// SPDX-License-Identifier: Apache-2.0
/**
 * Long work on a serving thread leaves the thread free for others: after each slice of `sliceMs` it lets the event loop
 * turn once. 2 ms keep a small request's wait short and cost long work under 2 %.
 */
import type { Clock } from '@sextant/foundation-std';

const SLICE_MS = 2;

export type Pacer = {
  /** True when the running slice is used up; then await `pause`. */
  readonly due: () => boolean;
  readonly pause: () => Promise<void>;
};

export function createPacer(clock: Clock, sliceMs = SLICE_MS): Pacer {
  let sliceEndMs = clock.monotonicMs() + sliceMs;
  return {
    due: () => clock.monotonicMs() >= sliceEndMs,
    pause: async () => {
      await new Promise<void>((resolve) => setImmediate(resolve));
      sliceEndMs = clock.monotonicMs() + sliceMs;
    },
  };
}
