// SPDX-License-Identifier: Apache-2.0
/**
 * Returns to the system the memory that a thread no longer uses. The memory of a vector space belongs to every thread that has seen it, and goes when
 * the last of them has collected its part; a thread with little to do would not collect for hours. So each collects soon after something ended.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from '@sextant/foundation-std';
import type { CatalogEvent } from '@sextant/vector-collection';

/** After so long, what ended is out of use everywhere; what ends meanwhile shares the collections. */
const DELAY_MS = 300;
/** What a start leaves is garbage too. It goes when whoever waited for the service has been answered: all threads together collect for half a second. */
const START_DELAY_MS = 10_000;
/** The first finds the views of a memory unused, and the second the memory that they had kept. */
const COLLECTIONS = 2;
/** Of a thread's time, however many collections of points come and go: where one goes each second, half of the processor went into this before. */
const SHARE_OF_TIME = 0.02;

/** What ends with these events leaves memory that only a collection frees. */
const ENDING: ReadonlySet<CatalogEvent['kind']> = new Set(['deleted', 'replaced', 'restored', 'released'] as const);

/** Collects all garbage of the calling thread. */
type Collect = () => void;

export class MemoryReturn {
  readonly #clock: Clock;
  readonly #makeCollect: () => Collect;
  #due = 0;
  #isScheduled = false;
  #notBeforeMs = Number.NEGATIVE_INFINITY;
  #collect: Collect | undefined;

  constructor(clock: Clock, makeCollect: () => Collect = collector) {
    this.#clock = clock;
    this.#makeCollect = makeCollect;
    clock.after(START_DELAY_MS, () => this.#schedule()).unref();
  }

  /** To be called when the event has been taken in. */
  after(event: CatalogEvent): void {
    if (ENDING.has(event.kind)) this.#schedule();
  }

  #schedule(): void {
    this.#due = COLLECTIONS;
    if (!this.#isScheduled) this.#runSoon();
  }

  #runSoon(): void {
    this.#isScheduled = true;
    const waitMs = Math.max(DELAY_MS, this.#notBeforeMs - this.#clock.monotonicMs());
    this.#clock.after(waitMs, () => this.#run()).unref();
  }

  /** Takes ten milliseconds or so on a thread as they are here. */
  #run(): void {
    this.#collect ??= this.#makeCollect();
    const startMs = this.#clock.monotonicMs();
    this.#collect();
    const endMs = this.#clock.monotonicMs();
    this.#notBeforeMs = endMs + (endMs - startMs) / SHARE_OF_TIME;
    this.#isScheduled = false;
    if (--this.#due > 0) this.#runSoon();
  }
}

type Gc = (options: { readonly type: 'major'; readonly execution: 'sync'; readonly flavor: 'last-resort' }) => void;

/** V8's own collector, which contexts have that are made while the flag is set. */
function collector(): Collect {
  setFlagsFromString('--expose-gc');
  // Documented at https://nodejs.org/api/cli.html#--expose-gc; a new context's global has it.
  const gc = runInNewContext('gc') as Gc;
  return () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
