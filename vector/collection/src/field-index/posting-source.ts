// SPDX-License-Identifier: Apache-2.0
/** The posting lists as one filter reads them: with a bound on how many, however the filter is built. */
import { RowSet, type StorageReader } from '@sextant/vector-storage';
import { compareKeys, type KeyRange } from './posting-key.ts';

/** Above these, evaluating payloads with pauses is kinder to other requests than reading on: about 0.2 s at a million points. */
const LISTS_MAX = 16_384;
const LISTS_OF_RANGES_MAX = 100_000;
const RANGES_MAX = 256;

/** The part of storage that plans read; a running write transaction has it too. */
export type PostingReader = Pick<StorageReader, 'rowOf' | 'rows' | 'posting' | 'unionPostings'>;

export class PostingSource {
  readonly #reader: PostingReader;
  #lists = LISTS_MAX;
  #listsOfRanges = LISTS_OF_RANGES_MAX;
  #ranges = RANGES_MAX;
  #live: RowSet | undefined;

  constructor(reader: PostingReader) {
    this.#reader = reader;
  }

  /** The rows of all these lists together, a set of the caller's own; undefined where the bound does not allow to read them. */
  lists(keys: readonly Uint8Array[]): RowSet | undefined {
    if (keys.length > this.#lists) return undefined;
    this.#lists -= keys.length;
    const rows = new RowSet();
    for (const key of keys) rows.union(this.#reader.posting(key));
    return rows;
  }

  /** The rows of all lists in the range; undefined where there are more than the bound allows. */
  range({ start, end }: KeyRange): RowSet | undefined {
    if (compareKeys(start, end) >= 0) return new RowSet();
    if (this.#ranges === 0) return undefined;
    this.#ranges--;
    const rows = this.#reader.unionPostings({ start, end, listsMax: this.#listsOfRanges });
    // Where points have one value each, a range has at most as many lists as rows.
    this.#listsOfRanges = rows === undefined ? 0 : Math.max(0, this.#listsOfRanges - rows.count());
    return rows;
  }

  /** All live rows, a set of the caller's own. */
  live(): RowSet {
    this.#live ??= this.#reader.rows();
    return this.#live.clone();
  }

  rowOf: StorageReader['rowOf'] = (id) => this.#reader.rowOf(id);
}
