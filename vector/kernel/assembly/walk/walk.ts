/**
 * The walk through the graph: algorithms 2 and 5 of Malkov and Yashunin, arXiv 1603.09320. The paper's two heaps become one
 * sorted pool of the `ef` nearest accepted rows, whose unexpanded keys are the candidates, and a heap of detours: rows that
 * lead on but may not be answered. The walk ends when the nearest candidate of both is farther than the worst of a full pool.
 */
import { codeOrders } from '../codes/scalar/scalar-distance';
import { insertSorted, keyOf, orderIn, pushHeap, replaceLeast, rowOf } from '../memory/keys';
import { baseLinkBytes, baseLinksOf, blockAddress, blockMask, blockShift, isLive, levelOf, linkCount, linksOf, state } from '../memory/layout';
import { setQuery, comparedBytes, inFours, nearness, pointOf, pointsAreSideBySide, pointsOffset } from '../distance/measure';
import { CACHE_LINE, PREFETCH_BYTES_MAX, prefetch } from '../memory/prefetch';
import { EXPANSION_BATCH, batch, clearVisited, detours, detoursMax, pool, visit, visitedRows } from '../memory/workspace';

export const NO_KEY: u64 = 0xffffffffffffffff;
const PREFETCHED_LINK_BYTES: u32 = 128;
/** From so many keys on a batch is merged into the pool. Of 100,000 GloVe-100 vectors searches take 7 per cent less with ef 640, 13 with 1280, and 24 with 2560. */
const MERGED_FROM: u32 = 256;

export let poolCount: u32 = 0;
let poolMax: u32 = 0;
/** Keys of the pool, from the nearest on, that are expanded. */
let reach: u32 = 0;
/** Every key of the pool before this index is expanded. */
let cursor: u32 = 0;
let detourCount: u32 = 0;
/** Bits of the rows that may be answered, for rows below `filterRows`; without a filter, 0. */
export let filter: usize = 0;
export let filterRows: u32 = 0;

export function setFilter(address: usize, rows: u32): void {
  filter = address;
  filterRows = rows;
}

export function passes(row: u32): bool {
  if (filter == 0) return true;
  return row < filterRows && ((load<u32>(filter + ((row >> 5) << 2)) >> (row & 31)) & 1) != 0;
}

// @ts-ignore: decorator
@inline export function poolKey(index: u32): u64 { return load<u64>(pool + (index << 3)); }

/** Links have to be there before the points that they lead to can be asked for. Few lists are longer than two lines. */
// @ts-ignore: decorator
@inline function prefetchLinks(row: u32): void { prefetch(baseLinksOf(row), min<u32>(baseLinkBytes, PREFETCHED_LINK_BYTES)); }

/** How many of the first `count` keys of the pool are less: binary search without branches, which would be guessed wrong half of the time. */
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

/** Puts a key that belongs there into the sorted pool; the last key of a full pool falls out. */
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
 * Puts the keys of the batch that may be answered into the pool, in one pass over what lies behind the nearest of them: one by one, each would move half of a
 * wide pool.
 */
function mergeBatch(end: usize): void {
  let count: u32 = 0;
  for (let entry = batch; entry < end; entry += 8) {
    const key = load<u64>(entry);
    const row = rowOf(key);
    if (isLive(state(row)) && passes(row)) insertSorted(batch, count++, key);
    else if (detourCount < detoursMax) pushHeap(detours, detourCount++, key);
  }
  if (count == 0) return;
  let kept = poolCount;
  // What falls out of a full pool is the last of both.
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

/** What a key has to be below to enter the pool. */
// @ts-ignore: decorator
@inline export function poolBound(): u64 { return poolCount < poolMax ? NO_KEY : poolKey(poolMax - 1); }

// @ts-ignore: decorator
@inline export function beatsPool(key: u64): bool { return poolCount < poolMax || key < poolKey(poolMax - 1); }

function offer(row: u32, key: u64): void {
  if (!beatsPool(key)) return;
  if (isLive(state(row)) && passes(row)) insertIntoPool(key);
  else if (detourCount < detoursMax) pushHeap(detours, detourCount++, key);
}

/** The nearest unexpanded candidate, marked as expanded; NO_KEY when the walk is over. */
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

/**
 * Adds the neighbours that this walk has not met to the batch, from `last` on; returns the batch's new end. Which of them are new cannot be
 * guessed, so nothing here branches on it: each is written, and the next one over it unless it counts.
 */
function gather(row: u32, level: u32, last: usize): usize {
  if (level > 0 && level > load<u8>(levelOf(row))) return last;
  const links = linksOf(row, level);
  const end = links + (linkCount(links) << 2);
  const bound = visitedRows;
  for (let link = links; link < end; link += 4) {
    const neighbour = load<u32>(link, 4);
    // A row put after this search set out: nothing that it must find.
    if (neighbour >= bound) continue;
    store<u32>(last, neighbour);
    last += u32(visit(neighbour)) << 3;
  }
  return last;
}

/**
 * Turns the rows of the batch into pairs of half a key and an address, and asks for what lies there. Apart from what comes before: no load waits for a wrong guess. And
 * in a loop that does nothing else: the fewer instructions are between two loads, the more of these the processor has under way. Among 340,000 GloVe-100 vectors searches take a fifth less than
 * where addresses are found in the same loop.
 */
export function prefetchBatch(end: usize): void {
  nameBatch(end);
  prefetchPoints(end);
}

/** Asks for the points that the batch has the addresses of. */
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

/** Points that are no longer than two lines; of one that begins late in its first, the line between may be missing. */
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

/** Turns each address of the batch into its nearness, and thus each pair into a key. `from` is what `setQuery` was called with last. */
export function measureBatch(from: usize, end: usize): void {
  if (!inFours()) {
    for (let entry = batch; entry < end; entry += 8) store<u32>(entry, nearness(from, load<u32>(entry, 4)), 4);
    return;
  }
  // Whole fours, the last of them filled up with any.
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

/** Measures the batch and keeps the keys that come before the last of a full pool, again without branches. */
function chooseFromBatch(end: usize, from: usize): usize {
  prefetchBatch(end);
  measureBatch(from, end);
  const bound = poolBound();
  let last = batch;
  for (let entry = batch; entry < end; entry += 8) {
    const key = load<u64>(entry);
    store<u64>(last, key);
    last += u32(key < bound) << 3;
  }
  return last;
}

export function dropFromPool(row: u32): void {
  let kept: u32 = 0;
  for (let i: u32 = 0; i < poolCount; i++) {
    const key = poolKey(i);
    if (rowOf(key) != row) store<u64>(pool + (kept++ << 3), key);
  }
  poolCount = kept;
}

/** Keeps the nearest `count` keys, which is then also all that the pool takes. */
export function truncatePool(count: u32): void {
  poolCount = min(poolCount, count);
  poolMax = count;
}

/** Lets the pool take `more` keys beside those that it has. */
export function widenPool(more: u32): void {
  poolMax = poolCount + more;
}

/** What a walk through an empty graph leaves. */
export function walkNowhere(ef: u32): void {
  clearVisited();
  emptyPool(ef);
}

/** Leaves the rows marked that are. */
export function emptyPool(ef: u32): void {
  poolCount = detourCount = cursor = 0;
  poolMax = reach = ef;
}

/** Asks for the links of the candidate that comes next as things stand. */
function prefetchNext(level: u32): void {
  if (level > 0) return;
  let left = EXPANSION_BATCH;
  for (let next = cursor; next < poolCount && left > 0; next++) {
    const key = poolKey(next);
    if ((key & 1) != 0) continue;
    prefetchLinks(rowOf(key));
    left--;
  }
}

function offerBatch(end: usize): void {
  for (let entry = batch; entry < end; entry += 8) {
    const key = load<u64>(entry);
    offer(rowOf(key), key);
  }
}

/** Fills the pool with the `ef` nearest rows of a level that may be answered. Only the nearest `expanded` of them are looked behind. */
export function walk(entry: u32, level: u32, ef: u32, expanded: u32, from: usize): void {
  walkNowhere(ef);
  reach = expanded;
  setQuery(from);
  visit(entry);
  offer(entry, keyOf(nearness(from, pointOf(entry)), entry));
  for (;;) {
    const key = nextCandidate();
    if (key == NO_KEY) return;
    let last = gather(rowOf(key), level, batch);
    for (let more: u32 = 1; more < EXPANSION_BATCH; more++) {
      const next = nextCandidate();
      if (next == NO_KEY) break;
      last = gather(rowOf(next), level, last);
    }
    prefetchNext(level);
    const end = chooseFromBatch(last, from);
    if (poolCount >= MERGED_FROM) mergeBatch(end);
    else offerBatch(end);
  }
}

/** The row that greedy steps reach from `entry`, going down from level `top` to `bottom` inclusive. */
export function descend(entry: u32, top: u32, bottom: u32, from: usize): u32 {
  if (top < bottom) return entry;
  setQuery(from);
  let row = entry;
  let nearest = nearness(from, pointOf(row));
  // What has been met at one level was not nearer than where the walk stands, so it need not be met again below.
  clearVisited();
  visit(row);
  for (let level = top; level >= bottom; level--) {
    for (let moved = true; moved; ) {
      moved = false;
      const end = gather(row, level, batch);
      prefetchBatch(end);
      measureBatch(from, end);
      for (let at = batch; at < end; at += 8) {
        const key = load<u64>(at);
        if (orderIn(key) >= nearest) continue;
        nearest = orderIn(key);
        row = rowOf(key);
        moved = true;
      }
    }
  }
  return row;
}
