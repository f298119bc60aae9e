// SPDX-License-Identifier: Apache-2.0
/**
 * Recomputes codes that no longer fit the points. The indexer does so for vectors in memory. The codes of vectors on disk stay as they are, so their spaces are filled again from
 * storage beside those in use, starting with rows from all over the collection.
 */
import { pause } from '@sextant/foundation-std';
import type { CollectionWork } from './collection-work.ts';

/** Between two looks whether rows that are linked fit their codes. */
const LOOK_PAUSE_MS = 250;
/** Codes are recomputed once the points have grown by this factor since the last time: all of it takes three builds of the graph at most. */
const GROWTH_MIN = 1.5;

export class CodeRenewal {
  readonly #options: CollectionWork;
  #isWatching = false;
  /** What failed once would fail again with every write. */
  #hasFailed = false;
  #pointsAtLast = 0;

  constructor(options: CollectionWork) {
    this.#options = options;
  }

  /** Looks after the codes as long as rows are linked, for these say whether they fit. */
  watch(): void {
    if (this.#isWatching || this.#hasFailed || !this.#options.memory.isOnDisk) return;
    this.#isWatching = true;
    void this.#run();
  }

  /** Nobody waits for it: a failure is logged, and the collection's warnings say that codes do not fit. */
  async #run(): Promise<void> {
    const { isClosed, log } = this.#options;
    try {
      if (await this.#isWanted()) await this.#renew();
    } catch (error) {
      this.#hasFailed = true;
      if (!isClosed()) log.warn({ err: error }, 'codes of vectors on disk could not be recomputed');
    } finally {
      this.#isWatching = false;
    }
  }

  /** Resolves when codes are outgrown, or when nothing more is linked. */
  async #isWanted(): Promise<boolean> {
    const { clock, isClosed, memory } = this.#options;
    // The last rows are judged by one look of the indexer more.
    for (let settled = 0; settled < 2; ) {
      await pause(clock, LOOK_PAUSE_MS);
      if (isClosed()) return false;
      if (memory.hasOutgrownCodes && this.#hasGrown()) return true;
      settled = memory.isLinking ? 0 : settled + 1;
    }
    return false;
  }

  #hasGrown(): boolean {
    const { storage } = this.#options;
    storage.refresh();
    return storage.pointCount >= this.#pointsAtLast * GROWTH_MIN;
  }

  async #renew(): Promise<void> {
    const { log, memory, replace, storage } = this.#options;
    const points = storage.pointCount;
    this.#pointsAtLast = points;
    log.info({ points }, 'recomputing codes that no longer fit newer points');
    await replace(() => memory.renewCodes());
    log.info({ points }, 'codes recomputed');
  }
}
