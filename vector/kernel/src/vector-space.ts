// SPDX-License-Identifier: Apache-2.0
/**
 * The kernel's public types. A vector space is one named vector of one collection: rows of vectors and their HNSW graph, in one shared
 * WebAssembly memory that every thread of the process may attach to.
 */

/** `cosine` is for bytes, which cannot be normalised; the others take normalised vectors and `dot`. */
export type Metric = 'dot' | 'euclid' | 'manhattan' | 'cosine';

/** Datatype of the components of a space's vectors, in memory and in comparisons. */
export type Datatype = 'float32' | 'float16' | 'uint8';

/** A vector: the kind of array is its datatype. */
export type Components = Float32Array | Float16Array | Uint8Array;

/**
 * Codes that choose the rows to rescore. Answers are always rescored by the vectors.
 *
 * - `int8`: one byte for each component. The graph is built and searched by codes.
 * - `reduced`: one byte for each of the few directions in which the vectors differ most. Where these do not tell neighbours apart, and by
 *   `manhattan`, codes are those of `int8`. The graph is built and searched by codes.
 * - `product-x4` to `product-x64`: that much less than float32 vectors. Each byte names one of 256 centroids, for as many components as a
 *   quarter of the number. The graph is built on vectors and searched by codes.
 * - `binary`: signs of components, of which half (`binary-1.5`) or all (`binary-2`) have a second bit. The graph is built on vectors and
 *   searched by codes. By `manhattan` codes are those of `int8`.
 */
export type Quantization = 'none' | 'int8' | 'reduced' | `product-x${4 | 8 | 16 | 32 | 64}` | `binary${'' | '-1.5' | '-2'}`;

export type VectorSpaceOptions = {
  /** 1..65536 */
  readonly dimension: number;
  readonly metric: Metric;
  /** By default float32. */
  readonly datatype?: Datatype;
  /** HNSW M, 0..512: neighbours per node above level 0; level 0 has 2 M. With 0 there is no graph: every search is a scan. */
  readonly m: number;
  readonly efConstruct: number;
  /** Seed of the levels, so that a build can be repeated. */
  readonly seed: number;
  /**
   * By default `int8` from 24 dimensions on or where vectors are released, and `reduced` from 128 dimensions on except by `manhattan`. A
   * code takes at most `dimension` bytes beside the vector. Vectors of bytes have `reduced` codes only, and these by `euclid` only: they
   * are as short as the others, and the graph is built and searched by them.
   */
  readonly quantization?: Quantization;
  /**
   * Share of the components, 0.5 to 1, that the bytes of codes cover; those beyond are clipped. By default codes cover four standard
   * deviations.
   */
  readonly quantile?: number;
  /** Bits for each component of a query for `binary` codes: with 1 it becomes a code itself. By default 4. */
  readonly queryBits?: 1 | 4 | 8;
  /**
   * With `released` a vector leaves memory once its row is in the graph and codes are in use. From then on, readers are given the
   * originals, which rescore. There are always codes then, and they are never replaced. Vectors of bytes are no longer than codes, and are
   * kept. By default `kept`.
   */
  readonly vectors?: 'kept' | 'released';
  /** Bound of the shared memory; at most 4 GiB. */
  readonly bytesMax?: number;
};

/** What is sent to another thread by `postMessage`; it shares the memory and copies nothing. */
export type VectorSpaceHandle = {
  readonly memory: WebAssembly.Memory;
  readonly module: WebAssembly.Module;
};

/** The nearest rows, nearest first; `distances` are kernel distances: smaller is nearer (dot is negated, euclid squared). */
export type Neighbours = { readonly rows: Uint32Array; readonly distances: Float32Array };

export type RescoringOptions = {
  /**
   * Rows, at least `k`, to rescore once codes have chosen them; by default as many as codes of the kind need. With 0 codes are not used at
   * all.
   */
  readonly rescored?: number;
  /** Where `rescored` is not given, at least this many times `k`. */
  readonly oversampling?: number;
};

/** Where the vectors of a space are stored permanently. Each is valid until the next is read. */
export type Originals = {
  vector(row: number): Components | undefined;
  /** By row ascending. */
  vectors(range: { readonly fromRow: number; readonly toRow: number }): Iterable<{ readonly row: number; readonly vector: Components }>;
};

export type SearchOptions = RescoringOptions & {
  readonly k: number;
  readonly ef: number;
  readonly filter?: Uint32Array;
};

export type RowRange = { readonly k: number; readonly fromRow: number; readonly toRow: number; readonly filter?: Uint32Array };

/**
 * One thread's read access. Searches never lock and never see a half-written vector or a released row. The protection ends with the call: a
 * row of an answer may be removed, released and put again after it. Searches throw `SpaceFullError` where the memory bound leaves no room
 * for scratch memory.
 */
export interface SpaceReader {
  readonly dimension: number;
  readonly metric: Metric;
  /** Queries have the same. */
  readonly datatype: Datatype;
  /** Rows below this bound may exist; row numbers are dense and reused. */
  readonly rowBound: number;
  /** Rows with a live vector. */
  readonly liveCount: number;
  /** Live rows in the graph. */
  readonly indexedCount: number;
  /** Live rows that are not in the graph yet; searches scan them. */
  readonly pendingCount: number;
  /**
   * Whether searches choose by codes: not before there are enough rows, nor where a trial has shown that codes do not tell neighbours
   * apart. Where vectors are released, outgrown codes stay in use, although many later rows do not fit them.
   */
  readonly codes: 'none' | 'awaited' | 'learning' | 'in use' | 'outgrown' | 'given up';
  /** Whether vectors have been released, so that exact answers read the originals. */
  readonly readsOriginals: boolean;
  /** Bytes that a graph walk or a quantized flat scan reads of each row that it compares: those of its code, or of its vector where codes are not in use. */
  readonly comparedBytes: number;
  /** Whether the codes in use are reduced ones: a query is projected before it is compared with them. */
  readonly comparesProjections: boolean;
  /** Without the room for longer codes that has never been written to. */
  readonly bytesUsed: number;
  readonly bytesMax: number;
  /**
   * Nearest live rows: a graph search with `ef`, and an exact scan of the rows that are not in the graph yet. With `filter` (a bitmap of
   * rows, bit r of word r >> 5) only rows whose bit is set are returned. The walk passes over other rows to reach them, and ends early
   * where it finds no way on.
   */
  search(query: Components, options: SearchOptions): Neighbours;
  /**
   * Exact nearest live rows in [fromRow, toRow), of `filter` when given. Call it on slices and merge, to leave the thread free in between.
   */
  scan(query: Components, range: RowRange): Neighbours;
  /**
   * A quantized flat scan: as `scan`, but codes, where they are in use, choose the rows to rescore. It reads a quarter of the memory and
   * seldom misses a near row.
   */
  scanQuantized(query: Components, range: RowRange & RescoringOptions): Neighbours;
  /** The share of rows that pass the filter among some hundreds around the query: where it is small, a filtered walk finds no way on. */
  passingShare(query: Components, filter: Uint32Array): number;
  /** Exact nearest among the given rows, each named once; rows without a live vector are skipped. */
  scanRows(query: Components, options: { k: number; rows: Uint32Array }): Neighbours;
  /** As `scanRows`, but a quantized flat scan as in `scanQuantized`. */
  scanRowsQuantized(query: Components, options: { k: number; rows: Uint32Array } & RescoringOptions): Neighbours;
  /** Exact nearest live rows among those that were put with a version above `version`. */
  scanNewer(query: Components, options: { k: number; version: number }): Neighbours;
  /** The distance from the query to each row in [fromRow, toRow): infinite where no live vector is in memory. */
  distances(query: Components, range: { fromRow: number; toRow: number }): Float32Array;
  /** True where the row has a live vector. */
  has(row: number): boolean;
  /** Releases this thread's scratch memory. */
  detach(): void;
}

/** The one thread that puts and removes vectors. */
export interface SpaceWriter extends SpaceReader {
  readonly handle: VectorSpaceHandle;
  /** Bytes of a row: vector, code, links of level 0 and the kernel's own data. */
  readonly rowBytes: number;
  /**
   * Stores a vector in a free row; it is searchable (by scan) when this returns. `version` is the caller's number of the
   * write, kept for `saveGraph`. Throws `SpaceFullError`, having changed nothing, when the memory bound is reached.
   */
  put(row: number, vector: Components, version: number): void;
  /** Makes sure that every row below `rowBound` can be put; throws `SpaceFullError` otherwise. */
  reserve(rowBound: number): void;
  /** Bytes of memory that `reserve` would take. */
  bytesWanted(rowBound: number): number;
  /** Takes the row's vector out of every later answer. The row may be put again once `isFree(row)`. */
  remove(row: number): void;
  /** One more than the highest row that is not free. */
  readonly usedBound: number;
  /** True where no vector is stored, no link leads to the row and no reader can still see it. */
  isFree(row: number): boolean;
}

/**
 * The one thread that changes the graph, except for linkers. `link` and `repair` throw `SpaceFullError` where the memory bound leaves no
 * room to work.
 */
export interface SpaceIndexer {
  /**
   * Links up to `limit` pending rows into the graph and returns their number. While codes are being learned, it does a step of that first.
   */
  link(limit: number): number;
  /** Whether codes are being learned: `link` has more to do even where it finds no rows. */
  readonly isCalibrating: boolean;
  /** The share of deleted rows in the graph, by which the caller decides on `repair`. */
  deletedShare(): number;
  readonly deletedCount: number;
  /** Live rows in the graph, and pending ones. */
  readonly indexedCount: number;
  readonly pendingCount: number;
  /**
   * Continues a pass that reconnects neighbours around deleted rows and then releases those rows, at most `limit` nodes a call. Returns
   * true when the pass is complete. At its end it reconnects live rows that no link leads to.
   */
  repair(limit: number): boolean;
  /** Frees rows whose last possible reader has left. It is cheap; call it between other steps. */
  reclaim(): void;
  /**
   * Writes the graph with its vectors and codes, checksummed. Linkers pause meanwhile; the writer and readers go on, so rows of writes
   * after `sequence` may be saved or not. Throws what the sink throws.
   */
  saveGraph(sink: GraphSink, options: { sequence: number }): void;
  /** Releases this thread's scratch memory. */
  detach(): void;
}

/** Takes the bytes of a saved graph, not always in order; the caller may reuse them when it returns. */
export type GraphSink = { readonly write: (bytes: Uint8Array, position: number) => void };

/** Reads the bytes of a saved graph: fills `target` from `position` on. The target may lie in shared memory. */
export type GraphSource = { readonly size: number; readonly read: (target: Uint8Array, position: number) => void };

/**
 * A thread that helps the indexer to link. It works on a block of rows of its own, and pauses while the indexer repairs, calibrates or
 * saves. The graph is as good as one thread's, but not the same from run to run.
 */
export interface SpaceLinker {
  /**
   * Links up to `limit` pending rows and returns their number. Zero may mean that the indexer wants to be alone, or that others work on the
   * last blocks. Throws `SpaceFullError` where the memory bound leaves no room to work.
   */
  link(limit: number): number;
  /** Releases this thread's scratch memory and its reader slot. */
  detach(): void;
}

/**
 * Loads a saved graph. Call `createVectorSpace`, then `loadGraph`, then `recall` for all rows that may have been put or removed since, then
 * `adopt` for those of them that have a vector, then `finishLoad`.
 */
export interface SpaceLoader {
  /**
   * Loads what `saveGraph` wrote and returns its `sequence`: vectors of later writes are not reliable. Throws `GraphDamagedError` when a
   * checksum, the format or the parameters do not fit, when it has more rows than `rowsMax`, or when it was saved after the write `newest`;
   * the space is then still empty, and every row is adopted again.
   */
  loadGraph(source: GraphSource, options: { newest: number; rowsMax?: number }): number;
  /** What was saved of these rows is out of date, unless they are adopted with the version that was saved. */
  recall(rows: { fromRow: number; toRow: number }): void;
  /** The row is free or recalled. It keeps its saved links if they were made for this version, otherwise it becomes pending. */
  adopt(row: number, vector: Components, version: number): void;
  /** Deletes rows that were recalled and not adopted. */
  finishLoad(): void;
}

export class SpaceFullError extends Error {
  override readonly name = 'SpaceFullError';
}

export class GraphDamagedError extends Error {
  override readonly name = 'GraphDamagedError';
}
