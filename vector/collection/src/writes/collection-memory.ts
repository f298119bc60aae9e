/** The memory side of a collection's writes: its spaces, and the rows in them. Storage is written first; memory follows. */
import { ServiceError } from '@sextant/contracts-vector';
import { SpaceFullError, type SpaceWriter, type VectorSpaceHandle } from '@sextant/vector-kernel';
import { type CollectionConfig, hnswOf, quantizationOf } from '../collection-config.ts';
import { wantsGraph } from '../indexing-policy.ts';
import { removeSavedGraph } from '../saved-graph.ts';
import { loadSpaces, type SpaceSource } from '../space-loader.ts';
import { spacesOf } from '../vectors.ts';
import type { MemoryChanges } from './point-changes.ts';
import { RowAllocator } from './row-allocator.ts';

export type MemorySource = SpaceSource & { readonly name: string };

export class CollectionMemory {
  readonly #source: MemorySource;
  readonly #rows: RowAllocator;
  #config: CollectionConfig;
  #spaces: readonly SpaceWriter[];
  #generation = 0;

  constructor(source: MemorySource) {
    this.#source = source;
    this.#config = source.config;
    this.#spaces = loadSpaces(source);
    this.#rows = this.#loadRows();
  }

  /** By the space's ordinal. */
  get handles(): readonly VectorSpaceHandle[] {
    return this.#spaces.map((space) => space.handle);
  }

  /** Grows when the spaces are built afresh. */
  get generation(): number {
    return this.#generation;
  }

  /** Rows for new vectors; throws `memory_exhausted`, having taken none, when the spaces cannot hold them. */
  takeRows(count: number): number[] {
    if (!this.#reserve(count)) {
      this.#rows.sweep();
      if (!this.#reserve(count)) {
        throw new ServiceError('memory_exhausted', { collection: this.#source.name, limit: this.#spaces[0]?.bytesMax ?? 0 });
      }
    }
    return Array.from({ length: count }, () => this.#rows.take());
  }

  /** Rows that were taken and not used. */
  giveBackRows(rows: readonly number[]): void {
    this.#rows.giveBack(rows);
  }

  /** New rows first, then the removed ones: a search that misses the old row of an updated point finds its new one. */
  apply({ put, removed }: MemoryChanges): void {
    for (const { row, version, vectors } of put) {
      for (const [ordinal, vector] of vectors) this.#spaces[ordinal]?.put(row, vector, version);
    }
    for (const row of removed) {
      for (const space of this.#spaces) if (space.has(row)) space.remove(row);
    }
    this.#rows.retire(removed);
  }

  /** Follows a change of the configuration; graphs of other parameters are built afresh, from the vectors in storage. */
  configure(config: CollectionConfig): void {
    const rebuild = graphParameters(config) !== graphParameters(this.#config);
    this.#config = config;
    if (!rebuild) return;
    for (const { ordinal } of spacesOf(config)) removeSavedGraph(this.#source.directory, ordinal);
    this.#spaces = loadSpaces({ ...this.#source, config });
    this.#generation++;
  }

  /** Bytes of vectors that wait for their graph, of the space where most of them do. */
  get pendingBytes(): number {
    const waiting = spacesOf(this.#config).map(({ ordinal, params }) => {
      const space = this.#spaces[ordinal];
      if (space === undefined || !wantsGraph(this.#config, params, space)) return 0;
      return space.pendingCount * params.size * Float32Array.BYTES_PER_ELEMENT;
    });
    return Math.max(0, ...waiting);
  }

  #reserve(count: number): boolean {
    const bound = this.#rows.boundAfter(count);
    try {
      for (const space of this.#spaces) space.reserve(bound);
      return true;
    } catch (error) {
      if (error instanceof SpaceFullError) return false;
      throw error;
    }
  }

  #loadRows(): RowAllocator {
    const live = this.#source.storage.rows();
    const bound = Math.max(0, ...this.#spaces.map((space) => space.rowBound), highestRow(live) + 1);
    const free: number[] = [];
    for (let row = bound - 1; row >= 0; row--) if (!live.has(row)) free.push(row);
    return new RowAllocator({ next: bound, free, isFree: (row) => this.#spaces.every((space) => space.isFree(row)) });
  }
}

function highestRow(rows: Iterable<number>): number {
  let highest = -1;
  for (const row of rows) highest = row;
  return highest;
}

function graphParameters(config: CollectionConfig): string {
  const parameters = spacesOf(config).map(({ params }) => {
    const { m, ef_construct } = hnswOf(config, params);
    return [m, ef_construct, quantizationOf(config, params).quantization];
  });
  return JSON.stringify(parameters);
}
