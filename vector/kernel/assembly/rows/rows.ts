// SPDX-License-Identifier: Apache-2.0
/** The writer's side: puts and removes rows. */
import { REUSING_BLOCKS, bytesLeft, lock, raiseBreak, roomInSpans, takeSpan, unlock } from '../memory/allocator';
import {
  BLOCK_COUNT, BLOCK_COUNT_MAX, BYTES_MAX, FREE, GRAPH_LIVE_COUNT, INDEXED, LINKED, PENDING, PENDING_COUNT, RETIRED, ROW_BOUND, TOMBSTONE,
  TOMBSTONE_COUNT, baseLinksOf, blockBytes, blockMask, blockPending, blockShift, blockTransit, changeState, directoryEntry, isLive,
  levelOf, state, stateOf, upperOf, versionOf,
} from '../memory/layout';
import { seen } from '../memory/seen-memory';
import { vectorsReserve } from './originals';

/** The share of the space that rows leave free, so that a full space can still be searched, linked and repaired. */
const HEADROOM_SHARE: u32 = 16;

function blocksFor(rowBound: u32): u32 {
  return max(load<u32>(BLOCK_COUNT), <u32>((<u64>rowBound + blockMask) >> blockShift));
}

/** Bytes that vectors of rows below the bound may take outside their blocks. */
function vectorsBeside(rowBound: u32): u64 {
  return vectorsReserve(rowBound - min(rowBound, load<u32>(ROW_BOUND)));
}

/** Bytes that `reserve` would take for rows below the bound. */
export function bytesWanted(rowBound: u32): f64 {
  const blocks = blocksFor(rowBound) - load<u32>(BLOCK_COUNT);
  lock();
  const fresh = freshBlocks(blocks);
  unlock();
  return <f64>(<u64>fresh * blockBytes + vectorsBeside(rowBound));
}

/** Of `blocks` more blocks, the number that does not fit into released memory. Hold the lock. */
function freshBlocks(blocks: u32): u32 {
  return blocks - min(blocks, roomInSpans(blockBytes));
}

/** Makes sure that all rows below the bound can be put. Returns false, and changes nothing, where they do not fit. */
export function reserve(rowBound: u32): bool {
  return reserveBeside(rowBound, vectorsBeside(rowBound));
}

/** The same for rows that have all that they need in their blocks. */
export function reserveBlocks(rowBound: u32): bool {
  return reserveBeside(rowBound, 0);
}

function reserveBeside(rowBound: u32, vectors: u64): bool {
  const blocks = load<u32>(BLOCK_COUNT);
  const wanted = blocksFor(rowBound);
  if (wanted == blocks && vectors == 0) return true;
  lock();
  const fits = takeBlocks(blocks, wanted, vectors);
  unlock();
  if (fits) atomic.store<u32>(BLOCK_COUNT, wanted);
  return fits;
}

/** Finds memory for the blocks from `blocks` up to `wanted`, and makes sure that there is room for vectors outside them. */
function takeBlocks(blocks: u32, wanted: u32, vectors: u64): bool {
  if (wanted > BLOCK_COUNT_MAX) return false;
  const headroom = load<u32>(BYTES_MAX) / HEADROOM_SHARE;
  const fresh = freshBlocks(wanted - blocks);
  const bytes = <u64>fresh * blockBytes;
  if (bytes + vectors > bytesLeft(headroom)) return false;
  let address = fresh > 0 ? raiseBreak(<u32>bytes, headroom) : 0;
  if (fresh > 0 && address == 0) return false;
  const reusingEnd = wanted - fresh;
  store<u32>(REUSING_BLOCKS, load<u32>(REUSING_BLOCKS) + reusingEnd - blocks);
  for (let block = blocks; block < reusingEnd; block++) store<u32>(directoryEntry(block), <u32>clearedSpan());
  for (let block = reusingEnd; block < wanted; block++, address += blockBytes) store<u32>(directoryEntry(block), <u32>address);
  return true;
}

/** A new block must be zero. */
function clearedSpan(): usize {
  const block = seen(takeSpan(blockBytes), blockBytes);
  memory.fill(block, 0, blockBytes);
  return block;
}

/** Makes the vector visible that the caller has written where `placeVector` said. The row is FREE and reserved. */
export function publish(row: u32, version: f64): void {
  store<f64>(versionOf(row), version);
  store<u32>(baseLinksOf(row), 0);
  store<u8>(levelOf(row), 0);
  store<u32>(upperOf(row), 0);
  showPending(row);
}

/** Makes a row with a vector PENDING, and leaves its links as they are. */
export function showPending(row: u32): void {
  atomic.add<u32>(PENDING_COUNT, 1);
  atomic.add<u32>(blockPending(row >> blockShift), 1);
  atomic.store<u8>(stateOf(row), <u8>PENDING);
  if (row >= load<u32>(ROW_BOUND)) atomic.store<u32>(ROW_BOUND, row + 1);
}

/** Returns false where the row had no live vector. */
export function remove(row: u32): bool {
  const block = row >> blockShift;
  if (state(row) == PENDING) {
    atomic.add<u32>(blockTransit(block), 1);
    if (changeState(row, PENDING, RETIRED)) {
      atomic.sub<u32>(PENDING_COUNT, 1);
      atomic.sub<u32>(blockPending(block), 1);
      return true;
    }
    // The indexer has just linked it.
    atomic.sub<u32>(blockTransit(block), 1);
  }
  if (changeState(row, LINKED, TOMBSTONE)) atomic.sub<u32>(blockTransit(block), 1);
  else if (!changeState(row, INDEXED, TOMBSTONE)) return false;
  atomic.sub<u32>(GRAPH_LIVE_COUNT, 1);
  atomic.add<u32>(TOMBSTONE_COUNT, 1);
  return true;
}

/** One more than the highest row that is not free. */
export function usedBound(): u32 {
  let bound = atomic.load<u32>(ROW_BOUND);
  while (bound > 0 && state(bound - 1) == FREE) bound--;
  return bound;
}

export function rowState(row: u32): u32 {
  return row < atomic.load<u32>(ROW_BOUND) ? state(row) : FREE;
}

export function hasVector(row: u32): bool {
  return isLive(rowState(row));
}
