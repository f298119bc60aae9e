// SPDX-License-Identifier: Apache-2.0
/**
 * Exact answers: every row is compared by its vector. Where vectors have been released, the caller reads the originals and offers them one
 * by one.
 */
import { distance } from '../distance/distance';
import { keyOf, orderOf, pushHeap, replaceLeast } from '../memory/keys';
import { ROW_BOUND, blockMask, isLive, state, vectorOf, versionOf } from '../memory/layout';
import { input, pool, preparePool, query } from '../memory/workspace';
import { enter, leave } from '../threads/epochs';
import { NO_ROOM, RELEASED, isUnmeasured, keyOfRow, unpack } from './search';

/** Exact nearest `k` in [fromRow, toRow). The filter's bits, if any, begin at the word of `fromRow`. */
export function scan(k: u32, fromRow: u32, toRow: u32, filtered: bool): i32 {
  if (!preparePool(k)) return NO_ROOM;
  enter();
  let count: u32 = 0;
  const end = min(toRow, atomic.load<u32>(ROW_BOUND));
  const base = fromRow & ~31;
  for (let row = fromRow; row < end; row++) {
    if (filtered) {
      const bits = load<u32>(input + (((row - base) >> 5) << 2)) >> (row & 31);
      if (bits == 0) {
        row |= 31;
        continue;
      }
      if ((bits & 1) == 0) continue;
    }
    if (!isLive(state(row))) continue;
    const key = keyOfRow(row);
    if (isUnmeasured(key)) return refuse();
    count = keepNearest(key, count, k);
  }
  leave();
  return unpack(sortNearest(count));
}

/** The distances of the rows in [fromRow, toRow), in order; infinite where no live vector is in memory. */
export function distancesTo(fromRow: u32, toRow: u32): i32 {
  const count = toRow - fromRow;
  if (!preparePool((count + 1) >> 1)) return NO_ROOM;
  enter();
  const end = min(toRow, atomic.load<u32>(ROW_BOUND));
  for (let row = fromRow; row < toRow; row++) {
    const vector = row < end && isLive(state(row)) ? vectorOf(row) : 0;
    store<f32>(pool + ((row - fromRow) << 2), vector == 0 ? f32.POSITIVE_INFINITY : distance(query, vector));
  }
  leave();
  return count;
}

/** Exact nearest `k` of the `count` rows in the input. */
export function scanRows(k: u32, rowCount: u32): i32 {
  if (!preparePool(k)) return NO_ROOM;
  enter();
  let count: u32 = 0;
  const end = atomic.load<u32>(ROW_BOUND);
  for (let i: u32 = 0; i < rowCount; i++) {
    const row = load<u32>(input + (i << 2));
    if (row >= end || !isLive(state(row))) continue;
    const key = keyOfRow(row);
    if (isUnmeasured(key)) return refuse();
    count = keepNearest(key, count, k);
  }
  leave();
  return unpack(sortNearest(count));
}

/** Exact nearest `k` of the rows whose version is above `version`: what was put while a longer search ran. */
export function scanNewer(k: u32, version: f64): i32 {
  if (!preparePool(k)) return NO_ROOM;
  enter();
  let count: u32 = 0;
  const end = atomic.load<u32>(ROW_BOUND);
  for (let first: u32 = 0; first < end; first += blockMask + 1) {
    const versions = versionOf(first);
    const rows = min<u32>(blockMask + 1, end - first);
    for (let i: u32 = 0; i < rows; i++) {
      if (load<f64>(versions + (i << 3)) <= version || !isLive(state(first + i))) continue;
      const key = keyOfRow(first + i);
      if (isUnmeasured(key)) return refuse();
      count = keepNearest(key, count, k);
    }
  }
  leave();
  return unpack(sortNearest(count));
}

/** The nearest so far are a max-heap: a min-heap of complemented keys. Returns its new size. */
function keepNearest(nearness: u64, count: u32, k: u32): u32 {
  const key = ~nearness;
  if (count < k) {
    pushHeap(pool, count, key);
    return count + 1;
  }
  if (key > load<u64>(pool)) replaceLeast(pool, count, key);
  return count;
}

/** Sorts the max-heap by heapsort. */
function sortNearest(count: u32): u32 {
  for (let left = count; left > 1; ) {
    left--;
    const farthest = load<u64>(pool);
    replaceLeast(pool, left, load<u64>(pool + (left << 3)));
    store<u64>(pool + (left << 3), farthest);
  }
  for (let i: u32 = 0; i < count; i++) store<u64>(pool + (i << 3), ~load<u64>(pool + (i << 3)));
  return count;
}

function refuse(): i32 {
  leave();
  return RELEASED;
}

/** The distance from the query to a vector that the caller has placed. */
export function measured(vector: usize): f32 {
  return distance(query, vector);
}

let offered: u32 = 0;
let offeredMax: u32 = 0;

/** Begins an answer of `k` rows, to which rows are offered. Returns false where there is no room. */
export function beginExact(k: u32): bool {
  offered = 0;
  offeredMax = k;
  return preparePool(k);
}

/** Offers a row whose vector the caller has placed. */
export function offerExact(row: u32, vector: usize): void {
  offered = keepNearest(keyOf(orderOf(measured(vector)), row), offered, offeredMax);
}

export function endExact(): i32 {
  return unpack(sortNearest(offered));
}

/** Writes the live rows whose version is above `version` to `target`, which has room for `limit` of them. Returns how many there are. */
export function newerRows(version: f64, target: usize, limit: u32): u32 {
  let count: u32 = 0;
  const end = atomic.load<u32>(ROW_BOUND);
  for (let row: u32 = 0; row < end; row++) {
    if (load<f64>(versionOf(row)) <= version || !isLive(state(row))) continue;
    if (count < limit) store<u32>(target + (count << 2), row);
    count++;
  }
  return count;
}
