// SPDX-License-Identifier: Apache-2.0
/** One thread's read access to one collection: its storage, its spaces and what it remembers between requests. */
import { ServiceError } from '@sextant/contracts-vector';
import type { Clock, Random } from '@sextant/foundation-std';
import type { ShardedSpaceReader } from '@sextant/vector-kernel';
import { openCollectionReader, type StorageReader } from '@sextant/vector-storage';
import type { FieldIndex } from '../../field-index/schema.ts';
import { ChangedRows } from '../../model/changed-rows.ts';
import type { CollectionConfig } from '../../model/collection-config.ts';
import { CollectionGauges, type CollectionHandle, LinkedRows } from '../../model/collection-handle.ts';
import { namedDamage } from '../../model/damage.ts';
import { type Log, silentLog } from '../../model/log.ts';
import type { SparseSchema } from '../../model/sparse-vectors.ts';
import { type SpaceSchema, vectorSchemasOf } from '../../model/vectors.ts';
import { RateLimits } from '../../strict-mode/rate-limits.ts';
import { FilterCache } from '../matching/filter-cache.ts';
import { SpaceReaders } from './space-readers.ts';

/** What a view takes from the thread around it. */
export type ViewSources = {
  readonly clock: Clock;
  readonly random: Random;
  /** Of the memory that there is, what the process holds; without it, nothing. */
  readonly residentMemoryPercent?: () => number;
  /** Of what goes wrong where no request waits for it. */
  readonly log?: Log;
  /** Opens collections that are closed; without it there are none. */
  readonly opener?: CollectionOpener;
};

export type CollectionOpener = {
  /** Has the writer open a collection, which stays open until what it answers is called, and resolves when this thread knows of it. */
  open(name: string): Promise<() => void>;
};

export class CollectionView {
  readonly name: string;
  /** Of its storage. */
  readonly directory: string;
  readonly config: CollectionConfig;
  readonly spaces: readonly SpaceSchema[];
  readonly multi: readonly SpaceSchema[];
  readonly sparse: readonly SparseSchema[];
  readonly fieldIndexes: ReadonlyMap<string, FieldIndex>;
  readonly storage: StorageReader;
  readonly gauges: CollectionGauges;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly changedRows: ChangedRows;
  readonly filterCache: FilterCache;
  readonly rates: RateLimits;
  readonly #linked: ReadonlyMap<number, LinkedRows>;
  readonly #sources: ViewSources;
  readonly #readers: SpaceReaders;
  #readsRunning = 0;
  /** Set once the view is to end: called when its last read has ended. */
  #ended: (() => void) | undefined;

  private constructor(
    handle: CollectionHandle,
    { storage, readers, sources }: { storage: StorageReader; readers: SpaceReaders; sources: ViewSources },
  ) {
    this.name = handle.name;
    this.directory = handle.directory;
    this.config = handle.config;
    ({ spaces: this.spaces, multi: this.multi, sparse: this.sparse } = vectorSchemasOf(handle.config));
    this.fieldIndexes = new Map(handle.fieldIndexes.map((index) => [index.field, index]));
    this.storage = storage;
    this.gauges = new CollectionGauges(handle.gauges);
    this.changedRows = new ChangedRows(handle.changedRows);
    this.filterCache = new FilterCache(this.changedRows);
    this.rates = new RateLimits(this.gauges.rates, sources.clock);
    this.clock = sources.clock;
    this.random = sources.random;
    this.log = sources.log ?? silentLog;
    this.#linked = new Map([...handle.spaces].map(([ordinal, { rowsLinked }]) => [ordinal, new LinkedRows(rowsLinked)]));
    this.#sources = sources;
    this.#readers = readers;
  }

  static open(handle: CollectionHandle, sources: ViewSources): CollectionView {
    const storage = openCollectionReader({ directory: handle.directory });
    return new CollectionView(handle, { sources, storage, readers: new SpaceReaders(handle, storage) });
  }

  reader(ordinal: number): ShardedSpaceReader {
    const reader = this.#readers.of(ordinal);
    if (reader === undefined) throw new ServiceError('internal', {}, { cause: new Error(`no space ${ordinal} in ${this.name}`) });
    return reader;
  }

  /** What the indexer has done in the graphs of a space. */
  linkedRows(ordinal: number): LinkedRows | undefined {
    return this.#linked.get(ordinal);
  }

  residentMemoryPercent(): number {
    return this.#sources.residentMemoryPercent?.() ?? 0;
  }

  get readers(): readonly ShardedSpaceReader[] {
    return this.#readers.all;
  }

  /** Runs one read on the last snapshot. */
  read<Result>(body: () => Promise<Result> | Result): Promise<Result> {
    return this.hold(() => {
      this.storage.refresh();
      return body();
    });
  }

  /** Runs one read that takes its snapshots itself; a view is closed only when its last read has ended. */
  async hold<Result>(body: () => Promise<Result> | Result): Promise<Result> {
    if (this.#ended !== undefined) throw new ServiceError('collection_deleted');
    this.#readsRunning++;
    this.gauges.addReadsRunning(1);
    this.gauges.lastUsedMs = this.clock.nowMs();
    try {
      return await body();
    } catch (error) {
      throw namedDamage(error, this.name);
    } finally {
      this.gauges.addReadsRunning(-1);
      this.#readsRunning--;
      this.#endWhenIdle();
    }
  }

  /** Attaches the shards that the handle has more; reads that run see them too. */
  grow(handle: CollectionHandle): void {
    this.#readers.grow(handle);
  }

  /** A view of the changed collection over the same open storage; this one ends with the last read that runs on it. */
  replacedBy(handle: CollectionHandle): { readonly successor: CollectionView; readonly ended: Promise<void> } {
    const { storage } = this;
    const readers = new SpaceReaders(handle, storage, this.#readers);
    readers.grow(handle);
    const successor = new CollectionView(handle, { storage, readers, sources: this.#sources });
    return { successor, ended: this.#end() };
  }

  /** Refuses new reads, waits for running ones, then closes the storage. */
  async close(): Promise<void> {
    await this.#end();
    this.storage.close();
  }

  async #end(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#ended = resolve;
      this.#endWhenIdle();
    });
    this.#readers.release();
  }

  #endWhenIdle(): void {
    if (this.#readsRunning === 0) this.#ended?.();
  }
}
