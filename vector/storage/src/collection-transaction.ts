// SPDX-License-Identifier: Apache-2.0
/** One transaction of a collection: buffers changes of posting lists and counters, and writes them at its end. */
import type { PointId } from '@sextant/contracts-vector';
import { assert } from '@sextant/foundation-std';
import {
  bytesKey,
  COUNTERS_KEY,
  type CollectionEnvironment,
  CollectionReads,
  type Counters,
  documentKey,
  LIVE_ROWS,
  sparseRowsKey,
} from './collection-reads.ts';
import { type CollectionTables, ROWS_PER_CHANGE, rowOfVectorKey, SPACE_MAX, vectorKey, vectorsOfSpace } from './collection-tables.ts';
import { PostingChanges, type PostingRange } from './posting-lists.ts';
import { SparseListChanges } from './sparse-lists.ts';
import type { Components, SpaceKind, SparseComponents, StorageTransaction, StoredPoint } from './storage.ts';

const ROW_MAX = 2 ** 32 - 1;

export class CollectionTransaction extends CollectionReads implements StorageTransaction {
  readonly #postings: PostingChanges;
  readonly #rows: PostingChanges;
  readonly #sparseLists: SparseListChanges;
  readonly #countersBefore: Counters;
  /** Where vectors were put or deleted: rows / 256. */
  readonly #changes = new Set<number>();
  #sequence: number;
  #pointCount: number;
  #bytes: Counters['bytes'];
  #ended = false;

  constructor(environment: CollectionEnvironment) {
    super(environment);
    this.#postings = new PostingChanges(environment.tables.postings);
    this.#rows = new PostingChanges(environment.tables.rows);
    this.#sparseLists = new SparseListChanges(environment.tables.sparseLists);
    // The counters of the last transaction; ours start from them.
    this.#countersBefore = super.counters();
    this.#sequence = this.#countersBefore.sequence;
    this.#pointCount = this.#countersBefore.pointCount;
    this.#bytes = this.#countersBefore.bytes;
  }

  /** Writes what is still buffered; the commit follows. */
  finish(): void {
    this.#postings.flush();
    this.#rows.flush();
    this.#sparseLists.flush();
    for (const change of this.#changes) this.tables.changes.putSync(change, this.#sequence);
    const counters = this.counters();
    const { sequence, pointCount, bytes } = this.#countersBefore;
    if (counters.sequence !== sequence || counters.pointCount !== pointCount || counters.bytes !== bytes) {
      this.environment.documents.putSync(COUNTERS_KEY, counters);
    }
  }

  /** From now on the transaction refuses to be used: what it wrote is committed, or gone. */
  end(): void {
    this.#ended = true;
  }

  nextSequence(): number {
    this.#assertOpen();
    this.#sequence += 1;
    return this.#sequence;
  }

  putDocument(name: string, value: unknown): void {
    const key = documentKey(name);
    if (value === undefined) this.environment.documents.removeSync(key);
    else this.environment.documents.putSync(key, value);
  }

  putPoint(row: number, point: StoredPoint): void {
    assertRow(row);
    const former = this.rowOf(point.id);
    if (former !== row) this.#claim(row, point.id, former);
    this.tables.points.putSync(row, point);
  }

  deletePoint(row: number): void {
    const point = this.point(row);
    if (point === undefined) return;
    this.tables.ids.removeSync(point.id);
    this.#removeRecord(row);
  }

  putVector(space: number, row: number, version: number, vector: Components): void {
    assertRow(row);
    assertSpace(space);
    this.tables.vectors.putSync(vectorKey(space, row), { version, vector });
    this.#noteChange(row);
  }

  deleteVector(space: number, row: number): void {
    this.tables.vectors.removeSync(vectorKey(space, row));
    this.#noteChange(row);
  }

  putSparseVector(space: number, row: number, vector: SparseComponents): void {
    assertRow(row);
    assertSpace(space);
    this.deleteSparseVector(space, row);
    this.tables.sparse.putSync(vectorKey(space, row), vector);
    const { indices, values } = vector;
    if (indices.length > 0) this.#rows.add(sparseRowsKey(space), row);
    for (let at = 0; at < indices.length; at++) this.#sparseLists.put(space, indices[at] ?? 0, row, values[at] ?? 0);
  }

  deleteSparseVector(space: number, row: number): number {
    const vector = this.sparseVector(space, row);
    if (vector === undefined) return 0;
    this.tables.sparse.removeSync(vectorKey(space, row));
    if (vector.indices.length > 0) this.#rows.delete(sparseRowsKey(space), row);
    for (const index of vector.indices) this.#sparseLists.delete(space, index, row);
    return vector.indices.length;
  }

  countBytes(kind: SpaceKind, space: number, bytes: number): void {
    if (this.#bytes === undefined) return;
    const key = bytesKey(kind, space);
    this.#bytes = { ...this.#bytes, [key]: (this.#bytes[key] ?? 0) + bytes };
  }

  clearVectors(space: number, limit: number): boolean {
    assertSpace(space);
    const keys = [...this.tables.vectors.getKeys({ ...vectorsOfSpace(space), limit: limit + 1 })];
    for (const key of keys.slice(0, limit)) this.tables.vectors.removeSync(key);
    return this.#isLeft('dense', space, keys.length > limit);
  }

  clearSparseVectors(space: number, limit: number): boolean {
    assertSpace(space);
    const keys = [...this.tables.sparse.getKeys({ ...vectorsOfSpace(space), limit: limit + 1 })];
    for (const key of keys.slice(0, limit)) this.deleteSparseVector(space, rowOfVectorKey(key));
    return this.#isLeft('sparse', space, keys.length > limit);
  }

  addPosting(key: Uint8Array, row: number): void {
    this.#assertOpen();
    assertRow(row);
    this.#postings.add(key, row);
  }

  removePosting(key: Uint8Array, row: number): void {
    this.#assertOpen();
    assertRow(row);
    this.#postings.delete(key, row);
  }

  clearPostings(range: PostingRange): void {
    this.#postings.clear(range);
  }

  protected override get postingLists(): CollectionTables['postings'] {
    this.#postings.flush();
    return super.postingLists;
  }

  protected override get rowLists(): CollectionTables['rows'] {
    this.#rows.flush();
    return super.rowLists;
  }

  protected override get sparseLists(): CollectionTables['sparseLists'] {
    this.#sparseLists.flush();
    return super.sparseLists;
  }

  protected override get environment(): CollectionEnvironment {
    this.#assertOpen();
    return super.environment;
  }

  protected override counters(): Counters {
    this.#assertOpen();
    return {
      sequence: this.#sequence,
      pointCount: this.#pointCount,
      ...(this.#bytes === undefined ? {} : { bytes: this.#bytes }),
    };
  }

  /** Of a space that is being cleared: where nothing is left, its number may be given to another one. */
  #isLeft(kind: SpaceKind, space: number, isLeft: boolean): boolean {
    if (!isLeft && this.#bytes !== undefined) {
      const { [bytesKey(kind, space)]: _, ...others } = this.#bytes;
      this.#bytes = others;
    }
    return isLeft;
  }

  #noteChange(row: number): void {
    this.#changes.add(Math.floor(row / ROWS_PER_CHANGE));
  }

  #assertOpen(): void {
    assert(!this.#ended, 'this transaction has ended');
  }

  /** Makes `row` the row of `id`: an id has one row and a row one id, so both lose their former partners. */
  #claim(row: number, id: PointId, former: number | undefined): void {
    this.deletePoint(row);
    if (former !== undefined) this.#removeRecord(former);
    this.tables.ids.putSync(id, row);
    this.#rows.add(LIVE_ROWS, row);
    this.#pointCount += 1;
  }

  #removeRecord(row: number): void {
    this.tables.points.removeSync(row);
    this.#rows.delete(LIVE_ROWS, row);
    this.#pointCount -= 1;
  }
}

function assertRow(row: number): void {
  assert(Number.isInteger(row) && row >= 0 && row <= ROW_MAX, 'a row is an unsigned 32-bit integer');
}

function assertSpace(space: number): void {
  assert(Number.isInteger(space) && space >= 0 && space <= SPACE_MAX, 'a vector space is an unsigned 16-bit integer');
}
