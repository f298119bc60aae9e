/**
 * The walk through the graph: algorithms 2 and 5 of Malkov and Yashunin, arXiv 1603.09320. The paper's two heaps become one
 * sorted pool of the `ef` nearest accepted rows, whose unexpanded keys are the candidates, and a heap of detours: rows that
 * lead on but may not be answered. The walk ends when the nearest candidate of both is farther than the worst of a full pool.
 */
import { codeOrder, codeOrders } from './code-distance';
import { distance } from './distance';
import { keyOf, orderIn, orderOf, pushHeap, replaceLeast, rowOf } from './keys';
import { baseLinkBytes, baseLinksOf, codeStride, isLive, levelOf, linksOf, state, stride } from './layout';
import { coded, nearness, pointOf } from './measure';
import { touch } from './touch';
import { batch, clearVisited, detours, detoursMax, pool, visit, visitedRows } from './workspace';

export const NO_KEY: u64 = 0xffffffffffffffff;

export let poolCount: u32 = 0;
let poolMax: u32 = 0;
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

/** Links have to be there before the points that they lead to can be asked for. */
function touchLinks(row: u32): void {
  touch(baseLinksOf(row), baseLinkBytes);
}

/** Puts a key that belongs there into the sorted pool; the last key of a full pool falls out. */
export function insertIntoPool(key: u64): void {
  // Binary search without branches, which would be guessed wrong half of the time.
  let low: u32 = 0;
  for (let count = poolCount; count > 0; ) {
    const half = (count + 1) >> 1;
    low = select<u32>(low + half, low, poolKey(low + half - 1) < key);
    count -= half;
  }
  if (poolCount < poolMax) poolCount++;
  const place = pool + (low << 3);
  let end = pool + (poolCount << 3);
  for (; end >= place + 24; end -= 16) v128.store(end - 16, v128.load(end - 24));
  if (end >= place + 16) store<u64>(end - 8, load<u64>(end - 16));
  store<u64>(place, key);
  if (low > cursor) return;
  cursor = low;
  touchLinks(rowOf(key));
}

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
  const inPool = cursor < poolCount ? poolKey(cursor) : NO_KEY;
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

/** Puts the neighbours that this walk has not met into the batch, as pairs of half a key and an address; returns the batch's end. */
function gather(row: u32, level: u32): usize {
  if (level > 0 && level > load<u8>(levelOf(row))) return batch;
  const links = linksOf(row, level);
  const end = links + (atomic.load<u32>(links) << 2);
  let last = batch;
  for (let link = links; link < end; link += 4) {
    const neighbour = load<u32>(link, 4);
    // A row put after this search set out: nothing that it must find.
    if (neighbour >= visitedRows || !visit(neighbour)) continue;
    store<u32>(last, neighbour);
    last += 8;
  }
  touchBatch(last);
  return last;
}

/** Turns the rows of the batch into pairs of half a key and an address. Apart from the branches before it: no load waits for a wrong guess. */
export function touchBatch(end: usize): void {
  const bytes = coded ? codeStride : stride;
  for (let entry = batch; entry < end; entry += 8) {
    const row = load<u32>(entry);
    const point = pointOf(row);
    touch(point, bytes);
    store<u32>(entry, row << 1);
    store<u32>(entry, <u32>point, 4);
  }
}

/** Turns each address of the batch into its nearness, and thus each pair into a key. */
export function measureBatch(from: usize, end: usize): void {
  let entry = batch;
  if (!coded) {
    for (; entry < end; entry += 8) store<u32>(entry, orderOf(distance(from, load<u32>(entry, 4))), 4);
    return;
  }
  for (; entry + 32 <= end; entry += 32) {
    const orders = codeOrders(from, load<u32>(entry, 4), load<u32>(entry, 12), load<u32>(entry, 20), load<u32>(entry, 28));
    store<u32>(entry, i32x4.extract_lane(orders, 0), 4);
    store<u32>(entry, i32x4.extract_lane(orders, 1), 12);
    store<u32>(entry, i32x4.extract_lane(orders, 2), 20);
    store<u32>(entry, i32x4.extract_lane(orders, 3), 28);
  }
  for (; entry < end; entry += 8) store<u32>(entry, codeOrder(from, load<u32>(entry, 4)), 4);
}

/** Offers the neighbours that this walk has not met. */
function expand(row: u32, level: u32, from: usize): void {
  const end = gather(row, level);
  measureBatch(from, end);
  for (let entry = batch; entry < end; entry += 8) {
    const key = load<u64>(entry);
    offer(rowOf(key), key);
  }
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

/** What a walk through an empty graph leaves. */
export function walkNowhere(ef: u32): void {
  clearVisited();
  poolCount = detourCount = cursor = 0;
  poolMax = ef;
}

/** Asks for the links of the candidate that comes next as things stand. */
function touchNext(level: u32): void {
  if (level > 0) return;
  let next = cursor;
  while (next < poolCount && (poolKey(next) & 1) != 0) next++;
  if (next < poolCount) touchLinks(rowOf(poolKey(next)));
}

/** Fills the pool with the `ef` nearest rows of a level that may be answered. */
export function walk(entry: u32, level: u32, ef: u32, from: usize): void {
  walkNowhere(ef);
  visit(entry);
  offer(entry, keyOf(nearness(from, pointOf(entry)), entry));
  for (;;) {
    const key = nextCandidate();
    if (key == NO_KEY) return;
    touchNext(level);
    expand(rowOf(key), level, from);
  }
}

/** The row that greedy steps reach from `entry`, going down from level `top` to `bottom` inclusive. */
export function descend(entry: u32, top: u32, bottom: u32, from: usize): u32 {
  if (top < bottom) return entry;
  let row = entry;
  let nearest = nearness(from, pointOf(row));
  // What has been met at one level was not nearer than where the walk stands, so it need not be met again below.
  clearVisited();
  visit(row);
  for (let level = top; level >= bottom; level--) {
    for (let moved = true; moved; ) {
      moved = false;
      const end = gather(row, level);
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
