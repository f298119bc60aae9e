/**
 * The kernel's public shape. A vector space is one named vector of one collection: rows of vectors and
 * their HNSW graph, in one shared WebAssembly memory that every thread of the process may attach to.
 */

/** `cosine` is for bytes, which cannot be normalised; the others take normalised vectors and `dot`. */
export type Metric = 'dot' | 'euclid' | 'manhattan' | 'cosine';

/** What the components of a space's vectors are, in memory and in what is measured. */
export type Datatype = 'float32' | 'float16' | 'uint8';

/** A vector: the kind of array is its datatype. */
export type Components = Float32Array | Float16Array | Uint8Array;

/**
 * With `product-x4` and the like codes take that much less than float32 vectors: each of their bytes names one of 256 centroids, for as many
 * components as a quarter of the number says; the graph is built on vectors and walked on codes. With `int8` the graph is walked and built on codes of one byte for each component. With `reduced` a code has one byte for each of a few directions in which the vectors differ most, as many as tell neighbours; where these are too many, or
 * by `manhattan`, codes are those of `int8`. With `binary` codes are signs of components, of which half or all have a second bit with `binary-1.5` and `binary-2`; the
 * graph is built on vectors and walked on codes, which by `manhattan` are those of `int8`. Answers are always rescored by the vectors.
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
  /** Seed of the levels, so that a build can be replayed. */
  readonly seed: number;
  /**
   * By default `int8` where the dimension is 24 or more, or where vectors are released; `reduced` where it is 128 or more, but by `manhattan`. A code takes at most `dimension` bytes beside the vector. Vectors of bytes
   * have none but `reduced` ones, and these by `euclid` alone: they are as short as the others, and the graph is walked and built on them.
   */
  readonly quantization?: Quantization;
  /** Share of the components, 0.5 to 1, that bytes of codes reach; those farther out are cut off. By default they reach four standard deviations. */
  readonly quantile?: number;
  /** Bits for each component of a query that is compared with codes of `binary`: with 1 it becomes a code itself. By default 4. */
  readonly queryBits?: 1 | 4 | 8;
  /**
   * With `released` a vector leaves memory once its row is in the graph and codes are in use: what is measured from then on is the original, which readers
   * are given. There are always codes then, which stay as they are. Vectors of bytes are no longer than codes, and are kept. By default `kept`.
   */
  readonly vectors?: 'kept' | 'released';
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

export type RescoringOptions = {
  /**
   * Rows, at least `k`, that are measured by their vectors once codes have chosen them; by default as many as codes of the kind need. With 0 codes
   * are not used at all.
   */
  readonly rescored?: number;
  /** Where `rescored` says nothing, at least this many times `k`. */
  readonly oversampling?: number;
};

/** Where the vectors of a space are stored for good. Each is valid until the next is asked for. */
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
 * One thread's read access. Searches never lock and never see a half-written vector or a released row. The protection ends with
 * the call: a row of an answer may be removed, released and put again after it. Searches throw `SpaceFullError` where the
 * memory bound leaves no room for scratch memory.
 */
export interface SpaceReader {
  readonly dimension: number;
  readonly metric: Metric;
  /** Queries are of the same. */
  readonly datatype: Datatype;
  /** Rows below this bound may exist; row numbers are dense and reused. */
  readonly rowBound: number;
  /** Rows with a live vector. */
  readonly liveCount: number;
  /** Live rows that the graph reaches. */
  readonly indexedCount: number;
  /** Live rows that only an exact scan reaches as yet. */
  readonly pendingCount: number;
  /**
   * Whether searches choose by codes: not before enough rows are there, nor where a trial has shown that codes do not tell neighbours. Where vectors are released,
   * codes that are outgrown are in use still, though many of the later rows do not fit them.
   */
  readonly codes: 'none' | 'awaited' | 'learning' | 'in use' | 'outgrown' | 'given up';
  /** Whether vectors have been released: exact answers then take reading the originals. */
  readonly readsOriginals: boolean;
  /** Bytes that a graph walk or a quantized flat scan reads of each row that it compares: those of its code, or of its vector where codes are not in use. */
  readonly comparedBytes: number;
  /** Whether codes in use are reduced ones: a query is projected before it is compared with them. */
  readonly comparesProjections: boolean;
  /** Without the room for longer codes that has never been written to. */
  readonly bytesUsed: number;
  readonly bytesMax: number;
  /**
   * Nearest live rows: a graph search with `ef`, and an exact scan of the rows that are not in the graph yet.
   * With `filter` (a bitmap of rows, bit r of word r >> 5) only rows whose bit is set are returned; the walk goes over the others from one
   * of them to the next, and ends early where that does not lead on.
   */
  search(query: Components, options: SearchOptions): Neighbours;
  /**
   * Exact nearest live rows in [fromRow, toRow), of `filter` when given. Call it on slices and merge,
   * to leave the thread free between them.
   */
  scan(query: Components, range: RowRange): Neighbours;
  /** As `scan`, but where codes are in use they choose the rows that are measured: a quarter of the memory is read, and a near row is seldom missed. */
  scanQuantized(query: Components, range: RowRange & RescoringOptions): Neighbours;
  /** The share of rows that pass the filter among some hundreds around the query; says whether a walk there would find its way. */
  passingShare(query: Components, filter: Uint32Array): number;
  /** Exact nearest among the given rows, each named once; rows without a live vector are passed over. */
  scanRows(query: Components, options: { k: number; rows: Uint32Array }): Neighbours;
  /** As `scanRows`, but by codes first, as `scanQuantized` does. */
  scanRowsQuantized(query: Components, options: { k: number; rows: Uint32Array } & RescoringOptions): Neighbours;
  /** Exact nearest live rows among those that were put with a version above `version`. */
  scanNewer(query: Components, options: { k: number; version: number }): Neighbours;
  /** From the query to each row in [fromRow, toRow), by row: infinite where there is no live vector in memory. */
  distances(query: Components, range: { fromRow: number; toRow: number }): Float32Array;
  /** True where the row has a live vector. */
  has(row: number): boolean;
  /** Releases this thread's scratch memory. */
  detach(): void;
}

/** The one thread that puts and removes vectors. */
export interface SpaceWriter extends SpaceReader {
  readonly handle: VectorSpaceHandle;
  /** Bytes that a row takes: vector, code, links of level 0 and what the kernel keeps of it. */
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
  /** True where no vector is stored, the graph no longer leads to the row and no reader can still see it. */
  isFree(row: number): boolean;
}

/** The one thread that changes the graph, but for linkers beside it. `link` and `repair` throw `SpaceFullError` where the memory bound leaves no room to work. */
export interface SpaceIndexer {
  /** Links up to `limit` pending rows into the graph; returns how many it linked. Where codes are being learned, it does a step of that first. */
  link(limit: number): number;
  /** Whether codes are being learned: `link` has more to do even where it finds no rows. */
  readonly isCalibrating: boolean;
  /** Whether the share of deleted rows in the graph calls for `repair`. */
  deletedShare(): number;
  readonly deletedCount: number;
  /** Live rows in the graph, and live rows that wait for it. */
  readonly indexedCount: number;
  readonly pendingCount: number;
  /**
   * Works off a pass that reconnects neighbours around deleted rows and then releases those rows,
   * at most `limit` nodes a call; returns true when the pass is complete. At its end it looks for live rows that nothing leads to.
   */
  repair(limit: number): boolean;
  /** Frees rows whose last possible reader has gone. Cheap; call it between other steps. */
  reclaim(): void;
  /**
   * Writes the graph with its vectors and codes, checksummed. Linkers rest meanwhile; the writer and readers go on, so rows of writes after
   * `sequence` may be saved or not. Throws what the sink throws.
   */
  saveGraph(sink: GraphSink, options: { sequence: number }): void;
  /** Releases this thread's scratch memory. */
  detach(): void;
}

/** Takes the bytes of a saved graph, not always in order; they are the caller's again when it returns. */
export type GraphSink = { readonly write: (bytes: Uint8Array, position: number) => void };

/** Gives the bytes of a saved graph: fills `target` from `position` on. The target may lie in shared memory. */
export type GraphSource = { readonly size: number; readonly read: (target: Uint8Array, position: number) => void };

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
  /** Releases this thread's scratch memory and its reader slot. */
  detach(): void;
}

/**
 * Reads a saved graph. Use: `createVectorSpace`, then `loadGraph`, then `recall` for all rows that may have been put or removed since, then
 * `adopt` for those of them that have a vector, then `finishLoad`.
 */
export interface SpaceLoader {
  /**
   * Brings back what `saveGraph` wrote and answers its `sequence`: vectors of later writes are not to be relied on. Throws `GraphDamagedError` when a checksum, the
   * format or the parameters do not fit, when it has more rows than `rowsMax`, or when it was saved after the write `newest`; the space is then still empty, and every row is adopted afresh.
   */
  loadGraph(source: GraphSource, options: { newest: number; rowsMax?: number }): number;
  /** What was saved of these rows is out of date, unless they are adopted with the version that was saved. */
  recall(rows: { fromRow: number; toRow: number }): void;
  /** The row is free or recalled. It keeps its saved links if they were made for this version, else it becomes pending. */
  adopt(row: number, vector: Components, version: number): void;
  /** Rows that were recalled and not adopted become deleted ones. */
  finishLoad(): void;
}

export class SpaceFullError extends Error {
  override readonly name = 'SpaceFullError';
}

export class GraphDamagedError extends Error {
  override readonly name = 'GraphDamagedError';
}
