// SPDX-License-Identifier: Apache-2.0
/**
 * Throttles threads with long work while points are read or searched: they yield their core for a moment, again and again. Linux leaves a core to a thread for about
 * 3 ms once it runs there, however low its priority: a serving thread or a client that wakes up on that core waits so long. A thread that sleeps yields it at once.
 */
import type { Clock } from '@sextant/foundation-std';

/** Points are being read as long as the last request is not older. */
const RECENT_MS = 100;
/** The system adds about as much to so short a sleep. */
const PAUSE_MS = 0.05;
/** From one pause to the next, which is a row or two that are linked: so long may whoever wakes have to wait. */
const WORK_MS = 0.1;

/** Counts the requests for points that the serving threads are given. Writes are none: they wait for the graphs, so a pause would hold them up. */
export class Traffic {
  readonly #count: Int32Array;

  constructor(shared: SharedArrayBuffer) {
    this.#count = new Int32Array(shared);
  }

  static allocate(): SharedArrayBuffer {
    return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  }

  noteRead(): void {
    Atomics.add(this.#count, 0, 1);
  }

  /** What a thread calls again and again while it works, as often as it likes. */
  throttle(clock: Clock, sleep: () => void = pause): () => void {
    let seen = Atomics.load(this.#count, 0);
    let newestMs = Number.NEGATIVE_INFINITY;
    let restedMs = Number.NEGATIVE_INFINITY;
    return () => {
      const count = Atomics.load(this.#count, 0);
      const nowMs = clock.monotonicMs();
      if (count !== seen) newestMs = nowMs;
      seen = count;
      if (nowMs - newestMs > RECENT_MS || nowMs - restedMs < WORK_MS) return;
      sleep();
      restedMs = clock.monotonicMs();
    };
  }
}

/** Nobody wakes who waits here. */
const GATE = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

function pause(): void {
  Atomics.wait(GATE, 0, 0, PAUSE_MS);
}
