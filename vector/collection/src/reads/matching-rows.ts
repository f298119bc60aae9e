// SPDX-License-Identifier: Apache-2.0
/** The rows of a filter, with what searches ask of them again and again. Nothing in them changes once they are made. */
import type { RowSet } from '@sextant/vector-storage';

export class MatchingRows {
  /** Not to be changed. */
  readonly set: RowSet;
  #count: number | undefined;
  #list: Uint32Array | undefined;

  constructor(set: RowSet) {
    this.set = set;
  }

  get count(): number {
    this.#count ??= this.set.count();
    return this.#count;
  }

  /** The rows, ascending; four bytes for each are kept. */
  get list(): Uint32Array {
    this.#list ??= this.set.toArray();
    return this.#list;
  }

  get bytes(): number {
    return this.set.words.byteLength + (this.#list?.byteLength ?? 0);
  }
}
