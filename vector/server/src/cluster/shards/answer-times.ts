// SPDX-License-Identifier: Apache-2.0
/** How long answers took lately. */

/** Answers that are remembered. */
const KEPT = 128;
/** Fewer say little. */
const KNOWN_MIN = 20;
const UNKNOWN_LATE_MS = 200;
/** Asking twice costs another node as much as asking once, so a fast network is no reason to ask twice for a pause of the garbage collector. */
const LATE_MIN_MS = 5;

export class AnswerTimes {
  readonly #kept: number[] = [];
  #next = 0;
  #late = UNKNOWN_LATE_MS;

  note(milliseconds: number): void {
    this.#kept[this.#next % KEPT] = milliseconds;
    this.#next += 1;
    if (this.#kept.length < KNOWN_MIN || this.#next % KNOWN_MIN !== 0) return;
    const sorted = this.#kept.toSorted((one, other) => one - other);
    this.#late = Math.max(LATE_MIN_MS, sorted[Math.floor(sorted.length * 0.95)] ?? UNKNOWN_LATE_MS);
  }

  /** An answer that takes longer is late. */
  get late(): number {
    return this.#late;
  }
}
