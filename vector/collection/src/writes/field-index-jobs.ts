// SPDX-License-Identifier: Apache-2.0
/** Field indexes as a collection keeps them: a document of what there is, and posting lists under each index's ordinal. */
import type { FieldSchema } from '@sextant/contracts-vector';
import type { StorageTransaction } from '@sextant/vector-storage';
import { postingKeysOf, postingRangeOf } from '../field-index/entries.ts';
import type { FieldIndex } from '../field-index/schema.ts';
import { storedPayload } from '../reads/matching/filter-point.ts';

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
