// SPDX-License-Identifier: Apache-2.0
/**
 * The public shape of a collection's storage: one LMDB environment, the truth of the collection.
 * One thread opens it for writing; every other thread of the process opens it for reading.
 */
import type { PointId } from '@sextant/contracts-vector';
import type { PostingCount, PostingList, PostingRange } from './posting-lists.ts';
import type { RowSet } from './row-set.ts';

/** A vector: the kind of array says what its components are, and comes back as it was put. */
export type Components = Float32Array | Float16Array | Uint8Array;

/** A vector by those of its components that are not zero: indices ascending, each with its value. */
export type SparseComponents = { readonly indices: Uint32Array; readonly values: Float32Array };

/** Where a list has its values: `rows[i]` counted from `fromRow` has `values[i]`, ascending. Valid until the next read. */
export type SparseBlock = { readonly fromRow: number; readonly rows: Uint16Array; readonly values: Float32Array };

export type StoredPoint = {
  readonly id: PointId;
  /** Operation that last changed the point in any way. */
  readonly version: number;
  /** Operation that last wrote its vectors; the row is new then. */
  readonly vectorVersion: number;
  /** The payload as JSON text, `{}` when there is none. */
  readonly payload: string;
  /** The vectors that were written with the point; unknown in a record of an earlier version. */
  readonly vectors?: WrittenVectors;
};

/** Spaces by kind. */
export type WrittenVectors = { readonly [Kind in SpaceKind]: readonly number[] };

/** A point without its payload. */
export type PointHead = Pick<StoredPoint, 'id' | 'version' | 'vectorVersion'>;

/** Rows from `fromRow` to below `toRow`. */
export type RowRange = { readonly fromRow: number; readonly toRow: number };

export type IdRange = { readonly from?: PointId; readonly limit: number; readonly reverse?: boolean };

export type SpaceKind = 'dense' | 'sparse';

export interface StorageReader {
  /**
   * Later reads see every write that was durable before this call. Cheap; call it at the start of an operation.
   * Reads within one turn of the event loop are of one snapshot; a suspended iteration keeps the snapshot of its start.
   */
  refresh(): void;
  /** Number of the last durable operation; 0 before the first. */
  readonly sequence: number;
  readonly pointCount: number;
  /** What the vectors of all spaces take on disk, in whole pages. */
  readonly vectorBytes: number;
  /** The same of the points with their payloads. */
  readonly pointBytes: number;
  /** What `countBytes` added up for a space; undefined in a collection of an earlier version, which counted none. */
  countedBytes(kind: SpaceKind, space: number): number | undefined;
  /** A document of the collection (its configuration, its field indexes), or undefined. */
  document(name: string): unknown;
  rowOf(id: PointId): number | undefined;
  point(row: number): StoredPoint | undefined;
  /** The point without its payload, which is then not read either. */
  pointHead(row: number): PointHead | undefined;
  vector(space: number, row: number): Components | undefined;
  /** As `vector`, but the array is only valid until the next read: half as dear where many are looked at. */
  passingVector(space: number, row: number): Components | undefined;
  hasVector(space: number, row: number): boolean;
  /** Ids ascending, numbers before UUIDs, from `from` (included) on; in reverse descending. */
  ids(options: IdRange): readonly { readonly id: PointId; readonly row: number }[];
  /** Points by row ascending, from `fromRow` on. */
  points(options: { fromRow: number; limit: number }): readonly { readonly row: number; readonly point: StoredPoint }[];
  /** Every stored vector of one space, or of some of its rows, by row ascending; the array is only valid until the next step. */
  vectors(space: number, rows?: RowRange): Iterable<{ readonly row: number; readonly version: number; readonly vector: Components }>;
  /** Where operations after `sequence` put or deleted vectors, in any space: ranges that hold all those rows, and some beside them, ascending. */
  rowsChangedSince(sequence: number): Iterable<RowRange>;
  sparseVector(space: number, row: number): SparseComponents | undefined;
  hasSparseVector(space: number, row: number): boolean;
  /** How many sparse vectors of a space have components, of all rows or of those `within`. */
  countSparseVectors(space: number, within?: RowSet): number;
  /** One more than the highest row with components, or somewhat more. */
  sparseRowBound(space: number): number;
  /** How many vectors of a space have a component at an index. */
  countSparse(space: number, index: number): number;
  /** The components that the vectors of a space have at an index, of rows in the range, by row ascending. */
  visitSparse(space: number, index: number, rows: RowRange, visit: (block: SparseBlock) => void): void;
  /** All live rows. */
  rows(): RowSet;
  /** The rows of one posting list; empty when there is none. */
  posting(key: Uint8Array): RowSet;
  /** Posting lists with start <= key < end in byte order (or in reverse), merged over their chunks. */
  postings(range: PostingRange): Iterable<PostingList>;
  /**
   * The rows of all posting lists with start <= key < end together, or undefined when there are more than `listsMax` lists.
   * Adds chunk by chunk into one set: a range of n values must not cost n bitmaps of the collection's size.
   */
  unionPostings(range: PostingRange & { readonly listsMax: number }): RowSet | undefined;
  /** Posting lists with start <= key < end in byte order, with how many of their rows are in `within` (all when absent); no list is materialised. */
  countPostings(range: PostingRange & { readonly within?: RowSet }): Iterable<PostingCount>;
  close(): void;
}

export interface StorageTransaction extends Omit<StorageReader, 'refresh' | 'close'> {
  /** Takes the next operation number. */
  nextSequence(): number;
  /** Writes a document as JSON; undefined removes it. */
  putDocument(name: string, value: unknown): void;
  /** Writes the point's record and its id; the row is the caller's choice. Another row of the id, or id of the row, loses its record. */
  putPoint(row: number, point: StoredPoint): void;
  /** Removes the point's record and its id; its vectors and postings are the caller's to remove. */
  deletePoint(row: number): void;
  putVector(space: number, row: number, version: number, vector: Components): void;
  deleteVector(space: number, row: number): void;
  putSparseVector(space: number, row: number, vector: SparseComponents): void;
  /** Answers how many components it had. */
  deleteSparseVector(space: number, row: number): number;
  /** Adds to the bytes of a space whose vectors differ in length; the caller says which do. A space that is cleared has none. */
  countBytes(kind: SpaceKind, space: number, bytes: number): void;
  /**
   * Removes up to `limit` vectors of a space that nobody reads any more, and answers whether it has others. `rowsChangedSince` does not tell of them.
   */
  clearVectors(space: number, limit: number): boolean;
  /** The same of sparse vectors, with their components in the lists. */
  clearSparseVectors(space: number, limit: number): boolean;
  addPosting(key: Uint8Array, row: number): void;
  removePosting(key: Uint8Array, row: number): void;
  /** Removes every posting list with start <= key < end. */
  clearPostings(range: PostingRange): void;
}

export interface StorageWriter extends StorageReader {
  /**
   * Runs `body` in one transaction. When it returns, everything in it is on disk; when it throws, nothing is.
   * Reads inside see the transaction's own writes.
   */
  write<Result>(body: (transaction: StorageTransaction) => Result): Result;
  /**
   * Writes the collection as the last write left it into one new file, beside reads and writes; `importCollection` takes it in. The file is not
   * synced. The storage must stay open until it ends.
   */
  copy(file: string): Promise<void>;
}
