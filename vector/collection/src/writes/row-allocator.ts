/**
 * Hands out row numbers: rows that were given back first, then the next new one. A row of a deleted point waits until no
 * space holds it any more.
 */
export class RowAllocator {
  readonly #isFree: (row: number) => boolean;
  #free: number[];
  #retired: number[] = [];
  #next: number;
  #takenSinceSweep = 0;

  constructor({ next, free, isFree }: { next: number; free: readonly number[]; isFree: (row: number) => boolean }) {
    this.#next = next;
    this.#retired = [...free];
    this.#free = [];
    this.#isFree = isFree;
  }

  /** The bound of all rows after taking `count` more. */
  boundAfter(count: number): number {
    // Sweeping only after as many rows were taken as are waiting keeps the cost of a row constant.
    if (this.#free.length < count && this.#takenSinceSweep + count >= this.#retired.length) this.sweep();
    return this.#next + Math.max(0, count - this.#free.length);
  }

  take(): number {
    this.boundAfter(1);
    this.#takenSinceSweep++;
    return this.#free.pop() ?? this.#next++;
  }

  /** Rows that were taken and not used. */
  giveBack(rows: readonly number[]): void {
    this.#free.push(...rows);
  }

  /** Rows whose points are gone. */
  retire(rows: readonly number[]): void {
    this.#retired.push(...rows);
  }

  /** Finds out which retired rows have become free. */
  sweep(): void {
    this.#takenSinceSweep = 0;
    const waiting: number[] = [];
    for (const row of this.#retired) (this.#isFree(row) ? this.#free : waiting).push(row);
    this.#retired = waiting;
  }
}
