/**
 * Memory within the space, for all threads: a break that rises, and free lists by size. Pieces up to 4 KiB come in
 * steps of 16 bytes, larger ones in powers of two. Blocks of rows are never given back and rely on being fresh, thus zero.
 */
import { BREAK, BYTES_MAX, FREE_LISTS, LOCK, MEMORY_END } from './layout';
import { seen } from './seen-memory';

const SMALL_MAX: u32 = 4096;
const SMALL_CLASSES: u32 = SMALL_MAX >> 4;
/** Nanoseconds that a thread sleeps at most before it tries the lock again. */
const LOCK_WAIT: i64 = 50_000;

export function lock(): void {
  while (atomic.cmpxchg<i32>(LOCK, 0, 1) != 0) atomic.wait<i32>(LOCK, 1, LOCK_WAIT);
}

export function unlock(): void {
  atomic.store<i32>(LOCK, 0);
  atomic.notify(LOCK, 1);
}

/** What a piece of this size really holds. */
export function pieceBytes(bytes: u32): u32 {
  if (bytes <= SMALL_MAX) return (max<u32>(bytes, 1) + 15) & ~15;
  return <u32>1 << (32 - clz<u32>(bytes - 1));
}

function freeList(bytes: u32): usize {
  const index = bytes <= SMALL_MAX ? (bytes >> 4) - 1 : SMALL_CLASSES + ctz<u32>(bytes) - 13;
  return FREE_LISTS + (index << 2);
}

/** Bytes that may still be taken from the break, with `headroom` left for others. Hold the lock. */
export function bytesLeft(headroom: u32): u32 {
  const end = (load<u32>(BREAK) + 63) & ~63;
  const limit = load<u32>(BYTES_MAX) - headroom;
  return limit > end ? limit - end : 0;
}

/** Zeroed memory that was never used before, or 0 where there is none. Hold the lock. */
export function raiseBreak(bytes: u32, headroom: u32): usize {
  if (bytes > bytesLeft(headroom)) return 0;
  // Large pieces begin on a cache line, so that a vector spans as few lines as it can.
  const piece = bytes > SMALL_MAX ? (load<u32>(BREAK) + 63) & ~63 : load<u32>(BREAK);
  const end = piece + bytes;
  const memoryEnd = load<u32>(MEMORY_END);
  if (end > memoryEnd) {
    const pages = (end - memoryEnd + 0xffff) >> 16;
    if (memory.grow(pages) < 0) return 0;
    store<u32>(MEMORY_END, memoryEnd + (pages << 16));
  }
  store<u32>(BREAK, end);
  return piece;
}

/** An uncleared piece of `pieceBytes(bytes)`, or 0 where the bound of the space is reached. */
export function allocate(bytes: u32): usize {
  const size = pieceBytes(bytes);
  const list = freeList(size);
  lock();
  let piece: usize = load<u32>(list);
  if (piece != 0) store<u32>(list, load<u32>(piece));
  else piece = raiseBreak(size, 0);
  unlock();
  return seen(piece, size);
}

export function release(piece: usize, bytes: u32): void {
  if (piece == 0) return;
  const list = freeList(pieceBytes(bytes));
  lock();
  store<u32>(piece, load<u32>(list));
  store<u32>(list, <u32>piece);
  unlock();
}
