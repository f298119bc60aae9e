// SPDX-License-Identifier: Apache-2.0
/** The field indexes of one collection, as its writer has them: created and deleted by writes like others, and withdrawn from readers before they go. */
import type { FieldSchema, UpdateResult } from '@sextant/contracts-vector';
import type { StorageReader, StorageTransaction } from '@sextant/vector-storage';
import { postingKeysOf, postingRangeOf } from '../field-index/entries.ts';
import { type FieldIndex, isSameSchema } from '../field-index/schema.ts';
import { FIELD_INDEXES } from '../model/collection-documents.ts';
import type { LogMark } from '../model/write-operation.ts';
import { storedPayload } from '../reads/matching/filter-point.ts';

export type FieldIndexesOptions = {
  readonly storage: Pick<StorageReader, 'document'>;
  /** Runs in a transaction, beside other writes. */
  readonly write: (change: (transaction: StorageTransaction) => void, mark: LogMark | undefined) => Promise<void>;
  /** Resolves when no reader uses what `readable` leaves out. */
  readonly withdrawing: () => Promise<void>;
  readonly changed: () => Promise<void>;
};

export class FieldIndexes {
  readonly #options: FieldIndexesOptions;
  /** On disk still, but no reader may use them any more. */
  readonly #withdrawn = new Set<string>();
  #document: FieldIndexDocument;

  constructor(options: FieldIndexesOptions) {
    this.#options = options;
    // Only this class writes the document.
    this.#document = (options.storage.document(FIELD_INDEXES) as FieldIndexDocument | undefined) ?? { nextOrdinal: 0, indexes: [] };
  }

  /** As the running transaction has them; a transaction that is undone gives back what was there before. */
  get document(): FieldIndexDocument {
    return this.#document;
  }

  undo(before: FieldIndexDocument): void {
    this.#document = before;
  }

  get byField(): ReadonlyMap<string, FieldIndex> {
    return new Map(this.#document.indexes.map((index) => [index.field, index]));
  }

  get readable(): readonly FieldIndex[] {
    return this.#document.indexes.filter(({ field }) => !this.#withdrawn.has(field));
  }

  async create(field: string, schema: FieldSchema, mark?: LogMark): Promise<UpdateResult> {
    const isSame = (index: FieldIndex) => index.field === field && isSameSchema(index.schema, schema);
    if (!this.#document.indexes.some(isSame)) await this.#withdraw(field);
    const change = (transaction: StorageTransaction) => {
      if (this.#document.indexes.some(isSame)) return this.#document;
      const { document, added } = withFieldIndex(dropFieldIndex(transaction, this.#document, field), { field, schema });
      fillFieldIndex(transaction, added);
      return document;
    };
    return this.#change(field, change, mark);
  }

  async delete(field: string, mark?: LogMark): Promise<UpdateResult> {
    await this.#withdraw(field);
    return this.#change(field, (transaction) => dropFieldIndex(transaction, this.#document, field), mark);
  }

  /** A reader that still knew an index whose posting lists are gone would find nothing in it, so readers forget it first. */
  async #withdraw(field: string): Promise<void> {
    if (!this.#document.indexes.some((index) => index.field === field)) return;
    this.#withdrawn.add(field);
    await this.#options.withdrawing();
  }

  async #change(
    field: string,
    change: (transaction: StorageTransaction) => FieldIndexDocument,
    mark: LogMark | undefined,
  ): Promise<UpdateResult> {
    let sequence = 0;
    const run = (transaction: StorageTransaction) => {
      sequence = transaction.nextSequence();
      const document = change(transaction);
      transaction.putDocument(FIELD_INDEXES, document);
      // Later jobs of the same transaction must keep the new index up to date.
      this.#document = document;
    };
    try {
      await this.#options.write(run, mark);
    } finally {
      // Also after a failure: an index that was withdrawn is still there then.
      this.#withdrawn.delete(field);
      await this.#options.changed();
    }
    return { operation_id: sequence, status: 'Completed' };
  }
}

/** `nextOrdinal` only grows, so that a dropped index never lends its posting lists to a later one. */
export type FieldIndexDocument = { readonly nextOrdinal: number; readonly indexes: readonly FieldIndex[] };

const POINTS_PER_PAGE = 1024;

export function withFieldIndex(
  { nextOrdinal, indexes }: FieldIndexDocument,
  { field, schema }: { readonly field: string; readonly schema: FieldSchema },
): { readonly document: FieldIndexDocument; readonly added: FieldIndex } {
  const added = { field, schema, ordinal: nextOrdinal };
  return { document: { nextOrdinal: nextOrdinal + 1, indexes: [...indexes, added] }, added };
}

/** Removes the index and its posting lists; nothing happens when there is no such index. */
export function dropFieldIndex(transaction: StorageTransaction, document: FieldIndexDocument, field: string): FieldIndexDocument {
  const dropped = document.indexes.find((index) => index.field === field);
  if (dropped === undefined) return document;
  transaction.clearPostings(postingRangeOf(dropped.ordinal));
  return { ...document, indexes: document.indexes.filter((index) => index !== dropped) };
}

/** Enters every point that the collection has. */
export function fillFieldIndex(transaction: StorageTransaction, index: FieldIndex): void {
  const only = new Map([[index.field, index]]);
  for (let fromRow = 0; ; ) {
    const page = transaction.points({ fromRow, limit: POINTS_PER_PAGE });
    for (const { row, point } of page) {
      for (const key of postingKeysOf(only, storedPayload(point))) transaction.addPosting(key, row);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < POINTS_PER_PAGE) return;
    fromRow = last.row + 1;
  }
}
