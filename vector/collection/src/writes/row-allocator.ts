// SPDX-License-Identifier: Apache-2.0
/**
 * Hands out row numbers: the lowest that was released, else the next new one. So the rows of a collection stay close together, and those
 * that it does not need any more come to lie at the end. A row of a deleted point waits until no space holds it any more.
 */
import { RowSet } from '@sextant/vector-storage';

export class RowAllocator {
  readonly #isFree: (row: number) => boolean;
  readonly #free = new RowSet();
  #freeCount = 0;
  /** No free row is in a word of the set before this one. */
  #lowestWord = 0;
  #retired: number[] = [];
  #next: number;
  #takenSinceReclaim = 0;
  #waitingAtReclaim = 0;

  constructor({ next, free, isFree }: { next: number; free: Iterable<number>; isFree: (row: number) => boolean }) {
    this.#next = next;
    this.#retired = [...free];
    this.#isFree = isFree;
  }

  /** Rows from here on were never handed out. */
  get bound(): number {
    return this.#next;
  }

  /** The bound of all rows after taking `count` more. */
  boundAfter(count: number): number {
    // Each row that was retired since the last pass pays for one check of it. Those that were waiting then are looked at again only after as many
    // were taken, which keeps the cost of a row constant.
    if (this.#freeCount < count && this.#takenSinceReclaim + count >= this.#waitingAtReclaim) this.reclaim();
    return this.#next + Math.max(0, count - this.#freeCount);
  }

  take(): number {
    this.boundAfter(1);
    this.#takenSinceReclaim++;
    return this.#freeCount > 0 ? this.#takeLowest() : this.#next++;
  }

  /** Whether so many rows below a bound are free at this moment. */
  hasFree({ below, count }: { below: number; count: number }): boolean {
    let found = 0;
    for (const row of this.#free) {
      if (row >= below) break;
      if (++found >= count) return true;
    }
    return found >= count;
  }

  /** Rows that were taken and not used. */
  release(rows: readonly number[]): void {
    for (const row of rows) this.#addFree(row);
  }

  /** Rows whose points are gone. */
  retire(rows: readonly number[]): void {
    for (const row of rows) this.#retired.push(row);
  }

  /** Finds out which retired rows have become free. */
  reclaim(): void {
    this.#takenSinceReclaim = 0;
    const waiting: number[] = [];
    for (const row of this.#retired) {
      if (this.#isFree(row)) this.#addFree(row);
      else waiting.push(row);
    }
    this.#retired = waiting;
    this.#waitingAtReclaim = waiting.length;
  }

  #addFree(row: number): void {
    this.#free.add(row);
    this.#freeCount++;
    this.#lowestWord = Math.min(this.#lowestWord, row >>> 5);
  }

  #takeLowest(): number {
    const { words } = this.#free;
    while (words[this.#lowestWord] === 0) this.#lowestWord++;
    const word = words[this.#lowestWord] ?? 0;
    const row = this.#lowestWord * 32 + 31 - Math.clz32(word & -word);
    this.#free.delete(row);
    this.#freeCount--;
    return row;
  }
}
