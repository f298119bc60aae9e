// SPDX-License-Identifier: Apache-2.0
/** Counts what is in memory of a file at a time: streams that unpack to more and more, and values that come again and again out of a few bytes. */
import { TableError } from '../table.ts';

/** Of what all streams of a stripe hold of themselves. */
const HELD_BYTES_MAX = 256 * 2 ** 20;
/** Rows are handed on when their values take so much, */
const CHUNK_BYTES = 64 * 2 ** 20;
/** and a row takes no more. */
const ROW_BYTES_MAX = 192 * 2 ** 20;

export class OrcMemory {
  #held = 0;
  #values = 0;

  hold(bytes: number): void {
    this.#held += bytes;
    if (this.#held > HELD_BYTES_MAX)
      throw new TableError(
        `needs more than ${HELD_BYTES_MAX} bytes for the columns of a stripe: write it in smaller stripes, or as Parquet`,
      );
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }

  /** For a value, before it is made. */
  use(bytes: number): void {
    this.#values += bytes;
    if (this.#values > CHUNK_BYTES + ROW_BYTES_MAX) throw new TableError(`holds a row of more than ${ROW_BYTES_MAX} bytes`);
  }

  get isFull(): boolean {
    return this.#values > CHUNK_BYTES;
  }

  /** The streams of a stripe are read. */
  releaseAll(): void {
    this.#held = 0;
  }

  /** The rows so far are handed on. */
  handOn(): void {
    this.#values = 0;
  }
}
