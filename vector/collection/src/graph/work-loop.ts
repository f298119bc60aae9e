// SPDX-License-Identifier: Apache-2.0
/**
 * Work in small slices on a thread that must also hear events: between two slices the event loop turns once. With nothing to do the loop
 * sleeps until it is woken; where others must go on first, it looks again shortly.
 */

import type { Clock } from '@sextant/foundation-std';

/** What a slice leaves: more to do at once, more to do when others have gone on, or nothing. */
export type WorkState = 'busy' | 'waiting' | 'idle';

/** Others need a few slices of their own, of a few milliseconds each. */
const WAIT_MS = 5;

export class WorkLoop {
  readonly #slice: () => WorkState;
  readonly #clock: Clock;
  readonly #throttle: () => void;
  #stopping = false;
  /** Woken while a slice ran: it may have looked too early. */
  #woken = false;
  #wake: (() => void) | undefined;
  #running: Promise<void> | undefined;

  /** @param throttle is called after each slice that leaves more to do, and may hold the thread up for a moment */
  constructor(slice: () => WorkState, { clock, throttle }: { readonly clock: Clock; readonly throttle: () => void }) {
    this.#slice = slice;
    this.#clock = clock;
    this.#throttle = throttle;
  }

  start(): void {
    this.#running = this.#run();
  }

  wake(): void {
    this.#woken = true;
    this.#wake?.();
  }

  /** Resolves when the running slice has ended. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      this.#woken = false;
      const state = this.#slice();
      if (state === 'busy') {
        this.#throttle();
        await new Promise<void>((resolve) => setImmediate(resolve));
      } else if (!this.#stopping && !this.#woken) await this.#sleep(state === 'waiting' ? WAIT_MS : undefined);
    }
  }

  async #sleep(longestMs: number | undefined): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const timer = longestMs === undefined ? undefined : this.#clock.after(longestMs, resolve);
    await promise;
    timer?.cancel();
    this.#wake = undefined;
  }
}
