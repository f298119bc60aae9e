// SPDX-License-Identifier: Apache-2.0
/** Reading a collection's tables: the same inside a transaction, where reads see its writes, and outside of it. */
import type { PointId } from '@sextant/contracts-vector';
import { type CollectionTables, ROWS_PER_CHANGE, rowOfVectorKey, vectorKey, vectorsOfRows, vectorsOfSpace } from './collection-tables.ts';
import type { Environment } from './environment.ts';
import {
  countPostings,
  type PostingCount,
  type PostingList,
  type PostingRange,
  readPosting,
  readPostings,
  rowBound,
  unionPostings,
} from './posting-lists.ts';
import type { RowSet } from './row-set.ts';
import { countSparse, visitSparse } from './sparse-lists.ts';
import type { Components, IdRange, PointHead, RowRange, SpaceKind, SparseBlock, SparseComponents, StoredPoint } from './storage.ts';
import { damaged } from './storage-error.ts';
import { tableBytes } from './table.ts';

export type CollectionEnvironment = Environment<CollectionTables>;

/** Numbers that each transaction carries on. `bytes`: by `bytesKey`; a collection of an earlier version has none. */
export type Counters = {
  readonly sequence: number;
  readonly pointCount: number;
  readonly bytes?: { readonly [space: string]: number };
};

/** Dense and sparse spaces have numbers of their own. */
export function bytesKey(kind: SpaceKind, space: number): string {
  return `${kind} ${space}`;
}

/** Keys of the `documents` table; the caller's documents have a prefix of their own. */
export const COUNTERS_KEY = 'counters';
export const documentKey = (name: string) => `document/${name}`;

/** The live rows are one posting list in a table of its own. */
export const LIVE_ROWS = new Uint8Array(0);

/** The rows of a space whose sparse vectors have components: the list of its number in the same table. */
export function sparseRowsKey(space: number): Uint8Array {
  return Uint8Array.of(space >>> 8, space & 0xff);
}

function sparseRows(space: number): PostingRange {
  const start = sparseRowsKey(space);
  return { start, end: Uint8Array.of(...start, 0) };
}

const FIRST_ID = 0;
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** What is read one by one; of a record that cannot be read, nothing but its kind is known. */
function* withDamage<Item>(record: string, items: Iterable<Item>): Generator<Item> {
  try {
    yield* items;
  } catch (error) {
    throw damaged(record, error);
  }
}

export class CollectionReads {
  readonly #environment: CollectionEnvironment;

  constructor(environment: CollectionEnvironment) {
    this.#environment = environment;
  }

  get sequence(): number {
    return this.counters().sequence;
  }

  get pointCount(): number {
    return this.counters().pointCount;
  }

  get vectorBytes(): number {
    return tableBytes(this.tables.vectors) + tableBytes(this.tables.sparse);
  }

  get pointBytes(): number {
    return tableBytes(this.tables.points);
  }

  countedBytes(kind: SpaceKind, space: number): number | undefined {
    const { bytes } = this.counters();
    return bytes === undefined ? undefined : (bytes[bytesKey(kind, space)] ?? 0);
  }

  document(name: string): unknown {
    return this.environment.documents.get(documentKey(name));
  }

  rowOf(id: PointId): number | undefined {
    try {
      return this.tables.ids.get(id);
    } catch (error) {
      throw damaged(`the row of point ${id}`, error);
    }
  }

  point(row: number): StoredPoint | undefined {
    try {
      return this.tables.points.get(row);
    } catch (error) {
      throw damaged(`the point in row ${row}`, error);
    }
  }

  pointHead(row: number): PointHead | undefined {
    try {
      return this.tables.pointHeads.get(row);
    } catch (error) {
      throw damaged(`the point in row ${row}`, error);
    }
  }

  vector(space: number, row: number): Components | undefined {
    return this.passingVector(space, row)?.slice();
  }

  passingVector(space: number, row: number): Components | undefined {
    try {
      return this.tables.vectors.get(vectorKey(space, row))?.vector;
    } catch (error) {
      throw damaged(`the vector in row ${row}`, error);
    }
  }

  hasVector(space: number, row: number): boolean {
    return this.tables.vectors.doesExist(vectorKey(space, row));
  }

  ids({ reverse = false, from = reverse ? LAST_ID : FIRST_ID, limit }: IdRange): { readonly id: PointId; readonly row: number }[] {
    const page: { id: PointId; row: number }[] = [];
    try {
      for (const { key, value } of this.tables.ids.getRange({ start: from, end: undefined, limit, reverse }))
        page.push({ id: key, row: value });
    } catch (error) {
      throw damaged(`an id ${reverse ? 'before' : 'after'} ${page.at(-1)?.id ?? from}`, error);
    }
    return page;
  }

  points({ fromRow, limit }: { fromRow: number; limit: number }): { readonly row: number; readonly point: StoredPoint }[] {
    const page: { row: number; point: StoredPoint }[] = [];
    try {
      for (const { key, value } of this.tables.points.getRange({ start: fromRow, end: undefined, limit })) {
        page.push({ row: key, point: value });
      }
    } catch (error) {
      throw damaged(`a point from row ${page.at(-1)?.row ?? fromRow} on`, error);
    }
    return page;
  }

  *vectors(space: number, rows?: RowRange): Generator<{ readonly row: number; readonly version: number; readonly vector: Components }> {
    // Copied, so that the caller may read other things while it looks at one.
    let copy: Components = new Float32Array(0);
    const range = rows ? vectorsOfRows(space, rows) : vectorsOfSpace(space);
    for (const { key, value } of withDamage('a vector', this.tables.vectors.getRange(range))) {
      if (copy.length === value.vector.length && copy.constructor === value.vector.constructor) copy.set(value.vector);
      else copy = value.vector.slice();
      yield { row: rowOfVectorKey(key), version: value.version, vector: copy };
    }
  }

  *rowsChangedSince(sequence: number): Generator<RowRange> {
    let range: RowRange | undefined;
    for (const { key, value } of this.tables.changes.getRange({ start: 0, end: undefined })) {
      if (value <= sequence) continue;
      const fromRow = key * ROWS_PER_CHANGE;
      const toRow = fromRow + ROWS_PER_CHANGE;
      if (range?.toRow === fromRow) range = { fromRow: range.fromRow, toRow };
      else {
        if (range !== undefined) yield range;
        range = { fromRow, toRow };
      }
    }
    if (range !== undefined) yield range;
  }

  sparseVector(space: number, row: number): SparseComponents | undefined {
    try {
      return this.tables.sparse.get(vectorKey(space, row));
    } catch (error) {
      throw damaged(`the sparse vector in row ${row}`, error);
    }
  }

  hasSparseVector(space: number, row: number): boolean {
    return this.tables.sparse.doesExist(vectorKey(space, row));
  }

  countSparseVectors(space: number, within?: RowSet): number {
    const [list] = countPostings(this.rowLists, { ...sparseRows(space), ...(within === undefined ? {} : { within }) });
    return list?.count ?? 0;
  }

  sparseRowBound(space: number): number {
    return rowBound(this.rowLists, sparseRows(space));
  }

  countSparse(space: number, index: number): number {
    return countSparse(this.sparseLists, space, index);
  }

  visitSparse(space: number, index: number, rows: RowRange, visit: (block: SparseBlock) => void): void {
    visitSparse(this.sparseLists, { space, index, ...rows }, visit);
  }

  rows(): RowSet {
    try {
      return readPosting(this.rowLists, LIVE_ROWS);
    } catch (error) {
      throw damaged('the list of live rows', error);
    }
  }

  posting(key: Uint8Array): RowSet {
    try {
      return readPosting(this.postingLists, key);
    } catch (error) {
      throw damaged('a list of a field index', error);
    }
  }

  postings(range: PostingRange): Iterable<PostingList> {
    return withDamage('a list of a field index', readPostings(this.postingLists, range));
  }

  unionPostings(range: PostingRange & { readonly listsMax: number }): RowSet | undefined {
    return unionPostings(this.postingLists, range);
  }

  countPostings(range: PostingRange & { readonly within?: RowSet }): Iterable<PostingCount> {
    return withDamage('a list of a field index', countPostings(this.postingLists, range));
  }

  protected get environment(): CollectionEnvironment {
    return this.#environment;
  }

  protected get tables(): CollectionTables {
    return this.environment.tables;
  }

  /** The tables of lists, with everything in them that a reader may expect. */
  protected get postingLists(): CollectionTables['postings'] {
    return this.tables.postings;
  }

  protected get rowLists(): CollectionTables['rows'] {
    return this.tables.rows;
  }

  protected get sparseLists(): CollectionTables['sparseLists'] {
    return this.tables.sparseLists;
  }

  protected counters(): Counters {
    // Written by the transaction that created the collection.
    return this.environment.documents.get(COUNTERS_KEY) as Counters;
  }
}
