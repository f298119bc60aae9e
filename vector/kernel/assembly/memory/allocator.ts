// SPDX-License-Identifier: Apache-2.0
/**
 * Allocates memory within the space, for all threads: a break that rises, and free memory below it. Pieces up to 1 KiB come from chunks in
 * steps of 16 bytes and are kept by size. Larger ones are spans: a released span merges with its free neighbours, so that the next piece of
 * any size finds room. Blocks of rows, which are most of a space, are spans too. So they reuse the memory that learning codes took, and
 * that of released vectors.
 */
import { BREAK, BYTES_MAX, FREE_LISTS, LOCK, MEMORY_END } from './layout';
import { seen } from './seen-memory';

const SMALL_MAX: u32 = 1024;
const SMALL_CLASSES: u32 = SMALL_MAX >> 4;
/** Spans begin on a cache line, so that a vector crosses as few lines as possible. */
const SPAN_MASK: u32 = 63;
const CHUNK_BYTES: u32 = 4096;
/** The first free span. Each holds the address of the next one, which is higher, and its own size. */
const SPANS: usize = FREE_LISTS + (SMALL_CLASSES << 2);
/** The rest of the chunk that small pieces come from. */
const CHUNK: usize = SPANS + 4;
const CHUNK_END: usize = SPANS + 8;
/** Number of blocks in reused memory: all of their bytes have been written to. */
export const REUSING_BLOCKS: usize = SPANS + 12;
/** Nanoseconds that a thread sleeps at most before it tries the lock again. */
const LOCK_WAIT: i64 = 50_000;

export function lock(): void {
  while (atomic.cmpxchg<i32>(LOCK, 0, 1) != 0) atomic.wait<i32>(LOCK, 1, LOCK_WAIT);
}

export function unlock(): void {
  atomic.store<i32>(LOCK, 0);
  atomic.notify(LOCK, 1);
}

/** The size of a piece that holds `bytes`. */
export function pieceBytes(bytes: u32): u32 {
  if (bytes <= SMALL_MAX) return (max<u32>(bytes, 1) + 15) & ~15;
  return (bytes + SPAN_MASK) & ~SPAN_MASK;
}

function freeList(bytes: u32): usize {
  return FREE_LISTS + (((bytes >> 4) - 1) << 2);
}

/** Bytes that may still be taken from the break, with `headroom` reserved. Hold the lock. */
export function bytesLeft(headroom: u32): u32 {
  const end = load<u32>(BREAK);
  const limit = load<u32>(BYTES_MAX) - headroom;
  return limit > end ? limit - end : 0;
}

/** How many pieces of this size, which is that of a span, fit into free spans. Hold the lock. */
export function roomInSpans(size: u32): u32 {
  let room: u32 = 0;
  for (let span: usize = load<u32>(SPANS); span != 0; span = load<u32>(span)) room += load<u32>(span, 4) / size;
  return room;
}

/** Zeroed memory that was never used before, of the size of a span, or 0 where there is none. Hold the lock. */
export function raiseBreak(size: u32, headroom: u32): usize {
  if (size > bytesLeft(headroom)) return 0;
  const piece: usize = load<u32>(BREAK);
  const end = <u32>piece + size;
  const memoryEnd = load<u32>(MEMORY_END);
  if (end > memoryEnd) {
    const pages = (end - memoryEnd + 0xffff) >> 16;
    if (memory.grow(pages) < 0) return 0;
    store<u32>(MEMORY_END, memoryEnd + (pages << 16));
  }
  store<u32>(BREAK, end);
  return piece;
}

/**
 * Takes uncleared room from the first free span that is large enough; 0 where none is. Hold the lock. First fit keeps long-lived pieces at
 * low addresses, so that the room above stays whole: after the vectors of 69,000 Fashion-MNIST images were released, free spans have 0.9
 * MB, and 0.5 MB with best fit.
 */
export function takeSpan(size: u32): usize {
  let before = SPANS;
  let span: usize = load<u32>(before);
  while (span != 0 && load<u32>(span, 4) < size) {
    before = span;
    span = load<u32>(span);
  }
  if (span == 0) return 0;
  const left = load<u32>(span, 4) - size;
  if (left == 0) {
    store<u32>(before, load<u32>(span));
    return span;
  }
  const rest = span + size;
  store<u32>(rest, load<u32>(span));
  store<u32>(rest, left, 4);
  store<u32>(before, <u32>rest);
  return span;
}

/** Inserts a span by address, and merges it with its neighbours. */
function giveSpan(piece: usize, size: u32): void {
  let before = SPANS;
  let next: usize = load<u32>(before);
  while (next != 0 && next < piece) {
    before = next;
    next = load<u32>(next);
  }
  if (piece + size == next) {
    size += load<u32>(next, 4);
    next = load<u32>(next);
  }
  if (before != SPANS && before + load<u32>(before, 4) == piece) {
    store<u32>(before, load<u32>(before, 4) + size, 4);
    store<u32>(before, <u32>next);
    return;
  }
  store<u32>(piece, <u32>next);
  store<u32>(piece, size, 4);
  store<u32>(before, <u32>piece);
}

/**
 * Where no span is large enough, the last one is extended if it ends at the break: so ever larger pieces take the room of the largest
 * alone.
 */
function takeLarge(size: u32): usize {
  const span = takeSpan(size);
  if (span != 0) return span;
  let before: usize = 0;
  let last = SPANS;
  while (load<u32>(last) != 0) {
    before = last;
    last = load<u32>(last);
  }
  const lastSize: u32 = before != 0 ? load<u32>(last, 4) : 0;
  if (lastSize == 0 || last + lastSize != load<u32>(BREAK)) return raiseBreak(size, 0);
  if (raiseBreak(size - lastSize, 0) == 0) return 0;
  store<u32>(before, 0);
  return last;
}

function takeSmall(size: u32): usize {
  const list = freeList(size);
  const free: usize = load<u32>(list);
  if (free != 0) {
    store<u32>(list, load<u32>(free));
    return free;
  }
  let piece: usize = load<u32>(CHUNK);
  const rest = load<u32>(CHUNK_END) - <u32>piece;
  if (rest < size) {
    const chunk = takeLarge(CHUNK_BYTES);
    if (chunk == 0) return 0;
    if (rest > 0) giveSmall(piece, rest);
    store<u32>(CHUNK_END, <u32>chunk + CHUNK_BYTES);
    piece = chunk;
  }
  store<u32>(CHUNK, <u32>piece + size);
  return piece;
}

function giveSmall(piece: usize, size: u32): void {
  const list = freeList(size);
  store<u32>(piece, load<u32>(list));
  store<u32>(list, <u32>piece);
}

/** An uncleared piece of `pieceBytes(bytes)`, or 0 where the bound of the space is reached. */
export function allocate(bytes: u32): usize {
  const size = pieceBytes(bytes);
  lock();
  const piece = size <= SMALL_MAX ? takeSmall(size) : takeLarge(size);
  unlock();
  return seen(piece, size);
}

export function release(piece: usize, bytes: u32): void {
  if (piece == 0) return;
  const size = pieceBytes(bytes);
  lock();
  if (size <= SMALL_MAX) giveSmall(piece, size);
  else giveSpan(piece, size);
  unlock();
}
