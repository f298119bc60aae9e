// SPDX-License-Identifier: Apache-2.0
/**
 * Makes a collection small again of which most was deleted. Rows are numbers that storage and memory share, so points at the end are moved to
 * free rows at the front, a few at a time, as if they were updated; the indexer takes the old rows out of the graphs and saves them;
 * and then the spaces are read again from there, without the rows behind.
 */
import { ServiceError } from '@sextant/contracts-vector';
import { pause } from '@sextant/foundation-std';
import type { CollectionWork } from './collection-work.ts';

const ROWS_PER_STEP = 64;
/** Between two steps others write. */
const STEP_PAUSE_MS = 5;
/** Between two looks whether the indexer has gone on. */
const LOOK_PAUSE_MS = 250;

export type CompactionOptions = CollectionWork & {
  /** Gives the points of these rows the lowest rows that are free. */
  readonly move: (rows: readonly number[]) => Promise<unknown>;
  /** Has the indexer look at the collection. */
  readonly wake: () => void;
};

export class Compaction {
  readonly #options: CompactionOptions;
  #running: Promise<void> | undefined;
  /** What failed once would fail again with every write. */
  #hasFailed = false;

  constructor(options: CompactionOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Begins, unless there is little to gain or it runs already. It stops when points come back, and begins again when others are deleted. */
  beginIfWorthwhile(): void {
    if (this.#running !== undefined || this.#hasFailed) return;
    const bound = this.#options.memory.compactBound;
    if (bound === undefined) return;
    this.#running = this.#runReported(bound);
  }

  /**
   * Has all rows linked and all deleted ones taken out of the graphs, releases memory where most was deleted, and has the graphs saved.
   * It ends when nothing is left to do: while points are written without a pause, it goes on.
   */
  async optimize(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
    this.#hasFailed = false;
    const optimizing = this.#optimize();
    this.#running = optimizing.catch(() => undefined).finally(() => this.#ended());
    return optimizing;
  }

  async #optimize(): Promise<void> {
    const { gauges, memory, isClosed } = this.#options;
    gauges.optimizing = true;
    try {
      const bound = memory.compactBound;
      if (bound !== undefined && (await this.#run(bound))) return;
      // The indexer saves when it has nothing else to do.
      gauges.compaction = 'save';
      if (await this.#until(Number.POSITIVE_INFINITY, () => gauges.compaction !== 'save')) return;
      if (isClosed()) throw new ServiceError('collection_deleted');
      throw new Error('a graph could not be built');
    } finally {
      gauges.compaction = 'none';
      gauges.optimizing = false;
    }
  }

  #ended(): void {
    this.#running = undefined;
  }

  /** Nobody waits for it: a failure is logged, and the collection stays as large as it is until a restart. */
  async #runReported(bound: number): Promise<void> {
    const { log, isClosed } = this.#options;
    try {
      if (await this.#run(bound)) log.info({ rows: bound }, 'memory of deleted points released');
    } catch (error) {
      this.#hasFailed = true;
      if (!isClosed()) log.warn({ err: error }, 'memory of deleted points could not be released');
    } finally {
      this.#ended();
    }
  }

  async #run(bound: number): Promise<boolean> {
    const { memory, gauges, replace } = this.#options;
    gauges.compaction = 'repair';
    try {
      if (!(await this.#moveRows(bound))) return false;
      if (!(await this.#until(bound, () => memory.usedBound <= bound))) return false;
      gauges.compaction = 'save';
      if (!(await this.#until(bound, () => gauges.compaction !== 'save'))) return false;
      await replace(() => memory.reload());
      return true;
    } finally {
      gauges.compaction = 'none';
    }
  }

  async #moveRows(bound: number): Promise<boolean> {
    const { storage, memory, move } = this.#options;
    while (this.#isWorthwhile(bound)) {
      const rows = storage.points({ fromRow: bound, limit: ROWS_PER_STEP }).map(({ row }) => row);
      if (rows.length === 0) return true;
      if (memory.hasFreeRows({ below: bound, count: rows.length })) {
        await move(rows);
        await pause(this.#options.clock, STEP_PAUSE_MS);
      } else {
        await this.#look();
      }
    }
    return false;
  }

  /** False where it has become pointless to wait. */
  async #until(bound: number, fact: () => boolean): Promise<boolean> {
    while (this.#isWorthwhile(bound)) {
      if (fact()) return true;
      await this.#look();
    }
    return false;
  }

  async #look(): Promise<void> {
    this.#options.wake();
    await pause(this.#options.clock, LOOK_PAUSE_MS);
  }

  #isWorthwhile(bound: number): boolean {
    const { storage, gauges, isClosed } = this.#options;
    if (isClosed() || gauges.indexerFailed) return false;
    storage.refresh();
    return storage.pointCount <= bound;
  }
}
