// SPDX-License-Identifier: Apache-2.0
/** Time of a simulation: it jumps to the next timer when nothing else is left to do, so that a run takes no time and is the same each time. */
import type { Clock, Timer } from '@sextant/foundation-std';

type Waiting = { readonly action: () => void; readonly everyMs: number | undefined; atMs: number; readonly order: number };

/** What one timer sets off goes through this many rounds of `setImmediate` at most before the next. */
const ROUNDS = 3;

export class SimulatedClock implements Clock {
  readonly #waiting = new Set<Waiting>();
  #nowMs = 0;
  #order = 0;

  readonly nowMs = (): number => this.#nowMs;
  readonly monotonicMs = (): number => this.#nowMs;
  readonly after = (ms: number, action: () => void): Timer => this.#add({ action, everyMs: undefined, ms });
  readonly every = (ms: number, action: () => void): Timer => this.#add({ action, everyMs: ms, ms });

  /** Runs everything up to a moment. */
  async runUntil(endMs: number): Promise<void> {
    for (;;) {
      for (let round = 0; round < ROUNDS; round++) await new Promise<void>((resolve) => setImmediate(resolve));
      const next = this.#next();
      if (next === undefined || next.atMs > endMs) break;
      this.#nowMs = next.atMs;
      if (next.everyMs === undefined) this.#waiting.delete(next);
      else next.atMs += next.everyMs;
      next.action();
    }
    this.#nowMs = endMs;
  }

  /** For a node that can be killed: from then on none of its timers runs. */
  whileAlive(isAlive: () => boolean): Clock {
    const ifAlive = (action: () => void) => () => {
      if (isAlive()) action();
    };
    return {
      nowMs: this.nowMs,
      monotonicMs: this.monotonicMs,
      after: (ms, action) => this.after(ms, ifAlive(action)),
      every: (ms, action) => this.every(ms, ifAlive(action)),
    };
  }

  #next(): Waiting | undefined {
    let next: Waiting | undefined;
    for (const each of this.#waiting) {
      if (next === undefined || each.atMs < next.atMs || (each.atMs === next.atMs && each.order < next.order)) next = each;
    }
    return next;
  }

  #add({ action, everyMs, ms }: { readonly action: () => void; readonly everyMs: number | undefined; readonly ms: number }): Timer {
    this.#order += 1;
    const entry: Waiting = { action, everyMs, atMs: this.#nowMs + Math.max(0, ms), order: this.#order };
    this.#waiting.add(entry);
    const timer: Timer = { cancel: () => void this.#waiting.delete(entry), unref: () => timer };
    return timer;
  }
}
