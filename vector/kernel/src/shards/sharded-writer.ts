// SPDX-License-Identifier: Apache-2.0
/** The one thread that puts and removes vectors of a space in shards, opens the shards and loads their graphs. */
import { assert } from '@sextant/foundation-std';
import { createVectorSpace } from '../space-writer.ts';
import {
  type Components,
  type GraphSource,
  SpaceFullError,
  type SpaceLoader,
  type SpaceWriter,
  type VectorSpaceOptions,
} from '../vector-space.ts';
import { ShardedReads } from './sharded-reader.ts';
import { rowsThatFit, type ShardedSpaceHandle } from './sharded-space.ts';

/** At the largest size of a memory, far more than a machine has memory for. */
export const SHARDS_MAX = 1024;

export type ShardedSpaceOptions = VectorSpaceOptions & {
  /** A multiple of 32; by default as many as a memory of 4 GiB safely holds. */
  readonly rowsPerShard?: number;
};

type Shard = SpaceWriter & SpaceLoader;

/** Makes an empty space with one shard. */
export function createShardedSpace(options: ShardedSpaceOptions): ShardedSpaceWriter {
  const first = createVectorSpace(options);
  return new ShardedSpaceWriter(options, first, options.rowsPerShard ?? rowsThatFit(first));
}

export class ShardedSpaceWriter extends ShardedReads<Shard> {
  readonly rowBytes: number;
  readonly #options: VectorSpaceOptions;

  constructor(options: VectorSpaceOptions, first: Shard, rowsPerShard: number) {
    super(rowsPerShard);
    this.#options = options;
    this.rowBytes = first.rowBytes;
    this.add(first);
  }

  get handle(): ShardedSpaceHandle {
    return { rowsPerShard: this.rowsPerShard, shards: this.shards.map(({ handle }) => handle) };
  }

  /** One more than the highest row that is not free. */
  get usedBound(): number {
    const last = this.shards.findLastIndex(({ usedBound }) => usedBound > 0);
    return last < 0 ? 0 : last * this.rowsPerShard + (this.shards[last]?.usedBound ?? 0);
  }

  /** Rows below this bound have a shard. */
  get capacity(): number {
    return this.shards.length * this.rowsPerShard;
  }

  /**
   * Opens the shards of all rows below the bound; they take 128 KiB each until rows come. Throws `SpaceFullError`, having opened none or
   * some.
   */
  openShards(rowBound: number): void {
    if (rowBound > SHARDS_MAX * this.rowsPerShard) throw new SpaceFullError(`a vector space has at most ${SHARDS_MAX} shards`);
    while (this.capacity < rowBound) this.add(createVectorSpace(this.#options));
  }

  /** See `SpaceWriter`; the row's shard is open. */
  put(row: number, vector: Components, version: number): void {
    this.#openShardOf(row).put(row % this.rowsPerShard, vector, version);
  }

  /** See `SpaceWriter`; the shards of all rows are open. */
  reserve(rowBound: number): void {
    assert(rowBound <= this.capacity, 'rows are reserved in shards that are open');
    for (const [index, shard] of this.shards.entries()) shard.reserve(this.#boundIn(index, rowBound));
  }

  /** Bytes of memory that the rows below the bound would take in addition. */
  bytesWanted(rowBound: number): number {
    const open = this.shards.reduce((sum, shard, index) => sum + shard.bytesWanted(this.#boundIn(index, rowBound)), 0);
    return open + Math.max(0, rowBound - this.capacity) * this.rowBytes;
  }

  remove(row: number): void {
    this.#openShardOf(row).remove(row % this.rowsPerShard);
  }

  isFree(row: number): boolean {
    return this.shardOf(row)?.isFree(row % this.rowsPerShard) ?? true;
  }

  /** See `SpaceLoader`. Other shards of the space may have no graph. */
  loadGraph(shard: number, source: GraphSource, { newest }: { newest: number }): number {
    const loaded = this.shards[shard];
    assert(loaded !== undefined, 'a graph is loaded into an open shard');
    return loaded.loadGraph(source, { newest, rowsMax: this.rowsPerShard });
  }

  /** See `SpaceLoader`. */
  recall({ fromRow, toRow }: { fromRow: number; toRow: number }): void {
    for (const [index, shard] of this.shards.entries()) {
      const [from, to] = [this.#boundIn(index, fromRow), this.#boundIn(index, toRow)];
      if (from < to) shard.recall({ fromRow: from, toRow: to });
    }
  }

  /** See `SpaceLoader`; the row's shard is open. */
  adopt(row: number, vector: Components, version: number): void {
    this.#openShardOf(row).adopt(row % this.rowsPerShard, vector, version);
  }

  finishLoad(): void {
    for (const shard of this.shards) shard.finishLoad();
  }

  #boundIn(shard: number, rowBound: number): number {
    return Math.max(0, Math.min(rowBound - shard * this.rowsPerShard, this.rowsPerShard));
  }

  #openShardOf(row: number): Shard {
    const shard = this.shardOf(row);
    assert(shard !== undefined, 'the shard of the row is open');
    return shard;
  }
}
