/**
 * V8 tells a thread that another one has grown their memory at the thread's next stack check. Until then plain accesses reach the new bytes, but
 * atomic ones and those of `memory.copy` and `memory.fill`, which are compared with the size that the thread knows, trap. Growing by nothing tells
 * it at once (the same was found in https://github.com/toyobayashi/emnapi/issues/217). So whatever is accessed in these ways at an
 * address that another thread may have allocated is first shown to `seen`.
 */

const LAST_PAGE: u32 = 0xffff;

/** Below it this thread knows all bytes; the last page of a memory of 4 GiB, which no space uses, is never among them. */
let seenEnd: usize = 0;

/** The address, when the thread knows the bytes from there on. */
// @ts-ignore: decorator
@inline export function seen(address: usize, bytes: u32): usize {
  if (address + bytes > seenEnd) seeAll();
  return address;
}

function seeAll(): void {
  memory.grow(0);
  seenEnd = <usize>min<u32>(memory.size(), LAST_PAGE) << 16;
}
