// SPDX-License-Identifier: Apache-2.0
/**
 * Work in small slices on a thread that must also hear events: between two slices the event loop turns once. With nothing to do the loop
 * sleeps until it is woken; where others must go on first, it looks again shortly.
 */
import type { Clock } from '@sextant/foundation-std';
import type { SpaceIndexer, SpaceLinker } from '@sextant/vector-kernel';

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

/** Rows that are linked while the thread's events wait: less than half a millisecond of 100 dimensions; in steps, with which others wait that want the core. */
const ROWS_PER_SLICE = 8;
const ROWS_PER_STEP = 2;
const REPAIRS_PER_SLICE = 128;
const REPAIRS_PER_STEP = 16;

/**
 * Links a few rows of a graph; returns how many.
 * @param throttle may hold the thread up between two steps
 */
export function linkSlice(graph: Pick<SpaceLinker, 'link'>, throttle: () => void): number {
  let linked = 0;
  for (;;) {
    const count = graph.link(ROWS_PER_STEP);
    linked += count;
    if (count < ROWS_PER_STEP || linked >= ROWS_PER_SLICE) return linked;
    throttle();
  }
}

/** Repairs around a few rows of a graph; true when the pass is complete. */
export function repairSlice(graph: Pick<SpaceIndexer, 'repair'>, throttle: () => void): boolean {
  for (let repaired = 0; repaired < REPAIRS_PER_SLICE; repaired += REPAIRS_PER_STEP) {
    if (graph.repair(REPAIRS_PER_STEP)) return true;
    throttle();
  }
  return false;
}
