// SPDX-License-Identifier: Apache-2.0
/**
 * Fills spaces again from storage while the writer goes on: a chunk of rows is read at a time, from all over the collection, so that the first rows, by which codes
 * are made, are like the others. Rows of chunks that have been read follow every write; the others are read with what was written by then. Vectors on disk are linked
 * as they come, and with that released, so that memory never holds them all; the others are left to the indexer.
 */
import { attachIndexer, type ShardedSpaceWriter, type SpaceIndexer } from '@sextant/vector-kernel';
import { wantsGraph } from '../graph/indexing-policy.ts';
import { writeSavedGraph } from '../graph/saved-graph.ts';
import { isOnDisk } from '../model/collection-config.ts';
import { vectorBytes } from '../model/datatype.ts';
import { type SpaceSchema, spacesOf } from '../model/vectors.ts';
import { CHUNK_ROWS, passesOver } from './space-filler.ts';
import { emptySpaces, type SpaceSource, type Spaces } from './space-loader.ts';

/** So much is read or linked in a slice, a few milliseconds each, between which the thread writes. */
const SLICE_BYTES = 1024 * 1024;
const ROWS_PER_SLICE = 32;

export type RefillOptions = {
  /** Vectors that are in memory before they are linked, where they are kept on disk. */
  readonly bytesAtATime?: number;
  /** Has all spaces linked before they are used, and is called with the number of rows linked so far; saving them is left to the indexer. */
  readonly onLinked?: (rows: number) => void;
};

export class SpaceRefill {
  readonly spaces: Spaces;
  readonly #source: SpaceSource;
  readonly #passes: readonly (readonly number[])[];
  /** Chunks that have not been read. */
  readonly #waiting: Set<number>;
  readonly #indexers = new Map<number, readonly SpaceIndexer[]>();
  readonly #onLinked: RefillOptions['onLinked'];
  #rowsLinked = 0;

  constructor(source: SpaceSource, { bytesAtATime, onLinked }: RefillOptions = {}) {
    this.#onLinked = onLinked;
    this.spaces = emptySpaces(source);
    this.#source = source;
    this.#passes = passesOver(source.storage.rows(), { rowBytes: this.#bytesOf(this.#schemas), bytesAtATime });
    this.#waiting = new Set(this.#passes.flat());
  }

  /** Whether a write of the row has to reach the spaces. */
  follows(row: number): boolean {
    return !this.#waiting.has(Math.floor(row / CHUNK_ROWS));
  }

  /** Each turn does one slice. */
  *slices(): Iterable<void> {
    const perSlice = Math.max(1, Math.floor(SLICE_BYTES / this.#bytesOf(this.#schemas) / CHUNK_ROWS));
    for (const [pass, chunks] of this.#passes.entries()) {
      for (let first = 0; first < chunks.length; first += perSlice) {
        this.#source.storage.refresh();
        for (const chunk of chunks.slice(first, first + perSlice)) this.#read(chunk);
        yield;
      }
      // The last ones are left to the indexer, as rows that were just written are.
      if (pass < this.#passes.length - 1 || this.#onLinked !== undefined) yield* this.#link();
    }
  }

  /** The next start takes what was linked from there. */
  save(): void {
    if (this.#onLinked !== undefined) return;
    const { storage, directory } = this.#source;
    for (const [ordinal, indexers] of this.#indexers) {
      const rowsPerShard = this.spaces.get(ordinal)?.rowsPerShard ?? 0;
      for (const [shard, indexer] of indexers.entries()) {
        const graph = { ordinal, firstRow: shard * rowsPerShard };
        writeSavedGraph(directory, graph, (sink) => indexer.saveGraph(sink, { sequence: storage.sequence }));
      }
    }
  }

  /** From here on others may link. */
  end(): void {
    for (const indexers of this.#indexers.values()) for (const indexer of indexers) indexer.detach();
    this.#indexers.clear();
  }

  get #schemas(): readonly SpaceSchema[] {
    return spacesOf(this.#source.config);
  }

  #bytesOf(schemas: readonly SpaceSchema[]): number {
    return schemas.reduce((sum, { params }) => sum + vectorBytes(params), 0);
  }

  #read(chunk: number): void {
    const fromRow = chunk * CHUNK_ROWS;
    for (const { ordinal } of this.#schemas) {
      for (const { row, version, vector } of this.#source.storage.vectors(ordinal, { fromRow, toRow: fromRow + CHUNK_ROWS })) {
        this.spaces.get(ordinal)?.openShards(row + 1);
        this.spaces.get(ordinal)?.put(row, vector, version);
      }
    }
    this.#waiting.delete(chunk);
  }

  /** Links what waits in the spaces on disk, or in all. */
  *#link(): Iterable<void> {
    for (const schema of this.#schemas) {
      const space = this.spaces.get(schema.ordinal);
      if (space === undefined || !this.#isLinked(schema) || !wantsGraph(this.#source.config, schema.params, space)) continue;
      for (const indexer of this.#indexersOf(schema.ordinal, space)) {
        // No more than wait now: others may come for as long as this takes, and some go.
        const wanted = indexer.pendingCount;
        for (let linked = 0, slice = 1; (linked < wanted && slice > 0) || indexer.isCalibrating; linked += slice) {
          slice = indexer.link(ROWS_PER_SLICE);
          indexer.reclaim();
          this.#rowsLinked += slice;
          this.#onLinked?.(this.#rowsLinked);
          yield;
        }
      }
    }
  }

  #isLinked({ params }: SpaceSchema): boolean {
    return this.#onLinked !== undefined || isOnDisk(params);
  }

  /** Those of shards that were opened since are attached. */
  #indexersOf(ordinal: number, { handle }: ShardedSpaceWriter): readonly SpaceIndexer[] {
    const known = this.#indexers.get(ordinal) ?? [];
    const indexers = [...known, ...handle.shards.slice(known.length).map((shard) => attachIndexer(shard))];
    this.#indexers.set(ordinal, indexers);
    return indexers;
  }
}
