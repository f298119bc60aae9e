// SPDX-License-Identifier: Apache-2.0
/** What operators ask of a collection, beside its writes: its graphs optimized or rebuilt, and a copy of its storage. */
import { ServiceError } from '@sextant/contracts-vector';
import type { CollectionWork } from './collection-work.ts';
import type { Compaction } from './compaction.ts';

export type UpkeepOptions = CollectionWork & { readonly name: string; readonly compaction: Compaction };

export class Upkeep {
  readonly #options: UpkeepOptions;
  /** The storage must stay open until they end. */
  readonly #copies = new Set<Promise<void>>();

  constructor(options: UpkeepOptions) {
    this.#options = options;
  }

  /** Whether neither the graphs nor the storage are worked on. */
  get isIdle(): boolean {
    const { compaction, gauges } = this.#options;
    return this.#copies.size === 0 && !compaction.isRunning && gauges.rebuilding === undefined;
  }

  /** See `Compaction.optimize`. */
  async optimize(): Promise<void> {
    this.#assertOpen();
    const { compaction, log, name } = this.#options;
    log.info({ collection: name }, 'optimizing');
    await compaction.optimize();
    log.info({ collection: name }, 'optimized');
  }

  /** Rebuilds every graph, while the former ones are searched, and saves the new ones. */
  async rebuildIndex(): Promise<void> {
    this.#assertOpen();
    const { gauges, log, memory, name, replace, storage } = this.#options;
    log.info({ collection: name, points: storage.pointCount }, 'rebuilding graphs');
    gauges.rebuilding = { rows: 0 };
    try {
      await replace(() =>
        memory.rebuild((rows) => {
          gauges.rebuilding = { rows };
        }),
      );
    } finally {
      gauges.rebuilding = undefined;
    }
    await this.optimize();
    log.info({ collection: name }, 'graphs rebuilt');
  }

  /** Writes everything of the last commit into one new file, beside reads and writes; see `StorageWriter.copy`. */
  async copy(file: string): Promise<void> {
    this.#assertOpen();
    const copying = this.#options.storage.copy(file);
    this.#copies.add(copying);
    try {
      await copying;
    } finally {
      this.#copies.delete(copying);
    }
  }

  /** Resolves when nothing needs the storage any more. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#copies);
  }

  #assertOpen(): void {
    if (this.#options.isClosed()) throw new ServiceError('collection_deleted');
  }
}
