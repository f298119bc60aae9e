// SPDX-License-Identifier: Apache-2.0
/**
 * The candidates of a walk: a sorted pool of the nearest rows that may be answered, in which expanded keys are marked, and a heap of
 * detours, rows that lead on but may not be answered.
 */
import { insertSorted, pushHeap, replaceLeast, rowOf } from '../memory/keys';
import { baseLinkBytes, baseLinksOf, isLive, state } from '../memory/layout';
import { prefetch } from '../memory/prefetch';
import { EXPANSION_BATCH, batch, clearVisited, detours, detoursMax, pool } from '../memory/workspace';
import { passes } from './filter';

export const NO_KEY: u64 = 0xffffffffffffffff;
const PREFETCHED_LINK_BYTES: u32 = 128;

export let poolCount: u32 = 0;
let poolMax: u32 = 0;
/** Only this many of the nearest keys are expanded. */
let reach: u32 = 0;
/** Every key of the pool before this index is expanded. */
let cursor: u32 = 0;
let detourCount: u32 = 0;

// @ts-ignore: decorator
@inline export function poolKey(index: u32): u64 { return load<u64>(pool + (index << 3)); }

/** Links have to arrive before the points that they lead to can be prefetched. Few lists are longer than two lines. */
// @ts-ignore: decorator
@inline function prefetchLinks(row: u32): void { prefetch(baseLinksOf(row), min<u32>(baseLinkBytes, PREFETCHED_LINK_BYTES)); }

/** How many of the first `count` keys of the pool are less: binary search without branches, half of which would be mispredicted. */
// @ts-ignore: decorator
@inline function placeOf(key: u64, count: u32): u32 {
  let low: u32 = 0;
  while (count > 0) {
    const half = (count + 1) >> 1;
    low = select<u32>(low + half, low, poolKey(low + half - 1) < key);
    count -= half;
  }
  return low;
}

/** Inserts a key that belongs into the sorted pool. The last key of a full pool drops out. */
export function insertIntoPool(key: u64): void {
  const low = placeOf(key, poolCount);
  if (poolCount < poolMax) poolCount++;
  const place = pool + (low << 3);
  let end = pool + (poolCount << 3);
  for (; end >= place + 24; end -= 16) v128.store(end - 16, v128.load(end - 24));
  if (end >= place + 16) store<u64>(end - 8, load<u64>(end - 16));
  store<u64>(place, key);
  if (low >= cursor + EXPANSION_BATCH) return;
  cursor = min(cursor, low);
  prefetchLinks(rowOf(key));
}

/**
 * Merges the keys of the batch that may be answered into the pool, in one pass from the end. Inserting them one by one would move half of a
 * large pool for each.
 */
export function mergeBatch(end: usize): void {
  let count: u32 = 0;
  for (let entry = batch; entry < end; entry += 8) {
    const key = load<u64>(entry);
    const row = rowOf(key);
    if (isLive(state(row)) && passes(row)) insertSorted(batch, count++, key);
    else if (detourCount < detoursMax) pushHeap(detours, detourCount++, key);
  }
  if (count == 0) return;
  let kept = poolCount;
  // The last of both drop out of a full pool.
  while (kept + count > poolMax) {
    if (kept == 0 || (count > 0 && load<u64>(batch + ((count - 1) << 3)) > poolKey(kept - 1))) count--;
    else kept--;
  }
  poolCount = kept + count;
  for (let i = count; i > 0; i--) {
    const key = load<u64>(batch + ((i - 1) << 3));
    const low = placeOf(key, kept);
    const place = pool + (low << 3);
    const by = i << 3;
    let at = pool + (kept << 3);
    for (; at >= place + 16; at -= 16) v128.store(at + by - 16, v128.load(at - 16));
    if (at > place) store<u64>(at + by - 8, load<u64>(at - 8));
    store<u64>(place + by - 8, key);
    kept = low;
    if (i <= EXPANSION_BATCH && low + i - 1 < cursor + EXPANSION_BATCH) prefetchLinks(rowOf(key));
  }
  cursor = min(cursor, kept);
}

/** A key below this bound enters the pool. */
// @ts-ignore: decorator
@inline export function poolBound(): u64 { return poolCount < poolMax ? NO_KEY : poolKey(poolMax - 1); }

// @ts-ignore: decorator
@inline export function beatsPool(key: u64): bool { return poolCount < poolMax || key < poolKey(poolMax - 1); }

export function offer(row: u32, key: u64): void {
  if (!beatsPool(key)) return;
  if (isLive(state(row)) && passes(row)) insertIntoPool(key);
  else if (detourCount < detoursMax) pushHeap(detours, detourCount++, key);
}

/** The nearest unexpanded candidate, marked as expanded; NO_KEY when the walk has ended. */
export function nextCandidate(): u64 {
  while (cursor < poolCount && (poolKey(cursor) & 1) != 0) cursor++;
  const inPool = cursor < min(poolCount, reach) ? poolKey(cursor) : NO_KEY;
  const detour = detourCount > 0 ? load<u64>(detours) : NO_KEY;
  if (detour < inPool) {
    if (!beatsPool(detour)) return NO_KEY;
    detourCount--;
    replaceLeast(detours, detourCount, load<u64>(detours + (detourCount << 3)));
    return detour;
  }
  if (inPool != NO_KEY) store<u64>(pool + (cursor << 3), inPool | 1);
  return inPool;
}

export function dropFromPool(row: u32): void {
  let kept: u32 = 0;
  for (let i: u32 = 0; i < poolCount; i++) {
    const key = poolKey(i);
    if (rowOf(key) != row) store<u64>(pool + (kept++ << 3), key);
  }
  poolCount = kept;
}

/** Keeps the nearest `count` keys, and takes no more from then on. */
export function truncatePool(count: u32): void {
  poolCount = min(poolCount, count);
  poolMax = count;
}

/** Lets the pool take `more` keys beside its own. */
export function widenPool(more: u32): void {
  poolMax = poolCount + more;
}

/** Empties the pool for `ef` keys, and forgets which rows were visited. */
export function beginWalk(ef: u32): void {
  clearVisited();
  emptyPool(ef);
}

/** Empties the pool, and keeps the marks of visited rows. */
export function emptyPool(ef: u32): void {
  poolCount = detourCount = cursor = 0;
  poolMax = reach = ef;
}

/** Lets only the nearest `expanded` keys of the pool be expanded. */
export function expandNearest(expanded: u32): void {
  reach = expanded;
}

/** Prefetches the links of the candidates that come next as things stand. */
export function prefetchNext(level: u32): void {
  if (level > 0) return;
  let left = EXPANSION_BATCH;
  for (let next = cursor; next < poolCount && left > 0; next++) {
    const key = poolKey(next);
    if ((key & 1) != 0) continue;
    prefetchLinks(rowOf(key));
    left--;
  }
}
