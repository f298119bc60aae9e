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

  /** Every row that was ever handed out is below this. */
  get bound(): number {
    return this.#next;
  }

  take(): number {
    this.#takenSinceSweep++;
    // Sweeping only after as many rows were taken as are waiting keeps the cost of a row constant.
    if (this.#free.length === 0 && this.#takenSinceSweep > this.#retired.length) this.#sweep();
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

  #sweep(): void {
    this.#takenSinceSweep = 0;
    const waiting: number[] = [];
    for (const row of this.#retired) (this.#isFree(row) ? this.#free : waiting).push(row);
    this.#retired = waiting;
  }
}
