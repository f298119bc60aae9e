// SPDX-License-Identifier: Apache-2.0
/** The memory side of a collection's writes: its spaces, and the rows in them. Storage is written first; memory follows. */
import { ServiceError } from '@sextant/contracts-vector';
import { type ShardedSpaceWriter, SpaceFullError } from '@sextant/vector-kernel';
import { wantsGraph } from '../graph/indexing-policy.ts';
import { removeSavedGraphs } from '../graph/saved-graph.ts';
import { type CollectionConfig, hnswOf, isOnDisk } from '../model/collection-config.ts';
import { LinkedRows, type SpaceHandle } from '../model/collection-handle.ts';
import { vectorBytes } from '../model/datatype.ts';
import { isMultiParams } from '../model/multi-vectors.ts';
import { quantizationOf } from '../model/quantization.ts';
import { type PlacedVector, type VectorPlace, withoutVector, withVector } from '../model/vector-places.ts';
import { spacesOf } from '../model/vectors.ts';
import { scanCost } from '../reads/search-costs.ts';
import type { MemoryBudget } from './memory-budget.ts';
import type { MemoryChanges } from './point-changes.ts';
import { RowAllocator } from './row-allocator.ts';
import { emptySpace, loadSpaces, type SpaceSource, type Spaces } from './space-loader.ts';
import { type RefillOptions, SpaceRefill } from './space-refill.ts';

export type MemorySource = SpaceSource & { readonly name: string; readonly budget: MemoryBudget };

/** Rows were asked for whose shard is not open to all threads yet; it has to be before anything is written. */
export class ShardsMissingError extends Error {
  override readonly name = 'ShardsMissingError';
  readonly rowBound: number;

  constructor(rowBound: number) {
    super(`rows below ${rowBound} have no shard yet`);
    this.rowBound = rowBound;
  }
}

/** A collection is made small where it needs less than this share of its rows, and so much memory comes back. */
const SHRUNKEN_SHARE = 0.5;
const SHRUNKEN_BYTES_MIN = 32 * 1024 * 1024;

/** Spaces beside those in use that follow the changes of rows: they are being filled, or still read by who knows no others. */
type Beside = {
  readonly spaces: Spaces;
  readonly follows: (row: number) => boolean;
  /** Where others still read them: resolves when none does. */
  readonly gone?: Promise<void>;
};

/** New spaces are in use. The former ones follow all changes until `release` is called. */
export type Replacement = { readonly release: () => void };

export class CollectionMemory {
  readonly #source: MemorySource;
  readonly #beside = new Set<Beside>();
  #rows: RowAllocator;
  #closed = false;
  #config: CollectionConfig;
  #spaces: Spaces;
  /** What other threads get of each space, but for its shards. */
  readonly #announced = new WeakMap<ShardedSpaceWriter, Omit<SpaceHandle, 'space'>>();
  #generation = 0;
  /** Rows below it are in shards that every thread has. */
  #knownBound: number;

  constructor(source: MemorySource) {
    this.#source = source;
    this.#config = source.config;
    this.#spaces = loadSpaces(source);
    this.#knownBound = this.#capacity;
    this.#rows = this.#loadRows();
  }

  /** By the space's ordinal. */
  get handles(): ReadonlyMap<number, SpaceHandle> {
    return new Map([...this.#spaces].map(([ordinal, space]) => [ordinal, { ...this.#announcedOf(space), space: space.handle }]));
  }

  /** Of shared memory, by all its spaces and those beside them. */
  get bytesUsed(): number {
    return bytesUsed(this.#all);
  }

  /** Rows for new vectors; throws, having taken none, `memory_exhausted` where there is no memory for them and `ShardsMissingError` where there is no shard. */
  takeRows(count: number): number[] {
    if (!this.#reserve(count)) {
      this.#rows.reclaim();
      if (!this.#reserve(count)) throw this.#exhausted();
    }
    return Array.from({ length: count }, () => this.#rows.take());
  }

  /** Rows that were taken and not used. */
  releaseRows(rows: readonly number[]): void {
    this.#rows.release(rows);
  }

  /** Opens the shards of all rows below the bound. Their rows can be taken after `shardsKnown`. */
  async openShards(rowBound: number): Promise<void> {
    // Who reads former spaces gets no more shards of those.
    for (const { gone } of this.#beside) await gone;
    try {
      for (const space of this.#spaces.values()) space.openShards(rowBound);
    } catch (error) {
      throw error instanceof SpaceFullError ? this.#exhausted(error) : error;
    }
  }

  /** Every thread has the shards of `handles`. */
  shardsKnown(): void {
    this.#knownBound = this.#capacity;
  }

  /** New rows first, then the removed ones: a search that misses the old row of an updated point finds its new one. */
  apply({ put, removed }: MemoryChanges): void {
    for (const { row, version, vectors } of put) {
      for (const [ordinal, vector] of vectors) {
        for (const spaces of this.#spacesWith(row)) spaces.get(ordinal)?.put(row, vector, version);
      }
    }
    for (const row of removed) {
      for (const spaces of this.#spacesWith(row)) {
        for (const space of spaces.values()) if (space.has(row)) space.remove(row);
      }
    }
    this.#rows.retire(removed);
  }

  /**
   * Follows a change of the configuration. Where graphs have other parameters, spaces are filled again from storage, while writes go on;
   * answers them when they are in use. Undefined where nothing was replaced, also because of `close`.
   */
  async configure(config: CollectionConfig): Promise<Replacement | undefined> {
    const rebuild = graphParameters(config) !== graphParameters(this.#config);
    this.#config = config;
    return rebuild ? this.#refill() : undefined;
  }

  /**
   * Rebuilds every graph beside the one in use, which is searched until then; answers the new ones. Undefined after `close`.
   * @throws ServiceError `memory_exhausted` where there is no room for both
   */
  async rebuild(onProgress: (rowsLinked: number) => void): Promise<Replacement | undefined> {
    this.#assertRoomBeside();
    return this.#refill({ onLinked: onProgress });
  }

  #assertRoomBeside(): void {
    if (!this.#source.budget.allows(bytesUsed(this.#spaces.values()))) throw this.#exhausted();
  }

  /** Whether vectors of a space are on disk, so that their codes stay as they are. */
  get isOnDisk(): boolean {
    return spacesOf(this.#config).some(({ params }) => isOnDisk(params));
  }

  /** Whether codes that stay fit many of the later rows badly. */
  get hasOutgrownCodes(): boolean {
    return [...this.#spaces.values()].some(({ codes }) => codes === 'outgrown');
  }

  /** Whether rows of a space on disk wait for its graph. */
  get isLinking(): boolean {
    return spacesOf(this.#config).some(({ ordinal, params }) => {
      const space = this.#spaces.get(ordinal);
      return space !== undefined && isOnDisk(params) && space.pendingCount > 0 && wantsGraph(this.#config, params, space);
    });
  }

  /** As `rebuild`, where codes are outgrown; the graphs are left to the indexer but for those of spaces on disk. */
  async renewCodes(): Promise<Replacement | undefined> {
    if (!this.hasOutgrownCodes) return undefined;
    this.#assertRoomBeside();
    return this.#refill();
  }

  /**
   * Makes room for one vector more of every row, and has it follow all changes; throws `memory_exhausted`, having done nothing. Announce it to the
   * threads before anything is written to it.
   */
  add(placed: Extract<PlacedVector, { kind: 'dense' }>): void {
    if (!isMultiParams(placed.params)) this.#addSpace(placed);
    // Which operation adds it, memory is never asked.
    this.#config = withVector(this.#config, placed, 0);
  }

  #addSpace(placed: Extract<PlacedVector, { kind: 'dense' }>): void {
    const space = emptySpace({ ...this.#source, config: this.#config }, placed);
    const { bound } = this.#rows;
    if (!this.#source.budget.allows(space.bytesWanted(bound))) throw this.#exhausted();
    try {
      space.openShards(bound);
      space.reserve(bound);
    } catch (error) {
      throw error instanceof SpaceFullError ? this.#exhausted(error) : error;
    }
    space.finishLoad();
    this.#spaces = new Map([...this.#spaces, [placed.ordinal, space]]);
    this.#knownBound = Math.min(this.#knownBound, space.capacity);
  }

  /** Forgets one vector of every row. */
  remove(place: VectorPlace): Replacement {
    const kept = new Map(this.#spaces);
    kept.delete(place.ordinal);
    const removed = new Map([...this.#spaces].filter(([ordinal]) => ordinal === place.ordinal));
    this.#config = withoutVector(this.#config, place);
    this.#spaces = kept;
    return this.#leaving(removed);
  }

  /** Rows that the points need and a few more, where the spaces have room for far more than that. */
  get compactBound(): number | undefined {
    const { bound } = this.#rows;
    const points = this.#source.storage.pointCount;
    const bytes = bytesUsed(this.#spaces.values());
    const isShrunken = points < bound * SHRUNKEN_SHARE && bytes * (1 - points / bound) >= SHRUNKEN_BYTES_MIN;
    return isShrunken ? Math.ceil((points + bound * SHRUNKEN_SHARE) / 2) : undefined;
  }

  /** Rows from here on are free in every space. */
  get usedBound(): number {
    return Math.max(0, ...[...this.#spaces.values()].map((space) => space.usedBound));
  }

  hasFreeRows(wanted: { below: number; count: number }): boolean {
    if (!this.#rows.hasFree(wanted)) this.#rows.reclaim();
    return this.#rows.hasFree(wanted);
  }

  /** Reads the spaces again from what was saved; between two writes, and no longer than for what is left of the collection. */
  reload(): Replacement {
    const replacement = this.#replace(loadSpaces({ ...this.#source, config: this.#config }));
    this.#rows = this.#loadRows();
    return replacement;
  }

  /** Ends what runs beside the writes. */
  close(): void {
    this.#closed = true;
  }

  /** Microseconds that a search takes for the vectors that wait for their graph, in the space where it takes longest. */
  get pendingScanCost(): number {
    const costs = spacesOf(this.#config).map(({ ordinal, params }) => {
      const space = this.#spaces.get(ordinal);
      if (space === undefined || !wantsGraph(this.#config, params, space)) return 0;
      return scanCost({ rows: space.pendingCount, bytes: { vector: vectorBytes(params) } });
    });
    return Math.max(0, ...costs);
  }

  #announcedOf(space: ShardedSpaceWriter): Omit<SpaceHandle, 'space'> {
    const announced = this.#announced.get(space) ?? { generation: ++this.#generation, rowsLinked: LinkedRows.allocate() };
    this.#announced.set(space, announced);
    return announced;
  }

  #reserve(count: number): boolean {
    const bound = this.#rows.boundAfter(count);
    const wanted = this.#all.reduce((sum, space) => sum + space.bytesWanted(bound), 0);
    if (wanted > 0 && !this.#source.budget.allows(wanted)) return false;
    if (bound > this.#knownBound || this.#isFormerFull(bound)) throw new ShardsMissingError(bound);
    try {
      for (const space of this.#all) {
        // Spaces that are being filled are nobody else's.
        space.openShards(bound);
        space.reserve(bound);
      }
      return true;
    } catch (error) {
      if (error instanceof SpaceFullError) return false;
      throw error;
    }
  }

  /** Rows that have a shard in every space. */
  get #capacity(): number {
    return capacityOf(this.#spaces);
  }

  #exhausted(cause?: unknown): ServiceError {
    return new ServiceError('memory_exhausted', { collection: this.#source.name, limit: this.#source.budget.limit }, { cause });
  }

  get #all(): readonly ShardedSpaceWriter[] {
    return [this.#spaces, ...[...this.#beside].map(({ spaces }) => spaces)].flatMap((spaces) => [...spaces.values()]);
  }

  #isFormerFull(rowBound: number): boolean {
    return [...this.#beside].some(({ spaces, gone }) => gone !== undefined && capacityOf(spaces) < rowBound);
  }

  /** The spaces in use, and those beside them that have the row, or would have it. */
  #spacesWith(row: number): readonly Spaces[] {
    return [this.#spaces, ...[...this.#beside].filter(({ follows }) => follows(row)).map(({ spaces }) => spaces)];
  }

  #removeSaved(): void {
    for (const { ordinal } of spacesOf(this.#config)) removeSavedGraphs(this.#source.directory, ordinal, { kept: [] });
  }

  /** The new spaces follow all changes as far as they are filled. Between the last slice and their use nothing else may run. */
  async #refill(options: RefillOptions = {}): Promise<Replacement | undefined> {
    const refill = new SpaceRefill({ ...this.#source, config: this.#config }, options);
    const filling: Beside = { spaces: refill.spaces, follows: (row) => refill.follows(row) };
    this.#beside.add(filling);
    try {
      for (const _slice of refill.slices()) {
        await new Promise<void>((resolve) => setImmediate(resolve));
        // The next slice would read a storage that is closed.
        if (this.#closed) return undefined;
      }
      this.#removeSaved();
      refill.save();
      return this.#replace(refill.spaces);
    } catch (error) {
      throw error instanceof SpaceFullError ? this.#exhausted(error) : error;
    } finally {
      refill.end();
      this.#beside.delete(filling);
    }
  }

  #isFree(row: number): boolean {
    return this.#spacesWith(row).every((spaces) => [...spaces.values()].every((space) => space.isFree(row)));
  }

  #replace(spaces: Spaces): Replacement {
    const former = this.#spaces;
    this.#spaces = spaces;
    this.#knownBound = this.#capacity;
    return this.#leaving(former);
  }

  /** The spaces follow all changes until nobody reads them any more. */
  #leaving(spaces: Spaces): Replacement {
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    const former: Beside = { spaces, follows: () => true, gone };
    this.#beside.add(former);
    const release = () => {
      this.#beside.delete(former);
      resolve();
    };
    return { release };
  }

  #loadRows(): RowAllocator {
    const live = this.#source.storage.rows();
    const bound = Math.max(0, ...[...this.#spaces.values()].map((space) => space.rowBound), live.bound);
    const free: number[] = [];
    for (let row = bound - 1; row >= 0; row--) if (!live.has(row)) free.push(row);
    return new RowAllocator({ next: bound, free, isFree: (row) => this.#isFree(row) });
  }
}

function bytesUsed(spaces: Iterable<ShardedSpaceWriter>): number {
  return Iterator.from(spaces).reduce((sum, space) => sum + space.bytesUsed, 0);
}

function capacityOf(spaces: Spaces): number {
  return Math.min(...[...spaces.values()].map(({ capacity }) => capacity));
}

function graphParameters(config: CollectionConfig): string {
  const parameters = spacesOf(config).map(({ params }) => {
    const { m, ef_construct } = hnswOf(config, params);
    return [m, ef_construct, quantizationOf(config, params), isOnDisk(params)];
  });
  return JSON.stringify(parameters);
}
