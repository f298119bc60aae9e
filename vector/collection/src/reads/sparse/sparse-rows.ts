// SPDX-License-Identifier: Apache-2.0
/**
 * The rows whose sparse vectors have the highest dot products with a query, exactly. Either the lists of the query's indices are added up,
 * window by window, or, where a filter leaves few rows, their vectors are looked at one by one.
 */
import { SPARSE_BLOCK_ROWS, type SparseBlock, type SparseComponents, type StorageReader } from '@sextant/vector-storage';
import type { RowFilter } from '../matching/row-filter.ts';
import type { Pacer } from '../pacer.ts';
import { type RankedRow, TopScores } from '../top-rows.ts';

/** Microseconds for a component of a list, and for a vector that is read by its row; only their ratio decides. */
const LIST_COMPONENT = 0.006;
const READ_VECTOR = 3;
/** Rows between two looks at the clock. */
const ROWS_PER_LOOK = 64;

export type SparseSearch = {
  readonly storage: StorageReader;
  readonly ordinal: number;
  /** As the modifier has weighted it. */
  readonly query: SparseComponents;
  readonly filter: RowFilter | undefined;
  readonly count: number;
  readonly pacer: Pacer;
};

export async function sparseRows(search: SparseSearch): Promise<readonly RankedRow[]> {
  const best = new TopScores(search.count);
  const offer = (row: number, score: number) => {
    if (best.admits(row, score) && passes(search.filter, row)) best.add(row, score);
  };
  const few = fewRows(search);
  if (few === undefined) await addUpLists(search, offer);
  else await lookAtRows(search, few, offer);
  return best.ranked();
}

/** The dot product in float32, summed by ascending index as lists are; undefined where the vectors share no index. */
export function dotProduct(query: SparseComponents, vector: SparseComponents): number | undefined {
  let score: number | undefined;
  for (let mine = 0, theirs = 0; mine < query.indices.length && theirs < vector.indices.length; ) {
    const difference = (query.indices[mine] ?? 0) - (vector.indices[theirs] ?? 0);
    if (difference === 0) score = Math.fround((score ?? 0) + (query.values[mine] ?? 0) * (vector.values[theirs] ?? 0));
    if (difference <= 0) mine++;
    if (difference >= 0) theirs++;
  }
  return score;
}

function passes(filter: RowFilter | undefined, row: number): boolean {
  if (filter === undefined) return true;
  const { matching, candidates } = filter;
  if (matching !== undefined) return matching.set.has(row);
  return candidates?.set.has(row) !== false && filter.decides(row);
}

/** The rows that a filter leaves, where reading them costs less than the lists. */
function fewRows({ storage, ordinal, query, filter }: SparseSearch): Uint32Array | undefined {
  const rows = filter?.candidates;
  if (rows === undefined) return undefined;
  let listed = 0;
  for (const index of query.indices) listed += storage.countSparse(ordinal, index);
  return rows.count * READ_VECTOR < listed * LIST_COMPONENT ? rows.list : undefined;
}

type Offer = (row: number, score: number) => void;

async function lookAtRows({ storage, ordinal, query, pacer }: SparseSearch, rows: Uint32Array, offer: Offer): Promise<void> {
  for (const [looked, row] of rows.entries()) {
    const vector = storage.sparseVector(ordinal, row);
    const score = vector && dotProduct(query, vector);
    if (score !== undefined) offer(row, score);
    if (looked % ROWS_PER_LOOK === 0 && pacer.due()) await pacer.pause();
  }
}

async function addUpLists(search: SparseSearch, offer: Offer): Promise<void> {
  const window = takeWindow();
  const bound = search.storage.sparseRowBound(search.ordinal);
  for (let fromRow = 0; fromRow < bound; fromRow += WINDOW_ROWS) await addUpWindow(search, window, fromRow, offer);
  // One that a failure has left scores in is not used again.
  releaseWindow(window);
}

async function addUpWindow(
  { storage, ordinal, query, pacer }: SparseSearch,
  window: ScoreWindow,
  fromRow: number,
  offer: Offer,
): Promise<void> {
  const rows = { fromRow, toRow: fromRow + WINDOW_ROWS };
  for (let at = 0; at < query.indices.length; at++) {
    const weight = query.values[at] ?? 0;
    storage.visitSparse(ordinal, query.indices[at] ?? 0, rows, (block) => window.add(block, fromRow, weight));
    if (pacer.due()) await pacer.pause();
  }
  for (let block = 0; block < WINDOW_ROWS / SPARSE_BLOCK_ROWS; block++) {
    window.drain(block, fromRow, offer);
    if (pacer.due()) await pacer.pause();
  }
}

const BLOCKS = 64;
/** A mebibyte of scores, which stays in a core's cache. */
const WINDOW_ROWS = BLOCKS * SPARSE_BLOCK_ROWS;

/** Bits of the negative zero. */
const UNTOUCHED = -0x80000000;

/**
 * Scores of some consecutive rows while the lists of a query are added up. A row that no list has is distinguished from one whose score is zero by the
 * sign: a window starts with the negative zero, which no sum that has begun can be.
 */
class ScoreWindow {
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
function takeWindow(): ScoreWindow {
  const window = idle ?? new ScoreWindow();
  idle = undefined;
  return window;
}

function releaseWindow(window: ScoreWindow): void {
  idle = window;
}
