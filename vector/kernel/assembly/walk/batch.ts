// SPDX-License-Identifier: Apache-2.0
/**
 * The batch: rows whose points are prefetched together, then compared with the query. Rows become pairs of half a key and an address, and
 * these become keys.
 */
import { codeOrders } from '../distance/code-distance';
import { comparedBytes, inFours, nearness, pointOf, pointsAreSideBySide, pointsOffset } from '../distance/measure';
import { blockAddress, blockMask, blockShift } from '../memory/layout';
import { CACHE_LINE, PREFETCH_BYTES_MAX } from '../memory/prefetch';
import { batch } from '../memory/workspace';

/**
 * Replaces the rows of the batch by pairs of half a key and an address, and prefetches the points. The loop is separate from the one before
 * it, so that no load waits for a mispredicted branch, and does nothing else: the fewer instructions lie between two loads, the more loads
 * are in flight. On 340,000 GloVe-100 vectors this saves a fifth of the time of a search.
 */
export function prefetchBatch(end: usize): void {
  nameBatch(end);
  prefetchPoints(end);
}

/** Prefetches the points that the batch has the addresses of. */
export function prefetchPoints(end: usize): void {
  const bytes = comparedBytes();
  if (bytes <= CACHE_LINE << 1) prefetchEnds(end, bytes - 1);
  else prefetchLines(end, min(bytes, PREFETCH_BYTES_MAX));
}

function nameBatch(end: usize): void {
  if (!pointsAreSideBySide()) {
    for (let entry = batch; entry < end; entry += 8) {
      const row = load<u32>(entry);
      store<u32>(entry, row << 1);
      store<u32>(entry, <u32>pointOf(row), 4);
    }
    return;
  }
  const bytes = comparedBytes(), offset = pointsOffset(), shift = blockShift, mask = blockMask;
  for (let entry = batch; entry < end; entry += 8) {
    const row = load<u32>(entry);
    store<u32>(entry, row << 1);
    store<u32>(entry, <u32>blockAddress(row >> shift) + offset + (row & mask) * bytes, 4);
  }
}

/** For points of at most two lines. Where a point begins late in its first line, the line between may be missing. */
function prefetchEnds(end: usize, last: u32): void {
  for (let entry = batch; entry < end; entry += 8) {
    const point = load<u32>(entry, 4);
    load<u8>(point);
    load<u8>(point + last);
  }
}

function prefetchLines(end: usize, bytes: u32): void {
  for (let entry = batch; entry < end; entry += 8) {
    const point = load<u32>(entry, 4);
    for (let line = point, pointEnd = point + bytes; line < pointEnd; line += CACHE_LINE) load<u8>(line);
  }
}

/**
 * Replaces each address of the batch by the nearness of the point to the query, so that each pair becomes a key. `from` is the point of the
 * last `setQuery`.
 */
export function measureBatch(from: usize, end: usize): void {
  if (!inFours()) {
    for (let entry = batch; entry < end; entry += 8) store<u32>(entry, nearness(from, load<u32>(entry, 4)), 4);
    return;
  }
  // Whole fours, the last padded with any point.
  const any = load<u32>(batch, 4);
  store<u32>(end, any, 4);
  store<u32>(end, any, 12);
  store<u32>(end, any, 20);
  for (let entry = batch; entry < end; entry += 32) {
    const a = load<u32>(entry, 4), b = load<u32>(entry, 12), c = load<u32>(entry, 20), d = load<u32>(entry, 28);
    const orders = codeOrders(a, b, c, d);
    store<u32>(entry, i32x4.extract_lane(orders, 0), 4);
    store<u32>(entry, i32x4.extract_lane(orders, 1), 12);
    store<u32>(entry, i32x4.extract_lane(orders, 2), 20);
    store<u32>(entry, i32x4.extract_lane(orders, 3), 28);
  }
}
