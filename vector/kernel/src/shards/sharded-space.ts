// SPDX-License-Identifier: Apache-2.0
/**
 * A vector space of any size: shards, each a space in a WebAssembly memory of its own, which has at most 4 GiB. Row r is row r %
 * rowsPerShard of shard floor(r / rowsPerShard), so shards are opened one after the other as rows are taken.
 */
import type { VectorSpaceHandle } from '../vector-space.ts';

/** What is sent to another thread. A later handle of the same space has the same shards, and perhaps more. */
export type ShardedSpaceHandle = { readonly rowsPerShard: number; readonly shards: readonly VectorSpaceHandle[] };

/** Rows of a shard are a multiple of this, so that the filter of a shard is a part of the filter of the space. */
export const rowsPerFilterWord = 32;

/** With 2 bytes a row, the marks of one walk then take 8 MiB: larger ones would leave no cache to the vectors. */
const ROWS_MAX = 2 ** 22;
/** The kernel reserves a sixteenth of a space for work on its graph. */
const ROWS_SHARE = 15 / 16;
/** Marks of 64 walks, with the smaller pieces that growing leaves behind, and the upper links of an average row. */
const SCRATCH_BYTES_PER_ROW = 64 * 4 + 16;
/** Rounding to 4 bits: a row that takes a byte more in a later release seldom changes the division of rows. */
const ROUNDING = 16;

/** Rows that fit into a space with their links and the scratch memory of every thread. */
export function rowsThatFit({ bytesMax, rowBytes }: { readonly bytesMax: number; readonly rowBytes: number }): number {
  const rows = Math.min(ROWS_MAX, (bytesMax * ROWS_SHARE) / (rowBytes + SCRATCH_BYTES_PER_ROW));
  const unit = Math.max(rowsPerFilterWord, 2 ** Math.floor(Math.log2(rows)) / ROUNDING);
  return Math.max(1, Math.floor(rows / unit)) * unit;
}
