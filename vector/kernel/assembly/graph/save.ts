// SPDX-License-Identifier: Apache-2.0
/**
 * What a saved graph holds beside its blocks: the links of upper levels, row by row. The indexer works alone meanwhile, so links do not
 * change.
 */
import { blockMask, blockShift, isInGraph, levelOf, linksOf, state, upperLinkBytes } from '../memory/layout';
import { seen } from '../memory/seen-memory';

export function uppersBytes(block: u32): u32 {
  let bytes: u32 = 0;
  const first = block << blockShift;
  for (let row = first; row <= first + blockMask; row++) if (isInGraph(state(row))) bytes += load<u8>(levelOf(row)) * upperLinkBytes;
  return bytes;
}

/** Writes the `uppersBytes` of a block to `target`. */
export function packUppers(block: u32, target: usize): void {
  const first = block << blockShift;
  for (let row = first; row <= first + blockMask; row++) {
    const bytes: u32 = isInGraph(state(row)) ? load<u8>(levelOf(row)) * upperLinkBytes : 0;
    if (bytes == 0) continue;
    memory.copy(target, seen(linksOf(row, 1), bytes), bytes);
    target += bytes;
  }
}
