/** What readers ask. Each answer is left at `answerAddress`: pairs of row and distance, nearest first. */
import { encode } from './codes';
import { distance } from './distance';
import { enter, leave } from './epochs';
import { passingShareAround, walkFiltered } from './filtered-walk';
import { distanceOf, keyOf, orderOf, pushHeap, replaceLeast, rowOf } from './keys';
import {
  BLOCK_COUNT, ENTRY, INDEXED, LINKED, NO_ROW, PENDING, ROW_BOUND, blockMask, blockPending, blockShift, blockStates, blockTransit, codeStride,
  isLive, state, stride, vectorOf, versionOf,
} from './layout';
import { chooseMeasure, coded, measureVectors } from './measure';
import { insertSorted } from './neighbours';
import { touch } from './touch';
import { beatsPool, descend, insertIntoPool, passes, poolCount, poolKey, setFilter, truncatePool, walk, walkNowhere } from './walk';
import { input, pool, preparePool, prepareInput, prepareQuery, prepareWalk, query, visit, visitedRows } from './workspace';

/** Answers are counts; this one says that the space's bound left no room for scratch memory. */
export const NO_ROOM: i32 = -1;

/** Where the caller puts the query vector, or 0 where there is no room. */
export function queryAddress(): usize {
  return prepareQuery(stride + codeStride) ? query : 0;
}

/** Where the caller puts `bytes` of filter bits or rows, or 0 where there is no room. */
export function inputAddress(bytes: u32): usize {
  return prepareInput(bytes) ? input : 0;
}

export function answerAddress(): usize {
  return pool;
}

// @ts-ignore: decorator
@inline export function keyOfRow(row: u32): u64 { return keyOf(orderOf(distance(query, vectorOf(row))), row); }

/**
 * Nearest `k` of the graph with beam width `ef` and of the rows that it does not hold yet, with the filter's bits in the input where it is
 * filtered. As many as `rescored` are measured by their vectors after a walk on codes; with 0 the walk is on the vectors.
 */
export function search(k: u32, ef: u32, filtered: bool, filterRows: u32, rescored: u32): i32 {
  enter();
  const found = searchEntered(k, ef, filtered, filterRows, rescored);
  leave();
  return found;
}

function searchEntered(k: u32, ef: u32, filtered: bool, filterRows: u32, rescored: u32): i32 {
  // In this order, so that the bound includes the entry.
  const entry = atomic.load<u64>(ENTRY);
  const rowBound = atomic.load<u32>(ROW_BOUND);
  if (rowBound == 0) return 0;
  chooseMeasureFor(rescored);
  if (coded) ef = max(ef, min(rescored, rowBound));
  if (!prepareWalk(rowBound, false) || !preparePool(ef)) return NO_ROOM;
  setFilter(filtered ? input : 0, filterRows);
  if (<u32>entry == NO_ROW) walkNowhere(ef);
  else walkFrom(<u32>entry, <u32>(entry >> 32), ef, filtered);
  if (coded) rescore(rescored);
  truncatePool(k);
  scanPending();
  return unpack(poolCount);
}

/** The share of rows that pass the filter in the input, among those of the graph around the query; 1 where there are none. */
export function passingShare(filterRows: u32): f64 {
  enter();
  const entry = atomic.load<u64>(ENTRY);
  const rowBound = atomic.load<u32>(ROW_BOUND);
  chooseMeasure();
  let share: f64 = 1;
  if (<u32>entry != NO_ROW && prepareWalk(rowBound, false)) {
    setFilter(input, filterRows);
    share = passingShareAround(descend(<u32>entry, <u32>(entry >> 32), 1, preparedPoint()));
  }
  leave();
  return share;
}

export function chooseMeasureFor(rescored: u32): void {
  if (rescored == 0) measureVectors();
  else chooseMeasure();
}

/** The query as the walk compares it. */
export function preparedPoint(): usize {
  if (!coded) return query;
  encode(query, query + stride);
  return query + stride;
}

function walkFrom(entry: u32, level: u32, ef: u32, filtered: bool): void {
  const point = preparedPoint();
  const start = descend(entry, level, 1, point);
  if (filtered) walkFiltered(start, ef, point);
  else walk(start, 0, ef, point);
}

/** Codes have chosen who comes into question; the vectors decide. Sorts the nearest `limit` by true distance and drops the others. */
export function rescore(limit: u32): void {
  truncatePool(limit);
  for (let i: u32 = 0; i < poolCount; i++) touch(vectorOf(rowOf(poolKey(i))), stride);
  for (let i: u32 = 0; i < poolCount; i++) insertSorted(pool, i, keyOfRow(rowOf(poolKey(i))));
}

/**
 * Offers every row that the graph may not have shown. A row's counters rise before and fall after its change of state, and a
 * LINKED row becomes INDEXED only when readers that set out before it was linked have left: none drops out of view.
 */
function scanPending(): void {
  const blocks = atomic.load<u32>(BLOCK_COUNT);
  for (let block: u32 = 0; block < blocks; block++) {
    if (atomic.load<u32>(blockPending(block)) == 0 && atomic.load<u32>(blockTransit(block)) == 0) continue;
    const states = blockStates(block);
    const first = block << blockShift;
    for (let i: u32 = 0; i <= blockMask; i++) {
      const rowState: u32 = atomic.load<u8>(states + i);
      if (rowState != PENDING && rowState != LINKED) continue;
      const row = first + i;
      if (row >= visitedRows || !passes(row) || !visit(row)) continue;
      const key = keyOfRow(row);
      if (beatsPool(key)) insertIntoPool(key);
    }
  }
}

/** Exact nearest `k` in [fromRow, toRow); the filter's bits, where given, begin at the word of `fromRow`. */
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
    if (isLive(state(row))) count = keepNearest(row, count, k);
  }
  leave();
  return unpack(sortNearest(count));
}

/** Exact nearest `k` of the `count` rows in the input. */
export function scanRows(k: u32, rowCount: u32): i32 {
  if (!preparePool(k)) return NO_ROOM;
  enter();
  let count: u32 = 0;
  const end = atomic.load<u32>(ROW_BOUND);
  for (let i: u32 = 0; i < rowCount; i++) {
    const row = load<u32>(input + (i << 2));
    if (row < end && isLive(state(row))) count = keepNearest(row, count, k);
  }
  leave();
  return unpack(sortNearest(count));
}

/** Exact nearest `k` of the rows whose version is above `version`: what was put while a longer answer was gathered. */
export function scanNewer(k: u32, version: f64): i32 {
  if (!preparePool(k)) return NO_ROOM;
  enter();
  let count: u32 = 0;
  const end = atomic.load<u32>(ROW_BOUND);
  for (let first: u32 = 0; first < end; first += blockMask + 1) {
    const versions = versionOf(first);
    const rows = min<u32>(blockMask + 1, end - first);
    for (let i: u32 = 0; i < rows; i++) {
      if (load<f64>(versions + (i << 3)) > version && isLive(state(first + i))) count = keepNearest(first + i, count, k);
    }
  }
  leave();
  return unpack(sortNearest(count));
}

/** The nearest so far are a max-heap: a min-heap of complemented keys. Returns its new count. */
function keepNearest(row: u32, count: u32, k: u32): u32 {
  const key = ~keyOfRow(row);
  if (count < k) {
    pushHeap(pool, count, key);
    return count + 1;
  }
  if (key > load<u64>(pool)) replaceLeast(pool, count, key);
  return count;
}

/** Turns the max-heap into sorted keys, by heapsort. */
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

/** Turns the first `count` keys into pairs of row and distance, in place. */
export function unpack(count: u32): i32 {
  for (let i: u32 = 0; i < count; i++) {
    const at = pool + (i << 3);
    const key = load<u64>(at);
    store<u32>(at, rowOf(key));
    store<f32>(at, distanceOf(key), 4);
  }
  return count;
}
