// SPDX-License-Identifier: Apache-2.0
/**
 * Which pending rows have a code of the present codebook. While codes are written in steps, the writer may put a row behind the last step.
 */
import { allocate, release } from '../../memory/allocator';

/** A bit for each row below `bound`; 0 where there was no room, or no codes are being written. */
let bits: usize = 0;
let bytes: u32 = 0;
let bound: u32 = 0;

// @ts-ignore: decorator
@inline function wordOf(row: u32): usize { return bits + ((row >> 5) << 2); }
// @ts-ignore: decorator
@inline function bitOf(row: u32): u32 { return 1 << (row & 31); }

/** Rows from `rowBound` on count as not recoded. */
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

/** The row is free: the next vector that is put there has no code. */
export function forgetRecoded(row: u32): void {
  if (bits == 0 || row >= bound) return;
  store<u32>(wordOf(row), load<u32>(wordOf(row)) & ~bitOf(row));
}

/** Without room for the bits, all rows count as recoded. */
export function isRecoded(row: u32): bool {
  return bits == 0 || (row < bound && (load<u32>(wordOf(row)) & bitOf(row)) != 0);
}
