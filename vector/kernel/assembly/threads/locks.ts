// SPDX-License-Identifier: Apache-2.0
/**
 * How several threads build one graph. The indexer does everything; linkers only link. What must not overlap:
 *
 * - Repair, calibration and saving need an unchanging graph: the indexer asks to be alone, and linkers stop between two rows.
 * - One thread moves a row on: whoever links the rows of a block, or gathers those in transit, claims the block meanwhile.
 * - A row's lists of links are changed under a lock in the first of them: whoever changes a list loads its first bytes anyway, and a table
 *   of locks would move between the caches of the cores. Readers take no lock: they see the list before or after.
 * - A row that becomes the entry point is linked under a lock of its own, so that no two rows become the first.
 *
 * Linkers are readers too: an epoch keeps the rows that they walk over from being freed.
 */
import { ALONE, LINKERS, LOCK_IN_LIST, baseLinksOf, blockClaim } from '../memory/layout';

/**
 * Attempts before a thread sleeps, and nanoseconds that it sleeps at most before the next attempt. Nothing wakes it, because changes are
 * short.
 */
const SPINS: u32 = 100;
const SLEEP: i64 = 20_000;

export function acquire(word: usize): void {
  for (let spins: u32 = 1; atomic.cmpxchg<i32>(word, 0, 1) != 0; spins++) if (spins % SPINS == 0) atomic.wait<i32>(word, 1, SLEEP);
}

export function free(word: usize): void {
  atomic.store<i32>(word, 0);
}

export function lockList(row: u32): void {
  const list = baseLinksOf(row);
  for (let spins: u32 = 1; atomic.cmpxchg<u16>(list, 0, 1, LOCK_IN_LIST) != 0; spins++) {
    const word = atomic.load<i32>(list);
    if (spins % SPINS == 0 && word >>> (LOCK_IN_LIST << 3) != 0) atomic.wait<i32>(list, word, SLEEP);
  }
}

export function unlockList(row: u32): void {
  atomic.store<u16>(baseLinksOf(row), 0, LOCK_IN_LIST);
}

/** In one order for all threads, so that there is no deadlock. */
export function lockLists(a: u32, b: u32): void {
  lockList(min(a, b));
  lockList(max(a, b));
}

export function unlockLists(a: u32, b: u32): void {
  unlockList(a);
  unlockList(b);
}

/** Returns true where the block now belongs to this thread, until `leaveBlock`. */
export function claimBlock(block: u32): bool {
  return atomic.cmpxchg<u8>(blockClaim(block), 0, 1) == 0;
}

export function leaveBlock(block: u32): void {
  atomic.store<u8>(blockClaim(block), 0);
}

/** A linker begins. Returns false while the indexer is or wants to be alone. */
export function joinLinkers(): bool {
  atomic.add<i32>(LINKERS, 1);
  if (atomic.load<u32>(ALONE) == 0) return true;
  leaveLinkers();
  return false;
}

export function leaveLinkers(): void {
  atomic.sub<i32>(LINKERS, 1);
}

export function isAloneWanted(): bool {
  return atomic.load<u32>(ALONE) != 0;
}

/** Waits until no linker is at work, and keeps new ones from beginning. */
export function beginAlone(): void {
  atomic.store<u32>(ALONE, 1);
  for (let at = atomic.load<i32>(LINKERS); at != 0; at = atomic.load<i32>(LINKERS)) atomic.wait<i32>(LINKERS, at, SLEEP);
}

export function endAlone(): void {
  atomic.store<u32>(ALONE, 0);
}
