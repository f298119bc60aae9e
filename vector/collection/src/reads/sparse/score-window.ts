// SPDX-License-Identifier: Apache-2.0
/**
 * Scores of some consecutive rows while the lists of a query are added up. A row that no list has is distinguished from one whose score is zero by the
 * sign: a window starts with the negative zero, which no sum that has begun can be.
 */
import { SPARSE_BLOCK_ROWS, type SparseBlock } from '@sextant/vector-storage';

const BLOCKS = 64;
/** A mebibyte of scores, which stays in a core's cache. */
export const WINDOW_ROWS = BLOCKS * SPARSE_BLOCK_ROWS;

/** Bits of the negative zero. */
const UNTOUCHED = -0x80000000;

export class ScoreWindow {
  readonly #scores = new Float32Array(WINDOW_ROWS).fill(-0);
  readonly #bits = new Int32Array(this.#scores.buffer);
  readonly #touched = new Uint8Array(BLOCKS);

  /** Adds the values of a block, each times `weight`, in float32. */
  add({ fromRow, rows, values }: SparseBlock, windowRow: number, weight: number): void {
    const scores = this.#scores;
    const base = fromRow - windowRow;
    this.#touched[base / SPARSE_BLOCK_ROWS] = 1;
    for (let at = 0; at < rows.length; at++) {
      const row = base + (rows[at] ?? 0);
      // Adding zero turns a negative zero into zero; the products of two float32 are exact.
      scores[row] = (scores[row] ?? 0) + ((values[at] ?? 0) * weight + 0);
    }
  }

  /** Gives out the rows of a block that lists have, ascending, and forgets them. */
  drain(block: number, windowRow: number, visit: (row: number, score: number) => void): void {
    if (this.#touched[block] === 0) return;
    this.#touched[block] = 0;
    const end = (block + 1) * SPARSE_BLOCK_ROWS;
    for (let row = block * SPARSE_BLOCK_ROWS; row < end; row++) {
      if (this.#bits[row] !== UNTOUCHED) visit(windowRow + row, this.#scores[row] ?? 0);
    }
    this.#scores.fill(-0, block * SPARSE_BLOCK_ROWS, end);
  }
}

/** One window is kept by each thread; searches that run side by side make their own. */
let idle: ScoreWindow | undefined;

/** A window without scores, to be released with `releaseWindow` when all of it was drained. */
export function takeWindow(): ScoreWindow {
  const window = idle ?? new ScoreWindow();
  idle = undefined;
  return window;
}

export function releaseWindow(window: ScoreWindow): void {
  idle = window;
}
