// SPDX-License-Identifier: Apache-2.0
/**
 * Closes collections where the process holds nearly all the memory that there is: what a collection takes beside its vectors, such as LMDB's tables, no budget
 * counts. Memory comes back some time after a collection was closed, so it goes slowly, and leaves alone what was used a moment ago.
 */
import type { Clock, Timer } from '@sextant/foundation-std';
import type { Catalog, Log } from '@sextant/vector-collection';

const LOOK_MS = 1000;
/** Per cent of the memory; it goes on until the lower one. */
const BEGIN_PERCENT = 85;
const END_PERCENT = 80;
const UNUSED_MS = 10_000;
/** Collections in one look. */
const CLOSED_AT_ONCE = 8;

export type ResidentPressureOptions = {
  readonly catalog: Pick<Catalog, 'releaseOne'>;
  /** Of the memory, what the process holds. */
  readonly percent: () => number;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn' | 'info'>;
};

export class ResidentPressure {
  readonly #options: ResidentPressureOptions;
  #timer: Timer | undefined;
  #isShort = false;
  #looking: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: ResidentPressureOptions) {
    this.#options = options;
    this.#schedule();
  }

  /** Resolves when nothing is being closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    await this.#looking;
  }

  #schedule(): void {
    if (this.#isClosed) return;
    this.#timer = this.#options.clock.after(LOOK_MS, () => {
      this.#looking = this.#look().finally(() => this.#schedule());
    });
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    const { catalog, log, percent } = this.#options;
    const used = percent();
    if (used >= BEGIN_PERCENT && !this.#isShort) {
      this.#isShort = true;
      log.warn({ percent: Math.round(used) }, 'memory is low: unused collections are closed, and opened again when a request needs them');
    }
    if (used < END_PERCENT && this.#isShort) {
      this.#isShort = false;
      log.info({ percent: Math.round(used) }, 'memory is no longer low');
    }
    if (!this.#isShort) return;
    for (let closed = 0; closed < CLOSED_AT_ONCE; closed++) if (!(await catalog.releaseOne({ unusedMs: UNUSED_MS }))) return;
  }
}
