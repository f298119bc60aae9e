// SPDX-License-Identifier: Apache-2.0
/**
 * Rows in transit: LINKED rows become INDEXED and RETIRED rows FREE when all readers have left that may not know of the change. Rows are
 * gathered, an epoch begins, and the gathered rows move on when all readers are of that epoch or a later one. A row moves on only from the
 * state in which it was gathered: one that was gathered LINKED and is RETIRED by now waits for its own epoch.
 */
import { forgetRecoded } from '../codes/encoding/recoded-rows';
import { allocate } from '../memory/allocator';
import {
  BLOCK_COUNT, FREE, INDEXED, LINKED, RETIRED, blockMask, blockShift, blockStates, blockTransit, changeState, stateOf,
} from '../memory/layout';
import { releaseLevels } from '../rows/levels';
import { freeReleased, freeVector, isReleasing, releaseIndexed, releaseVector } from '../rows/originals';
import { beginEpoch, haveLeft } from '../threads/epochs';
import { claimBlock, leaveBlock } from '../threads/locks';

const GATHERED_MAX: u32 = 4096;

let gathered: usize = 0;
let gatheredCount: u32 = 0;
let gatheredEpoch: u64 = 0;
/** Whether the epoch has begun and its readers are awaited. */
let isWaiting: bool = false;
let nextBlock: u32 = 0;

/** Moves on as many rows as the readers allow at this moment. */
export function reclaim(): void {
  if (gathered == 0) gathered = allocate(GATHERED_MAX << 2);
  if (gathered == 0) return;
  for (;;) {
    if (!isWaiting) {
      gather();
      releaseIndexed();
      if (gatheredCount == 0 && !isReleasing()) return;
      gatheredEpoch = beginEpoch();
      isWaiting = true;
    }
    if (!haveLeft(gatheredEpoch)) return;
    isWaiting = false;
    freeReleased();
    for (let i: u32 = 0; i < gatheredCount; i++) moveOn(load<u32>(gathered + (i << 2)));
    gatheredCount = 0;
  }
}

function gather(): void {
  const blocks = atomic.load<u32>(BLOCK_COUNT);
  for (let step: u32 = 0; step < blocks; step++) {
    if (nextBlock >= blocks) nextBlock = 0;
    // A row that is being linked may be retired meanwhile, and must not be freed while the linker works on it.
    if (atomic.load<u32>(blockTransit(nextBlock)) != 0 && claimBlock(nextBlock)) {
      gatherBlock(nextBlock);
      leaveBlock(nextBlock);
      if (gatheredCount == GATHERED_MAX) return;
    }
    nextBlock++;
  }
}

function gatherBlock(block: u32): void {
  const states = blockStates(block);
  for (let i: u32 = 0; i <= blockMask && gatheredCount < GATHERED_MAX; i++) {
    const rowState: u32 = atomic.load<u8>(states + i);
    if (rowState != LINKED && rowState != RETIRED) continue;
    store<u32>(gathered + (gatheredCount++ << 2), ticketOf((block << blockShift) + i, rowState));
  }
}

/** A row, which is below 2^31, and in the lowest bit whether it was gathered RETIRED. */
function ticketOf(row: u32, rowState: u32): u32 {
  return (row << 1) | u32(rowState == RETIRED);
}

function moveOn(ticket: u32): void {
  const row = ticket >> 1;
  const transit = blockTransit(row >> blockShift);
  if ((ticket & 1) != 0) {
    releaseLevels(row);
    freeVector(row);
    forgetRecoded(row);
    atomic.sub<u32>(transit, 1);
    atomic.store<u8>(stateOf(row), <u8>FREE);
  } else if (changeState(row, LINKED, INDEXED)) {
    atomic.sub<u32>(transit, 1);
    releaseVector(row);
  }
}
