// SPDX-License-Identifier: Apache-2.0
/** The nearest rows: of several slices, or of those that are offered one by one. */
import type { Neighbours } from '@sextant/vector-kernel';

export type RankedRow = { readonly row: number; readonly distance: number };

export function ranked({ rows, distances }: Neighbours): RankedRow[] {
  const list: RankedRow[] = [];
  for (let index = 0; index < rows.length; index++)
    list.push({ row: rows[index] ?? 0, distance: distances[index] ?? Number.POSITIVE_INFINITY });
  return list;
}

/** The `k` nearest, each row once. @param b in order, as `a` is */
export function mergeNearest(a: readonly RankedRow[], b: readonly RankedRow[], k: number): readonly RankedRow[] {
  if (a.length === 0 && b.length <= k) return b;
  if (b.length === 0 && a.length <= k) return a;
  return [...a, ...b].sort((left, right) => left.distance - right.distance || left.row - right.row).slice(0, k);
}

/** The rows with the highest scores of those that are offered; among equals, those of the lowest numbers. */
export class TopScores {
  readonly #count: number;
  /** A binary heap, the worst first. */
  readonly #rows: number[] = [];
  readonly #scores: number[] = [];

  constructor(count: number) {
    this.#count = count;
  }

  /** Whether a row would be among the best so far. */
  admits(row: number, score: number): boolean {
    return this.#rows.length < this.#count || this.#isWorse(this.#rows[0] ?? 0, this.#scores[0] ?? 0, row, score);
  }

  /** For a row that is admitted. */
  add(row: number, score: number): void {
    if (this.#rows.length < this.#count) this.#rise(this.#rows.length, row, score);
    else this.#sink(row, score);
  }

  /** The best first; the nearer, the smaller the distance. */
  ranked(): RankedRow[] {
    const list = this.#rows.map((row, at) => ({ row, distance: -(this.#scores[at] ?? 0) }));
    return list.sort((a, b) => a.distance - b.distance || a.row - b.row);
  }

  #isWorse(row: number, score: number, otherRow: number, otherScore: number): boolean {
    return score < otherScore || (score === otherScore && row > otherRow);
  }

  #rise(last: number, row: number, score: number): void {
    let at = last;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isWorse(row, score, this.#rows[parent] ?? 0, this.#scores[parent] ?? 0)) break;
      this.#put(at, this.#rows[parent] ?? 0, this.#scores[parent] ?? 0);
      at = parent;
    }
    this.#put(at, row, score);
  }

  /** Takes the place of the worst. */
  #sink(row: number, score: number): void {
    let at = 0;
    for (;;) {
      const child = this.#worseChild(at);
      if (child === undefined || !this.#isWorse(this.#rows[child] ?? 0, this.#scores[child] ?? 0, row, score)) break;
      this.#put(at, this.#rows[child] ?? 0, this.#scores[child] ?? 0);
      at = child;
    }
    this.#put(at, row, score);
  }

  #worseChild(at: number): number | undefined {
    const left = 2 * at + 1;
    const right = left + 1;
    if (left >= this.#rows.length) return undefined;
    if (right >= this.#rows.length) return left;
    const isRight = this.#isWorse(this.#rows[right] ?? 0, this.#scores[right] ?? 0, this.#rows[left] ?? 0, this.#scores[left] ?? 0);
    return isRight ? right : left;
  }

  #put(at: number, row: number, score: number): void {
    this.#rows[at] = row;
    this.#scores[at] = score;
  }
}
