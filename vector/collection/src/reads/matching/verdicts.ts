// SPDX-License-Identifier: Apache-2.0
/** What evaluating payloads has found out about rows, for filters that no index decides. */
import { RowSet } from '@sextant/vector-storage';

export class Verdicts {
  readonly #decided = new RowSet();
  readonly #matching = new RowSet();
  #count = 0;

  /** Rows that were decided. */
  get count(): number {
    return this.#count;
  }

  get bytes(): number {
    return this.#decided.words.byteLength + this.#matching.words.byteLength;
  }

  /** Undefined where the row was not decided. */
  of(row: number): boolean | undefined {
    return this.#decided.has(row) ? this.#matching.has(row) : undefined;
  }

  decide(row: number, matches: boolean): void {
    if (!this.#decided.has(row)) this.#count++;
    this.#decided.add(row);
    if (matches) this.#matching.add(row);
    else this.#matching.delete(row);
  }

  forget(row: number): void {
    if (this.#decided.has(row)) this.#count--;
    this.#decided.delete(row);
    this.#matching.delete(row);
  }

  /** Those of `rows` that were not decided, ascending. */
  undecided(rows: RowSet): Uint32Array {
    return rows.clone().subtract(this.#decided).toArray();
  }

  /** Those of `rows` that match, a set of the caller's own. */
  matching(rows: RowSet): RowSet {
    return rows.clone().intersect(this.#matching);
  }
}
