// SPDX-License-Identifier: Apache-2.0
/**
 * How many questions a node may be asked because another one is late. Without a bound, nodes that are late because they have too much to do would be asked
 * twice for everything, and be later still. Finagle's `BackupRequestFilter` bounds the load that this adds in the same way (`maxExtraLoad`); here each node has
 * a budget of its own, since the two copies of one shard would use up that of all nodes for each other.
 */

/** Of the questions that a node is asked anyway. */
const SHARE_MAX = 0.05;
/** So many at once, where few were late before. */
const RESERVE = 10;

export class HedgeBudget {
  readonly #left = new Map<string, number>();

  /** A node is asked a question first. */
  earn(node: string): void {
    this.#left.set(node, Math.min(RESERVE, this.#of(node) + SHARE_MAX));
  }

  /** Whether a node may be asked a question for which another is late; counts it as asked. */
  spend(node: string): boolean {
    const left = this.#of(node);
    if (left < 1) return false;
    this.#left.set(node, left - 1);
    return true;
  }

  #of(node: string): number {
    return this.#left.get(node) ?? RESERVE;
  }
}
