// SPDX-License-Identifier: Apache-2.0
/** How a series is measured: how many points, how far apart; what turns days into points. */
import { DAILY_SPACING_MS, DAY_MS } from './calendar.ts';
import type { KeptNumbers } from './kept-numbers.ts';

export class Pace {
  #points = 0;
  #firstMs = 0;
  #lastMs = 0;

  get points(): number {
    return this.#points;
  }

  /** Time of the newest point. */
  get lastMs(): number {
    return this.#points === 0 ? Number.NEGATIVE_INFINITY : this.#lastMs;
  }

  get spanMs(): number {
    return this.#lastMs - this.#firstMs;
  }

  /** Mean distance of two points; 0 before the second. */
  get spacingMs(): number {
    return this.#points > 1 ? this.spanMs / (this.#points - 1) : 0;
  }

  get isDaily(): boolean {
    return this.spacingMs >= DAILY_SPACING_MS;
  }

  /**
   * Rate at which an average learns that remembers `points` points or `days` days, whichever is longer; until so many came it is the
   * plain mean of all.
   */
  rate({ points, days }: { readonly points: number; readonly days: number }): number {
    const spacingMs = this.spacingMs;
    const remembered = spacingMs > 0 ? Math.max(points, (days * DAY_MS) / spacingMs) : points;
    return Math.max(1 / remembered, 1 / (this.#points + 1));
  }

  keep(numbers: KeptNumbers): void {
    this.#points = numbers.double(this.#points);
    this.#firstMs = numbers.double(this.#firstMs);
    this.#lastMs = numbers.double(this.#lastMs);
  }

  add(timeMs: number): void {
    if (this.#points === 0) this.#firstMs = timeMs;
    this.#lastMs = timeMs;
    this.#points += 1;
  }
}
