// SPDX-License-Identifier: Apache-2.0
/** The field indexes of one collection, as its writer has them: created and deleted by writes like others, and withdrawn from readers before they go. */
import type { FieldSchema, UpdateResult } from '@sextant/contracts-vector';
import type { StorageReader, StorageTransaction } from '@sextant/vector-storage';
import { type FieldIndex, isSameSchema } from '../field-index/schema.ts';
import { FIELD_INDEXES } from '../model/collection-documents.ts';
import type { LogMark } from '../model/write-operation.ts';
import { dropFieldIndex, type FieldIndexDocument, fillFieldIndex, withFieldIndex } from './field-index-jobs.ts';

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
