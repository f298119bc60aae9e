/**
 * Which of the rows that wait for the graph have got their code by the codebook in use: a row that the writer puts between the steps of writing codes may lie where
 * these have been already.
 */
import { allocate, release } from '../../memory/allocator';

/** A bit for each row below `bound`; 0 where there was no room, or nothing is being written. */
let bits: usize = 0;
let bytes: u32 = 0;
let bound: u32 = 0;

// @ts-ignore: decorator
@inline function wordOf(row: u32): usize { return bits + ((row >> 5) << 2); }
// @ts-ignore: decorator
@inline function bitOf(row: u32): u32 { return 1 << (row & 31); }

/** Rows from `rowBound` on are taken for rows without. */
export function beginRecoding(rowBound: u32): void {
  endRecoding();
  bound = rowBound;
  bytes = ((rowBound >> 5) + 1) << 2;
  bits = allocate(bytes);
  if (bits != 0) memory.fill(bits, 0, bytes);
}

export function endRecoding(): void {
  if (bits != 0) release(bits, bytes);
  bits = 0;
}

export function noteRecoded(row: u32): void {
  if (bits == 0 || row >= bound) return;
  store<u32>(wordOf(row), load<u32>(wordOf(row)) | bitOf(row));
}

/** The row is free: what is put there next has no code. */
export function forgetRecoded(row: u32): void {
  if (bits == 0 || row >= bound) return;
  store<u32>(wordOf(row), load<u32>(wordOf(row)) & ~bitOf(row));
}

/** Without room to note it, all are taken for recoded. */
export function isRecoded(row: u32): bool {
  return bits == 0 || (row < bound && (load<u32>(wordOf(row)) & bitOf(row)) != 0);
}
