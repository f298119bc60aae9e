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

type Collect = (options: { readonly type: 'major'; readonly execution: 'sync'; readonly flavor: 'last-resort' }) => void;

export class MemoryReturn {
  readonly #clock: Clock;
  #due = 0;
  #isScheduled = false;
  #collect: Collect | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    clock.after(START_DELAY_MS, () => this.#schedule()).unref();
  }

  /** To be called when the event has been taken in. */
  after(event: CatalogEvent): void {
    if (event.kind === 'deleted' || event.kind === 'replaced' || event.kind === 'restored') this.#schedule();
  }

  #schedule(): void {
    this.#due = COLLECTIONS;
    if (!this.#isScheduled) this.#runSoon();
  }

  #runSoon(): void {
    this.#isScheduled = true;
    this.#clock.after(DELAY_MS, () => this.#run()).unref();
  }

  /** Takes ten milliseconds or so on a thread as they are here. */
  #run(): void {
    this.#collect ??= collector();
    this.#collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    this.#isScheduled = false;
    if (--this.#due > 0) this.#runSoon();
  }
}

/** V8's own collector, which contexts have that are made while the flag is set. */
function collector(): Collect {
  setFlagsFromString('--expose-gc');
  // Documented at https://nodejs.org/api/cli.html#--expose-gc; a new context's global has it.
  return runInNewContext('gc') as Collect;
}
