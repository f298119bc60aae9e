/**
 * A vector space of any size: shards, each a space in a memory of its own, of which WebAssembly gives at most 4 GiB. Rows are numbered through
 * all of them: row r is row r % rowsPerShard of shard floor(r / rowsPerShard), so shards are opened one after the other as rows are taken.
 */
import type { VectorSpaceHandle } from '../vector-space.ts';

/** What travels to another thread. A later handle of the same space has the same shards, and perhaps more. */
export type ShardedSpaceHandle = { readonly rowsPerShard: number; readonly shards: readonly VectorSpaceHandle[] };

/** Rows of a shard are a multiple of this, so that the filter of a shard is a part of the filter of the space. */
export const rowsPerFilterWord = 32;

/** With 2 bytes a row the marks of one walk are 8 MiB then: larger ones would leave no cache to the vectors. */
const ROWS_MAX = 2 ** 22;
/** The kernel keeps a sixteenth of a space for work on its graph. */
const ROWS_SHARE = 15 / 16;
/** Marks of 64 walks, with what growing leaves of smaller ones, and the upper links of an average row. */
const SCRATCH_BYTES_PER_ROW = 64 * 4 + 16;
/** Rounding to 4 bits: a row that takes a byte more in a later release seldom makes another division of the rows. */
const ROUNDING = 16;

/** Rows of which a space can hold all, with the links and the scratch memory of every thread. */
export function rowsThatFit({ bytesMax, rowBytes }: { readonly bytesMax: number; readonly rowBytes: number }): number {
  const rows = Math.min(ROWS_MAX, (bytesMax * ROWS_SHARE) / (rowBytes + SCRATCH_BYTES_PER_ROW));
  const unit = Math.max(rowsPerFilterWord, 2 ** Math.floor(Math.log2(rows)) / ROUNDING);
  return Math.max(1, Math.floor(rows / unit)) * unit;
}
