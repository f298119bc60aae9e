// SPDX-License-Identifier: Apache-2.0
/**
 * Spaces whose vectors are stored elsewhere. A vector stays in memory, in a piece of its own, from when its row is put until the row is in
 * the graph and has a code that is in use. From then on, readers read the original from storage. So pending rows are scanned as in any
 * space, and a space without usable codes keeps its vectors.
 *
 * The indexer releases vectors. Codes come into use once, for good. When the readers have left that may still compare vectors, it clears
 * the addresses of INDEXED rows, and frees their pieces when the readers have left that may have seen an address.
 */
import { allocate, pieceBytes, release } from '../memory/allocator';
import { CODES, INDEXED, NO_CODES, ROW_BOUND, releasesVectors, state, stride, vectorOf, vectorSlot } from '../memory/layout';
import { beginEpoch, haveLeft } from '../threads/epochs';

const RELEASED_MAX: u32 = 4096;
/** Rows that are examined between two epochs. */
const LOOKED_AT_MAX: u32 = 1 << 16;

/** Pieces whose addresses are cleared, and which a reader may still see. */
let released: usize = 0;
let releasedCount: u32 = 0;
/** The epoch from which on every reader compares codes; 0 before it has begun. */
let codesEpoch: u64 = 0;
let mayRelease: bool = false;
/** Rows below `nextRow` have been examined since vectors may be released; later rows are released as they become INDEXED. */
let nextRow: u32 = 0;
let isLookedThrough: bool = false;

/** Where the caller writes the vector of a free row; 0 where there is no room. */
export function placeVector(row: u32): usize {
  if (!releasesVectors) return vectorOf(row);
  const piece = allocate(stride);
  store<u32>(vectorSlot(row), <u32>piece);
  return piece;
}

/** Frees the row's vector at once, because no reader can see it. */
export function freeVector(row: u32): void {
  if (!releasesVectors) return;
  release(vectorOf(row), stride);
  store<u32>(vectorSlot(row), 0);
}

/** Bytes that `count` new vectors may take. */
export function vectorsReserve(count: u32): u64 {
  // Where codes are in use, few rows are pending.
  return releasesVectors && atomic.load<u32>(CODES) == NO_CODES ? <u64>count * pieceBytes(stride) : 0;
}

/** Whether there is more to do once an epoch has passed. */
export function isReleasing(): bool {
  return releasedCount > 0 || (mayRelease && !isLookedThrough);
}

/** A row has become INDEXED. There is room: between two epochs no more come than rows are gathered. */
export function releaseVector(row: u32): void {
  if (!mayRelease) return;
  const piece = vectorOf(row);
  if (piece == 0) return;
  store<u32>(vectorSlot(row), 0);
  store<u32>(released + (releasedCount++ << 2), <u32>piece);
}

/** Releases vectors of rows that were INDEXED before vectors could be released. */
export function releaseIndexed(): void {
  if (!releasesVectors || isLookedThrough || !prepareReleasing()) return;
  const rowBound = atomic.load<u32>(ROW_BOUND);
  const end = min(rowBound, nextRow + LOOKED_AT_MAX);
  for (; nextRow < end && releasedCount < RELEASED_MAX; nextRow++) if (state(nextRow) == INDEXED) releaseVector(nextRow);
  isLookedThrough = nextRow >= rowBound;
}

function prepareReleasing(): bool {
  if (mayRelease) return true;
  if (atomic.load<u32>(CODES) == NO_CODES) return false;
  if (released == 0) released = allocate(RELEASED_MAX << 2);
  if (released == 0) return false;
  if (codesEpoch == 0) codesEpoch = beginEpoch();
  mayRelease = haveLeft(codesEpoch);
  return mayRelease;
}

/** Frees the released vectors. The readers that may have seen them have left. */
export function freeReleased(): void {
  for (let i: u32 = 0; i < releasedCount; i++) release(load<u32>(released + (i << 2)), stride);
  releasedCount = 0;
}
