// SPDX-License-Identifier: Apache-2.0
/**
 * The rows that writes changed last, in memory that all threads share: what a thread knows of a filter stays true for every other row, so it looks
 * at these alone. A row is entered before its transaction commits, so whoever reads a snapshot finds every row that changed up to it here. Rows of a
 * transaction that failed are here too; they cost a look and change nothing.
 *
 *    0  how many rows were entered, counted before they are written
 *    8  the same, counted after
 *   16  the sequence of the storage when the first row was entered
 *   24  a ring of sequences as f64, then a ring of rows as u32
 */

/** A thread that is farther behind starts again. 192 KiB for each collection that is written to. */
const CAPACITY = 16_384;
const HEADER_BYTES = 24;

const BEGUN = 0;
const ENDED = 1;
const START = 2;

export class ChangedRows {
  readonly #header: BigInt64Array;
  readonly #sequences: Float64Array;
  readonly #rows: Uint32Array;

  constructor(shared: SharedArrayBuffer) {
    this.#header = new BigInt64Array(shared, 0, HEADER_BYTES / BigInt64Array.BYTES_PER_ELEMENT);
    this.#sequences = new Float64Array(shared, HEADER_BYTES, CAPACITY);
    this.#rows = new Uint32Array(shared, HEADER_BYTES + this.#sequences.byteLength, CAPACITY);
  }

  /** @param sequence of the storage, in which every earlier change is */
  static allocate(sequence: number): SharedArrayBuffer {
    const shared = new SharedArrayBuffer(HEADER_BYTES + CAPACITY * (Float64Array.BYTES_PER_ELEMENT + Uint32Array.BYTES_PER_ELEMENT));
    new BigInt64Array(shared, 0, START + 1)[START] = BigInt(sequence);
    return shared;
  }

  /** For the one thread that writes, inside the transaction of operation `sequence`. */
  enter(sequence: number, rows: readonly number[]): void {
    const first = Number(Atomics.add(this.#header, BEGUN, BigInt(rows.length)));
    for (const [index, row] of rows.entries()) {
      const place = (first + index) % CAPACITY;
      this.#sequences[place] = sequence;
      this.#rows[place] = row;
    }
    Atomics.add(this.#header, ENDED, BigInt(rows.length));
  }

  /** Every row that changed after operation `sequence`, and perhaps some that did not; undefined where too many changed since. */
  since(sequence: number): ReadonlySet<number> | undefined {
    if (sequence < Number(Atomics.load(this.#header, START))) return undefined;
    const rows = new Set<number>();
    const end = Number(Atomics.load(this.#header, ENDED));
    const least = Math.max(0, end - CAPACITY);
    let at = end;
    while (at > least && (this.#sequences[(at - 1) % CAPACITY] ?? 0) > sequence) {
      at--;
      rows.add(this.#rows[at % CAPACITY] ?? 0);
    }
    // What was entered meanwhile may have been written over what was read.
    const isWhole = at > least || least === 0;
    return isWhole && Number(Atomics.load(this.#header, BEGUN)) - CAPACITY <= at ? rows : undefined;
  }
}
