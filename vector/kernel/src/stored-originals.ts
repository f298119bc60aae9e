// SPDX-License-Identifier: Apache-2.0
/** For tests: vectors that are stored outside of a space, which releases its own. */
import type { Components, Originals } from './index.ts';

export function originalsOf(store: ReadonlyMap<number, Components>): Originals {
  return {
    vector: (row) => store.get(row),
    *vectors({ fromRow, toRow }) {
      for (const [row, vector] of [...store].sort(([a], [b]) => a - b)) if (row >= fromRow && row < toRow) yield { row, vector };
    },
  };
}
