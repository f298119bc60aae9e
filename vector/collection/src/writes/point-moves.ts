// SPDX-License-Identifier: Apache-2.0
/**
 * The moves of compaction. A move takes a number, so where numbers come from a log it goes through the log, as an operation that says nothing but that there
 * is one: the number is the same on every node, and the rows are moved where they were to be moved.
 */
import { randomUUID } from 'node:crypto';
import type { ShardKey } from '@sextant/contracts-vector';

export type PointMovesOptions = {
  readonly collection: string;
  /** See `CatalogOptions`; without it, moves are writes like others. */
  readonly viaLog?: ((collection: string, token: string, key: ShardKey | undefined) => Promise<unknown>) | undefined;
  /** Of a shard under a key, which the others need not hear of. */
  readonly key: ShardKey | undefined;
  readonly atOnce: (rows: readonly number[]) => Promise<unknown>;
};

export class PointMoves {
  readonly #options: PointMovesOptions;
  readonly #asked = new Map<string, readonly number[]>();

  constructor(options: PointMovesOptions) {
    this.#options = options;
  }

  /** None where another node has asked, or this one before it was started again. */
  rowsOf(token: string): readonly number[] {
    return this.#asked.get(token) ?? [];
  }

  async move(rows: readonly number[]): Promise<void> {
    const { collection, viaLog, key, atOnce } = this.#options;
    if (viaLog === undefined) {
      await atOnce(rows);
      return;
    }
    const token = randomUUID();
    this.#asked.set(token, rows);
    try {
      await viaLog(collection, token, key);
    } finally {
      this.#asked.delete(token);
    }
  }
}
