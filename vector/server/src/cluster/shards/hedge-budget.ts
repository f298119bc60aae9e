// SPDX-License-Identifier: Apache-2.0
/**
 * How many questions may be asked a second time because their answer is late. Without a bound, nodes that are late because they have too much to do would be
 * asked twice for everything, and be later still. Finagle's `BackupRequestFilter` bounds the load that this adds in the same way (`maxExtraLoad`).
 */

/** Of all questions. */
const SHARE_MAX = 0.05;
/** So many at once, where few were late before. */
const RESERVE = 10;

export class HedgeBudget {
  #left = RESERVE;

  /** A question is asked for the first time. */
  earn(): void {
    this.#left = Math.min(RESERVE, this.#left + SHARE_MAX);
  }

  /** Whether another may be asked again; counts it as asked. */
  spend(): boolean {
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
