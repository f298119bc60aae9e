// SPDX-License-Identifier: Apache-2.0
/** A thread's read access to all shards of a space as if they were one. */
import { assert } from '@sextant/foundation-std';
import { attachReader } from '../space-reader.ts';
import type {
  Components,
  Datatype,
  Metric,
  Neighbours,
  Originals,
  RescoringOptions,
  RowRange,
  SearchOptions,
  SpaceReader,
} from '../vector-space.ts';
import { rowsPerFilterWord, type ShardedSpaceHandle } from './sharded-space.ts';

/** Reads a space in shards, over any access to the single shards. */
export class ShardedReads<Shard extends SpaceReader> implements SpaceReader {
  readonly rowsPerShard: number;
  readonly #shards: Shard[] = [];

  constructor(rowsPerShard: number) {
    assert(
      Number.isInteger(rowsPerShard) && rowsPerShard > 0 && rowsPerShard % rowsPerFilterWord === 0,
      'rowsPerShard is a multiple of 32',
    );
    this.rowsPerShard = rowsPerShard;
  }

  get shards(): readonly Shard[] {
    return this.#shards;
  }

  get dimension(): number {
    return this.#first.dimension;
  }

  get metric(): Metric {
    return this.#first.metric;
  }

  get datatype(): Datatype {
    return this.#first.datatype;
  }

  get rowBound(): number {
    const last = this.#shards.findLastIndex(({ rowBound }) => rowBound > 0);
    return last < 0 ? 0 : last * this.rowsPerShard + (this.#shards[last]?.rowBound ?? 0);
  }

  get liveCount(): number {
    return this.#sum((shard) => shard.liveCount);
  }

  get indexedCount(): number {
    return this.#sum((shard) => shard.indexedCount);
  }

  get pendingCount(): number {
    return this.#sum((shard) => shard.pendingCount);
  }

  /** That of the first shard, whose vectors are of the same kind as the others'; given up or outgrown where any of them is. */
  get codes(): SpaceReader['codes'] {
    const all = this.#shards.map(({ codes }) => codes);
    return all.find((codes) => codes === 'given up') ?? all.find((codes) => codes === 'outgrown') ?? this.#first.codes;
  }

  get readsOriginals(): boolean {
    return this.#shards.some(({ readsOriginals }) => readsOriginals);
  }

  get comparedBytes(): number {
    return this.#first.comparedBytes;
  }

  get comparesProjections(): boolean {
    return this.#first.comparesProjections;
  }

  get bytesUsed(): number {
    return this.#sum((shard) => shard.bytesUsed);
  }

  get bytesMax(): number {
    return this.#sum((shard) => shard.bytesMax);
  }

  search(query: Components, options: SearchOptions): Neighbours {
    const { k, filter } = options;
    return this.#nearest(k, (shard, firstRow) => {
      if (firstRow === undefined || filter === undefined) return shard.search(query, options);
      return shard.search(query, { ...options, filter: this.#filterOf(firstRow, filter) });
    });
  }

  scan(query: Components, range: RowRange): Neighbours {
    return this.#nearest(range.k, (shard, firstRow) => shard.scan(query, this.#rangeOf(firstRow, range)));
  }

  scanQuantized(query: Components, range: RowRange & RescoringOptions): Neighbours {
    return this.#nearest(range.k, (shard, firstRow) => shard.scanQuantized(query, this.#rangeOf(firstRow, range)));
  }

  passingShare(query: Components, filter: Uint32Array): number {
    if (this.#shards.length === 1) return this.#first.passingShare(query, filter);
    let passing = 0;
    let indexed = 0;
    for (const [index, shard] of this.#shards.entries()) {
      const { indexedCount } = shard;
      passing += indexedCount * shard.passingShare(query, this.#filterOf(index * this.rowsPerShard, filter));
      indexed += indexedCount;
    }
    return indexed === 0 ? 1 : passing / indexed;
  }

  scanRows(query: Components, { k, rows }: { k: number; rows: Uint32Array }): Neighbours {
    return this.#nearest(k, (shard, firstRow) => {
      if (firstRow === undefined) return shard.scanRows(query, { k, rows });
      return shard.scanRows(query, { k, rows: this.#rowsOf(firstRow, rows) });
    });
  }

  scanRowsQuantized(query: Components, options: { k: number; rows: Uint32Array } & RescoringOptions): Neighbours {
    return this.#nearest(options.k, (shard, firstRow) => {
      if (firstRow === undefined) return shard.scanRowsQuantized(query, options);
      return shard.scanRowsQuantized(query, { ...options, rows: this.#rowsOf(firstRow, options.rows) });
    });
  }

  scanNewer(query: Components, options: { k: number; version: number }): Neighbours {
    return this.#nearest(options.k, (shard) => shard.scanNewer(query, options));
  }

  distances(query: Components, { fromRow, toRow }: { fromRow: number; toRow: number }): Float32Array {
    const distances = new Float32Array(toRow - fromRow).fill(Number.POSITIVE_INFINITY);
    for (const [index, shard] of this.#shards.entries()) {
      const firstRow = index * this.rowsPerShard;
      const own = { fromRow: Math.max(fromRow, firstRow), toRow: Math.min(toRow, firstRow + this.rowsPerShard) };
      if (own.fromRow >= own.toRow) continue;
      distances.set(shard.distances(query, { fromRow: own.fromRow - firstRow, toRow: own.toRow - firstRow }), own.fromRow - fromRow);
    }
    return distances;
  }

  has(row: number): boolean {
    return this.shardOf(row)?.has(row % this.rowsPerShard) ?? false;
  }

  detach(): void {
    for (const shard of this.#shards) shard.detach();
  }

  /** The shard of a row, if it is attached; there the row's number is `row % rowsPerShard`. */
  protected shardOf(row: number): Shard | undefined {
    return this.#shards[Math.floor(row / this.rowsPerShard)];
  }

  protected add(shard: Shard): void {
    this.#shards.push(shard);
  }

  get #first(): Shard {
    const [first] = this.#shards;
    assert(first !== undefined, 'a space has a shard from its beginning');
    return first;
  }

  #sum(figure: (shard: Shard) => number): number {
    let sum = 0;
    for (const shard of this.#shards) sum += figure(shard);
    return sum;
  }

  /** Asks each shard, with the number of its first row. A single shard is asked without it, and its answer is final. */
  #nearest(k: number, ask: (shard: Shard, firstRow: number | undefined) => Neighbours): Neighbours {
    if (this.#shards.length === 1) return ask(this.#first, undefined);
    const answers = this.#shards.map((shard, index): ShardAnswer => {
      const firstRow = index * this.rowsPerShard;
      return { firstRow, found: ask(shard, firstRow) };
    });
    return mergeNeighbours(answers, k);
  }

  #filterOf(firstRow: number, filter: Uint32Array): Uint32Array {
    return filter.subarray(firstRow / rowsPerFilterWord, (firstRow + this.rowsPerShard) / rowsPerFilterWord);
  }

  /** The rows that lie in a shard, by its own numbers. */
  #rowsOf(firstRow: number, rows: Uint32Array): Uint32Array {
    return rows.filter((row) => row >= firstRow && row - firstRow < this.rowsPerShard).map((row) => row - firstRow);
  }

  /** The part of a range that lies in a shard, by its own numbers; empty where there is none. */
  #rangeOf<Range extends RowRange>(firstRow: number | undefined, range: Range): Range {
    if (firstRow === undefined) return range;
    return {
      ...range,
      fromRow: Math.max(0, range.fromRow - firstRow),
      toRow: Math.max(0, Math.min(range.toRow - firstRow, this.rowsPerShard)),
      ...(range.filter === undefined ? {} : { filter: this.#filterOf(firstRow, range.filter) }),
    };
  }
}

/** Gives a thread read access to the shards of a handle. Each shard has 64 reader slots. */
export class ShardedSpaceReader extends ShardedReads<SpaceReader> {
  readonly #originals: Originals | undefined;

  /** @param originals see `attachReader` */
  constructor(handle: ShardedSpaceHandle, originals?: Originals) {
    super(handle.rowsPerShard);
    this.#originals = originals;
    this.attachMissing(handle);
  }

  /** Attaches the shards that a later handle of the same space has in addition. */
  attachMissing({ shards }: ShardedSpaceHandle): void {
    for (const shard of shards.slice(this.shards.length)) {
      const firstRow = this.shards.length * this.rowsPerShard;
      this.add(attachReader(shard, this.#originals && originalsFrom(firstRow, this.#originals)));
    }
  }
}

/** The originals of a shard, by its own row numbers. */
function originalsFrom(firstRow: number, originals: Originals): Originals {
  if (firstRow === 0) return originals;
  return {
    vector: (row) => originals.vector(firstRow + row),
    *vectors({ fromRow, toRow }) {
      for (const { row, vector } of originals.vectors({ fromRow: firstRow + fromRow, toRow: firstRow + toRow })) {
        yield { row: row - firstRow, vector };
      }
    },
  };
}

/** The answer of a shard, and the number of its first row in the space. */
export type ShardAnswer = { readonly firstRow: number; readonly found: Neighbours };

/** @param answers by shard; the nearest `k` of all, nearest first, the lower row first among equals */
export function mergeNeighbours(answers: readonly ShardAnswer[], k: number): Neighbours {
  const held = answers.reduce((sum, { found }) => sum + found.rows.length, 0);
  const count = Math.min(k, held);
  const rows = new Uint32Array(count);
  const distances = new Float32Array(count);
  const next = new Uint32Array(answers.length);
  for (let i = 0; i < count; i++) {
    const shard = nearestShard(answers, next);
    const { firstRow, found } = answers[shard] ?? nothing;
    const at = next[shard] ?? 0;
    rows[i] = firstRow + (found.rows[at] ?? 0);
    distances[i] = found.distances[at] ?? 0;
    next[shard] = at + 1;
  }
  return { rows, distances };
}

const nothing: ShardAnswer = { firstRow: 0, found: { rows: new Uint32Array(), distances: new Float32Array() } };

/** Among equally near heads the first shard's, whose rows are lower. */
function nearestShard(answers: readonly ShardAnswer[], next: Uint32Array): number {
  let nearest = -1;
  let least = 0;
  for (let shard = 0; shard < answers.length; shard++) {
    const distance = answers[shard]?.found.distances[next[shard] ?? 0];
    if (distance === undefined || (nearest >= 0 && distance >= least)) continue;
    nearest = shard;
    least = distance;
  }
  return nearest;
}
