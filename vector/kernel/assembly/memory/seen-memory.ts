// SPDX-License-Identifier: Apache-2.0
/**
 * V8 informs a thread that another one has grown their memory at the thread's next stack check. Until then plain accesses reach the new
 * bytes, but atomic ones and those of `memory.copy` and `memory.fill` trap, because they check against the size that the thread knows.
 * Growing by nothing informs it at once (the same was found in https://github.com/toyobayashi/emnapi/issues/217). So an address that
 * another thread may have allocated passes through `seen` before such an access.
 */

const LAST_PAGE: u32 = 0xffff;

/** The thread knows all bytes below. The last page of a memory of 4 GiB, which no space uses, is never among them. */
let seenEnd: usize = 0;

/** Returns the address once the thread knows the bytes there. */
// @ts-ignore: decorator
@inline export function seen(address: usize, bytes: u32): usize {
  if (address + bytes > seenEnd) seeAll();
  return address;
}

function seeAll(): void {
  memory.grow(0);
  seenEnd = <usize>min<u32>(memory.size(), LAST_PAGE) << 16;
}
