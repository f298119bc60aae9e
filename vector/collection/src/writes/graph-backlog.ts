// SPDX-License-Identifier: Apache-2.0
/** Holds writes back while too many rows wait for their graph, because every search scans these rows. */
import type { CollectionWork } from './collection-work.ts';

/**
 * Writes wait while a search takes longer than this, in microseconds, to scan the rows of one space that are not in the graph yet. It is
 * about 1,650 rows of 100 dimensions, which take two cores 40 ms: they hardly run dry before the next batch is written. With three times as much,
 * searches beside upserts took 0.22 ms instead of 0.16; GloVe-100 was written no faster, Fashion-MNIST (784 dimensions) by 7 %.
 */
const SCAN_COST_MAX = 30;

export type GraphBacklogOptions = Pick<CollectionWork, 'memory' | 'gauges'> & {
  /** Has the indexer look at the collection. */
  readonly wakeIndexer: () => void;
  /** Whether writes may be held back at all. */
  readonly mayWait: () => boolean;
};

export class GraphBacklog {
  readonly #options: GraphBacklogOptions;

  constructor(options: GraphBacklogOptions) {
    this.#options = options;
  }

  /** Resolves when the graphs have kept up, or when writes may wait no longer. */
  async drained(): Promise<void> {
    const { gauges, wakeIndexer } = this.#options;
    if (this.#isDrained()) return;
    wakeIndexer();
    for (;;) {
      // Read first: work in between ends the wait at once.
      const seen = gauges.graphWork;
      if (this.#isDrained()) return;
      await gauges.graphWorkSince(seen);
    }
  }

  /** Has writes that wait check again whether they still have to. */
  recheck(): void {
    this.#options.gauges.noteGraphWork();
  }

  #isDrained(): boolean {
    const { gauges, mayWait, memory } = this.#options;
    return !mayWait() || gauges.indexerFailed || memory.pendingScanCost <= SCAN_COST_MAX;
  }
}
