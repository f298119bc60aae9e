// SPDX-License-Identifier: Apache-2.0
/** The graph's entry point. One word holds its row and level, so that readers always see a matching pair. */
import { DOOMED, ENTRY, NO_ROW, ROW_BOUND, isInGraph, isLive, levelOf, state } from '../memory/layout';

export function setEntry(row: u32, level: u32): void {
  atomic.store<u64>(ENTRY, (<u64>level << 32) | row);
}

export function entryRow(): u32 {
  return <u32>atomic.load<u64>(ENTRY);
}

/** Takes the row with the highest level, a live one if possible. */
export function chooseEntry(): void {
  let best = NO_ROW;
  let bestRank: i32 = -1;
  const rowBound = atomic.load<u32>(ROW_BOUND);
  for (let row: u32 = 0; row < rowBound; row++) {
    const rowState = state(row);
    if (!isInGraph(rowState) || rowState == DOOMED) continue;
    const rank = (<i32>load<u8>(levelOf(row)) << 1) | (isLive(rowState) ? 1 : 0);
    if (rank > bestRank) {
      bestRank = rank;
      best = row;
    }
  }
  if (best == NO_ROW) atomic.store<u64>(ENTRY, NO_ROW);
  else setEntry(best, load<u8>(levelOf(best)));
}
