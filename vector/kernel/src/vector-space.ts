/**
 * The kernel's public shape. A vector space is one named vector of one collection: rows of float32 vectors and
 * their HNSW graph, in one shared WebAssembly memory that every thread of the process may attach to.
 */

export type Metric = 'dot' | 'euclid' | 'manhattan';

/** With `int8` the graph is walked and built on codes of one byte for each component; answers are always rescored by the vectors. */
export type Quantization = 'none' | 'int8';

export type VectorSpaceOptions = {
  /** 1..65536 */
  readonly dimension: number;
  /** Cosine is `dot` over vectors that the caller has normalised. */
  readonly metric: Metric;
  /** HNSW M, 0..512: neighbours per node above level 0; level 0 has 2 M. With 0 there is no graph: every search is a scan. */
  readonly m: number;
  readonly efConstruct: number;
  /** Seed of the levels, so that a build can be replayed. */
  readonly seed: number;
  /** By default `int8` where the dimension is 24 or more. A code takes `dimension` bytes beside the vector. */
  readonly quantization?: Quantization;
  /** Bound of the shared memory; at most 4 GiB. */
  readonly bytesMax?: number;
};

/** What travels to another thread by `postMessage`; it shares the memory, it copies nothing. */
export type VectorSpaceHandle = {
  readonly memory: WebAssembly.Memory;
  readonly module: WebAssembly.Module;
};

/** The nearest rows, nearest first; `distances` are kernel distances: smaller is nearer (dot is negated, euclid squared). */
export type Neighbours = { readonly rows: Uint32Array; readonly distances: Float32Array };

export type SearchOptions = {
  readonly k: number;
  readonly ef: number;
  readonly filter?: Uint32Array;
  /** Rows, at least `k`, that are measured by their vectors once codes have chosen them; by default up to twice that, as the beam allows. With 0 codes are not used at all. */
  readonly rescored?: number;
};

export type RowRange = { readonly k: number; readonly fromRow: number; readonly toRow: number; readonly filter?: Uint32Array };

/**
 * One thread's read access. Searches never lock and never see a half-written vector or a released row. The protection ends with
 * the call: a row of an answer may be removed, released and put again after it. Searches throw `SpaceFullError` where the
 * memory bound leaves no room for scratch memory.
 */
export interface SpaceReader {
  readonly dimension: number;
  readonly metric: Metric;
  /** Rows below this bound may exist; row numbers are dense and reused. */
  readonly rowBound: number;
  /** Rows with a live vector. */
  readonly liveCount: number;
  /** Live rows that the graph reaches. */
  readonly indexedCount: number;
  /** Live rows that only an exact scan reaches as yet. */
  readonly pendingCount: number;
  readonly bytesUsed: number;
  readonly bytesMax: number;
  /**
   * Nearest live rows: the graph with beam width `ef`, together with an exact scan of the rows not yet in the graph.
   * With `filter` (a bitmap of rows, bit r of word r >> 5) only rows whose bit is set are returned; the walk goes over the others from one
   * of them to the next, and ends early where that does not lead on.
   */
  search(query: Float32Array, options: SearchOptions): Neighbours;
  /**
   * Exact nearest live rows in [fromRow, toRow), of `filter` when given. Call it on slices and merge,
   * to leave the thread free between them.
   */
  scan(query: Float32Array, range: RowRange): Neighbours;
  /** As `scan`, but where codes are in use they choose the rows that are measured: a quarter of the memory is read, and a near row is seldom missed. */
  sweep(query: Float32Array, range: RowRange & Pick<SearchOptions, 'rescored'>): Neighbours;
  /** The share of rows that pass the filter among some hundreds around the query; says whether a walk there would find its way. */
  passingShare(query: Float32Array, filter: Uint32Array): number;
  /** Exact nearest among the given rows, each named once; rows without a live vector are passed over. */
  scanRows(query: Float32Array, options: { k: number; rows: Uint32Array }): Neighbours;
  /** Exact nearest live rows among those that were put with a version above `version`. */
  scanNewer(query: Float32Array, options: { k: number; version: number }): Neighbours;
  /** True where the row has a live vector. */
  has(row: number): boolean;
  /** Gives this thread's scratch memory back. */
  detach(): void;
}

/** The one thread that puts and removes vectors. */
export interface SpaceWriter extends SpaceReader {
  readonly handle: VectorSpaceHandle;
  /**
   * Stores a vector in a free row; it is searchable (by scan) when this returns. `version` is the caller's number of the
   * write, kept for `saveGraph`. Throws `SpaceFullError`, having changed nothing, when the memory bound is reached.
   */
  put(row: number, vector: Float32Array, version: number): void;
  /** Makes sure that every row below `rowBound` can be put; throws `SpaceFullError` otherwise. */
  reserve(rowBound: number): void;
  /** Takes the row's vector out of every later answer. The row may be put again once `isFree(row)`. */
  remove(row: number): void;
  /** True where no vector is stored, the graph no longer leads to the row and no reader can still see it. */
  isFree(row: number): boolean;
}

/** The one thread that changes the graph, but for linkers beside it. `link` and `repair` throw `SpaceFullError` where the memory bound leaves no room to work. */
export interface SpaceIndexer {
  /** Links up to `limit` pending rows into the graph; returns how many it linked. */
  link(limit: number): number;
  /** Whether the share of deleted rows in the graph calls for `repair`. */
  deletedShare(): number;
  readonly deletedCount: number;
  /**
   * Works off a pass that reconnects neighbours around deleted rows and then releases those rows,
   * at most `limit` nodes a call; returns true when the pass is complete. At its end it looks for live rows that nothing leads to.
   */
  repair(limit: number): boolean;
  /** Frees rows whose last possible reader has gone. Cheap; call it between other steps. */
  reclaim(): void;
  /** The graph (levels, links, row versions; no vectors) as bytes with a format version, parameters and a checksum. */
  saveGraph(): Uint8Array;
}

/**
 * A thread that helps the indexer to link. It works on its own block of rows while the indexer is at another, and rests while the indexer
 * repairs, calibrates or saves. The graph is then as good as one thread's, but not the same from run to run.
 */
export interface SpaceLinker {
  /**
   * Links up to `limit` pending rows; returns how many. None may mean that the indexer wants to be alone, or that others are at the last
   * blocks. Throws `SpaceFullError` where the memory bound leaves no room to work.
   */
  link(limit: number): number;
  /** Gives this thread's scratch memory and its reader slot back. */
  detach(): void;
}

/**
 * Reads a saved graph. Use: `createVectorSpace`, then `loadGraph`, then for each stored vector `adopt`
 * (keeps the saved links if the version is the one that was saved, else the row becomes pending), then `finishLoad`, which
 * turns saved rows that were not adopted into deleted ones. Throws `GraphDamagedError` when checksum, format or parameters do not fit;
 * the space is then still empty and every row is put afresh.
 */
export interface SpaceLoader {
  loadGraph(bytes: Uint8Array): void;
  adopt(row: number, vector: Float32Array, version: number): void;
  finishLoad(): void;
}

export class SpaceFullError extends Error {
  override readonly name = 'SpaceFullError';
}

export class GraphDamagedError extends Error {
  override readonly name = 'GraphDamagedError';
}
