// SPDX-License-Identifier: Apache-2.0
/**
 * WebAssembly has no prefetch instruction, but a load whose value is not used has the same effect: the processor goes on while the cache
 * line arrives. Prefetching many rows at once takes the time of one.
 */

export const CACHE_LINE: u32 = 64;
/** Prefetching more takes longer than it saves. Measured with codes of 784 and 1536 bytes. */
export const PREFETCH_BYTES_MAX: u32 = 1024;

/** Loads may trap, so the compiler never removes them. The first two lines, usually all there are, are loaded without a loop. */
// @ts-ignore: decorator
@inline export function prefetch(address: usize, bytes: u32): void {
  load<u8>(address);
  if (bytes <= CACHE_LINE) return;
  load<u8>(address + CACHE_LINE);
  const end = address + min(bytes, PREFETCH_BYTES_MAX);
  for (address += CACHE_LINE << 1; address < end; address += CACHE_LINE) load<u8>(address);
}
