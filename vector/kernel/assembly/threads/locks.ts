/**
 * How several threads build one graph. The indexer does everything; linkers beside it only link. What must not meet:
 *
 * - Repair, calibration and saving want the graph to stand still: the indexer asks to be alone, and linkers stop between two rows.
 * - A row is moved on by one thread: whoever links the rows of a block, or gathers those in transit, claims the block meanwhile.
 * - A row's lists of links are changed under a lock, which lies in the first of them: whoever changes a list has to fetch its first bytes anyway, and a table
 *   of locks would be passed to and fro between the cores. Readers take none: they see the list before or after.
 * - A row that becomes the entry point is linked under a lock of its own, so that no two rows become the first.
 *
 * Linkers are readers too: an epoch keeps the rows that they walk over from being freed.
 */
import { ALONE, LINKERS, LOCK_IN_LIST, baseLinksOf, blockClaim } from '../memory/layout';

/** Tries before a thread sleeps, and nanoseconds that it sleeps at most before it tries again. Nobody wakes it: changes are short. */
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

/** In one order for all threads, so that no two wait for each other. */
export function lockLists(a: u32, b: u32): void {
  lockList(min(a, b));
  lockList(max(a, b));
}

export function unlockLists(a: u32, b: u32): void {
  unlockList(a);
  unlockList(b);
}

/** True where the block is now this thread's, until it is left. */
export function claimBlock(block: u32): bool {
  return atomic.cmpxchg<u8>(blockClaim(block), 0, 1) == 0;
}

export function leaveBlock(block: u32): void {
  atomic.store<u8>(blockClaim(block), 0);
}

/** A linker begins; false while the indexer is or wants to be alone. */
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

/** The indexer waits until no linker is at work, and keeps new ones from beginning. */
export function beginAlone(): void {
  atomic.store<u32>(ALONE, 1);
  for (let at = atomic.load<i32>(LINKERS); at != 0; at = atomic.load<i32>(LINKERS)) atomic.wait<i32>(LINKERS, at, SLEEP);
}

export function endAlone(): void {
  atomic.store<u32>(ALONE, 0);
}
