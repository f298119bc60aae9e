/**
 * WebAssembly has no prefetch, but a load whose value nobody waits for does the same: the processor goes on and the cache line comes.
 * What is asked for early, for many rows at once, comes in the time of one.
 */

export const CACHE_LINE: u32 = 64;
/** Beyond it prefetching takes longer than it saves. Measured with codes of 784 and 1536 bytes. */
export const PREFETCH_BYTES_MAX: u32 = 1024;

/** Loads that trap where there is no memory are never optimised away. The first two lines, mostly all there are, are asked for without a loop. */
// @ts-ignore: decorator
@inline export function prefetch(address: usize, bytes: u32): void {
  load<u8>(address);
  if (bytes <= CACHE_LINE) return;
  load<u8>(address + CACHE_LINE);
  const end = address + min(bytes, PREFETCH_BYTES_MAX);
  for (address += CACHE_LINE << 1; address < end; address += CACHE_LINE) load<u8>(address);
}
