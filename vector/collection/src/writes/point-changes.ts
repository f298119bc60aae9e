// SPDX-License-Identifier: Apache-2.0
/**
 * What one write does to points: storage at once, inside the running transaction; memory only after the commit, from the list
 * that is kept here. A job checks everything first and changes afterwards, so that a refused job leaves nothing behind.
 */
import { type Payload, type PointId, ServiceError } from '@sextant/contracts-vector';
import { assert, stringifyJson } from '@sextant/foundation-std';
import { DamagedError, type StorageTransaction, type StoredPoint, type WrittenVectors } from '@sextant/vector-storage';
import { postingKeysOf } from '../field-index/entries.ts';
import type { InputNorm } from '../model/input-norms.ts';
import type { Ownership } from '../model/shards.ts';
import { lostVectors, type StoredVectors } from '../model/vectors.ts';
import { storedPayload } from '../reads/matching/filter-point.ts';
import type { FilterScope } from '../reads/matching/row-filter.ts';

/** The changes of the spaces, to be applied once the transaction is on disk. */
export type MemoryChanges = {
  readonly put: { readonly row: number; readonly version: number; readonly vectors: StoredVectors['dense'] }[];
  readonly removed: number[];
};

/** An index and a value. */
const SPARSE_COMPONENT_BYTES = 8;
const NOTHING_LOST: WrittenVectors = { dense: [], sparse: [] };

export type RowSource = { take(count: number): number[] };

export class PointChanges {
  readonly memory: MemoryChanges = { put: [], removed: [] };
  /** Every row whose point came, changed or went. */
  readonly rows: number[] = [];
  /** Of the vectors that were written and are kept at length one. */
  readonly inputNorms: InputNorm[] = [];
  readonly transaction: StorageTransaction;
  readonly scope: FilterScope;
  /** Which points fall to this collection. */
  readonly ownership: Ownership;
  readonly #rowSource: RowSource;
  readonly #throttle: () => void;
  #reserved: number[] = [];
  #sequence: number | undefined;

  /** @param surroundings.throttle is called with each change of a point, and may hold the thread up for a moment */
  constructor(
    transaction: StorageTransaction,
    scope: Omit<FilterScope, 'storage'>,
    { rowSource, throttle, ownership }: { readonly rowSource: RowSource; readonly throttle: () => void; readonly ownership: Ownership },
  ) {
    this.ownership = ownership;
    this.transaction = transaction;
    this.scope = { ...scope, storage: transaction };
    this.#rowSource = rowSource;
    this.#throttle = throttle;
  }

  /** The operation's number; taking it is the first change of a job. */
  get sequence(): number {
    this.#sequence ??= this.transaction.nextSequence();
    return this.#sequence;
  }

  /** True once anything was changed: from here on a failure must abort the whole transaction. */
  get begun(): boolean {
    return this.#sequence !== undefined;
  }

  /** Sets rows aside for `count` new vectors; throws `memory_exhausted` when the spaces cannot hold them. */
  reserveRows(count: number): void {
    assert(!this.begun, 'rows are reserved before anything is changed');
    this.#reserved.push(...this.#rowSource.take(count));
  }

  /** Rows that were set aside and not used. */
  get unusedRows(): readonly number[] {
    return this.#reserved;
  }

  point(row: number): StoredPoint {
    const point = this.transaction.point(row);
    // An id has led here, or the list of live rows.
    if (point === undefined) throw new DamagedError(`the point in row ${row}, which is missing,`);
    return point;
  }

  /**
   * The rows of ids. One that there is not refuses the write; but no part of a collection knows what the others refuse, so the ids of a write to a collection
   * in shards were looked for before it was ordered, and one that has gone since then is passed over.
   */
  rowsOf(ids: readonly PointId[]): readonly number[] {
    const { owns, isPart } = this.ownership;
    return ids.flatMap((id) => {
      const row = owns(id) ? this.transaction.rowOf(id) : undefined;
      if (row === undefined && !isPart) throw new ServiceError('point_not_found', { id });
      return row ?? [];
    });
  }

  /** Writes the point in a new row; an older point of the same id is replaced whole. */
  write(id: PointId, payload: Payload, vectors: StoredVectors): void {
    const replaced = this.transaction.rowOf(id);
    if (replaced !== undefined) this.remove(replaced);
    this.#place({ id, version: this.sequence, payload: stringifyJson(payload) }, payload, { vectors });
  }

  /** Gives a point another row; for its readers nothing changes, its version and the vectors that it has lost included. */
  move(row: number): void {
    const point = this.point(row);
    const vectors = this.vectorsOf(row);
    const lost = lostVectors(this.scope, point, vectors);
    this.remove(row);
    this.#place(point, storedPayload(point), { vectors, lost });
  }

  remove(row: number): void {
    for (const key of this.#keysOf(storedPayload(this.point(row)))) this.transaction.removePosting(key, row);
    for (const { ordinal } of this.scope.spaces) {
      if (this.transaction.hasVector(ordinal, row)) this.transaction.deleteVector(ordinal, row);
    }
    for (const { ordinal } of this.scope.multi) {
      const bytes = this.transaction.passingVector(ordinal, row)?.byteLength;
      if (bytes === undefined) continue;
      this.transaction.deleteVector(ordinal, row);
      this.transaction.countBytes('dense', ordinal, -bytes);
    }
    for (const { ordinal } of this.scope.sparse) {
      const components = this.transaction.deleteSparseVector(ordinal, row);
      if (components > 0) this.transaction.countBytes('sparse', ordinal, -components * SPARSE_COMPONENT_BYTES);
    }
    this.transaction.deletePoint(row);
    this.memory.removed.push(row);
    this.#noteChange(row);
  }

  /** Changes only the payload; the row and its vectors stay. */
  changePayload(row: number, payload: Payload): void {
    const point = this.point(row);
    const before = keyedByText(this.#keysOf(storedPayload(point)));
    const after = keyedByText(this.#keysOf(payload));
    for (const [text, key] of before) if (!after.has(text)) this.transaction.removePosting(key, row);
    for (const [text, key] of after) if (!before.has(text)) this.transaction.addPosting(key, row);
    this.transaction.putPoint(row, { ...point, version: this.sequence, payload: stringifyJson(payload) });
    this.#noteChange(row);
  }

  /** The vectors that a row has now. */
  vectorsOf(row: number): StoredVectors {
    const { spaces, multi, sparse } = this.scope;
    return {
      dense: vectorsBy([...spaces, ...multi], (ordinal) => this.transaction.vector(ordinal, row)),
      sparse: vectorsBy(sparse, (ordinal) => this.transaction.sparseVector(ordinal, row)),
    };
  }

  #place(
    { id, version: pointVersion, payload: text }: Omit<StoredPoint, 'vectorVersion'>,
    payload: Payload,
    { vectors, lost = NOTHING_LOST }: { readonly vectors: StoredVectors; readonly lost?: WrittenVectors },
  ): void {
    const version = this.sequence;
    const row = this.#reserved.pop();
    assert(row !== undefined, 'a row was reserved for each written point');
    const written = { dense: [...vectors.dense.keys(), ...lost.dense], sparse: [...vectors.sparse.keys(), ...lost.sparse] };
    this.transaction.putPoint(row, { id, version: pointVersion, vectorVersion: version, payload: text, vectors: written });
    for (const [space, vector] of vectors.dense) this.transaction.putVector(space, row, version, vector);
    for (const { ordinal } of this.scope.multi) {
      const vector = vectors.dense.get(ordinal);
      if (vector !== undefined) this.transaction.countBytes('dense', ordinal, vector.byteLength);
    }
    for (const [ordinal, vector] of vectors.sparse) {
      this.transaction.putSparseVector(ordinal, row, vector);
      this.transaction.countBytes('sparse', ordinal, vector.indices.length * SPARSE_COMPONENT_BYTES);
    }
    for (const key of this.#keysOf(payload)) this.transaction.addPosting(key, row);
    this.memory.put.push({ row, version, vectors: vectors.dense });
    this.#noteChange(row);
  }

  #noteChange(row: number): void {
    this.rows.push(row);
    this.#throttle();
  }

  #keysOf(payload: Payload): readonly Uint8Array[] {
    return postingKeysOf(this.scope.fieldIndexes, payload);
  }
}

function vectorsBy<Vector>(schemas: readonly { readonly ordinal: number }[], vectorOf: (ordinal: number) => Vector | undefined) {
  const vectors = new Map<number, Vector>();
  for (const { ordinal } of schemas) {
    const vector = vectorOf(ordinal);
    if (vector !== undefined) vectors.set(ordinal, vector);
  }
  return vectors;
}

function keyedByText(keys: readonly Uint8Array[]): ReadonlyMap<string, Uint8Array> {
  return new Map(keys.map((key) => [Buffer.from(key).toString('latin1'), key]));
}

/** What the jobs of a group have done so far. */
export type RunningTransaction = {
  readonly transaction: StorageTransaction;
  readonly memory: MemoryChanges[];
  readonly inputNorms: InputNorm[];
  /** Rows that jobs took, and of those the rows that they did not use after all. */
  readonly takenRows: number[];
  readonly unusedRows: number[];
};
