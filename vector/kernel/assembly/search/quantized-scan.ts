// SPDX-License-Identifier: Apache-2.0
/**
 * The quantized flat scan: compares all rows of a range by their codes and rescores the nearest by their vectors. It reads a quarter of the
 * memory of an exact scan. Pending rows have no code yet. They are marked first and compared by their vectors last, so that a row that is
 * linked meanwhile is neither missed nor found twice.
 */
import { coded, comparedBytes, pointOf, setQuery } from '../distance/measure';
import { rowOf } from '../memory/keys';
import {
  INDEXED, LINKED, PENDING, PENDING_COUNT, ROW_BOUND, blockMask, blockPending, blockShift, isLive, releasesVectors, state,
} from '../memory/layout';
import { batch, batchRows, input, isVisited, preparePool, prepareWalk, visit } from '../memory/workspace';
import { enter, leave } from '../threads/epochs';
import { measureBatch, prefetchBatch, prefetchPoints } from '../walk/batch';
import { beatsPool, beginWalk, insertIntoPool, poolBound, poolCount } from '../walk/pool';
import { scan, scanRows } from './exact';
import { NO_ROOM, chooseMeasureFor, keyOfRow, limitAnswer, preparedPoint, rescore, unpack } from './search';

/** The nearest `k` in [fromRow, toRow), with few misses. The filter's bits, if any, begin at the word of `fromRow`. */
export function scanQuantized(k: u32, fromRow: u32, toRow: u32, filtered: bool, rescored: u32, least: u32): i32 {
  enter();
  chooseMeasureFor(rescored);
  const found = coded ? scanQuantizedEntered(k, fromRow, min(toRow, atomic.load<u32>(ROW_BOUND)), filtered, rescored, least) : 0;
  leave();
  return coded ? found : scan(k, fromRow, toRow, filtered);
}

function scanQuantizedEntered(k: u32, fromRow: u32, end: u32, filtered: bool, rescored: u32, least: u32): i32 {
  if (!prepareWalk(atomic.load<u32>(ROW_BOUND), false) || !preparePool(rescored + (releasesVectors ? k : 0))) return NO_ROOM;
  beginWalk(rescored);
  const hasPending = markPending(fromRow, end);
  const from = preparedPoint();
  setQuery(from);
  const bytes = comparedBytes();
  const step: u32 = min<u32>(32, blockMask + 1);
  const full = batch + ((batchRows() - step) << 3);
  let last = batch;
  for (let first = fromRow & ~(step - 1); first < end; first += step) {
    let bits = bitsOf(first, step, fromRow, end, filtered);
    if (bits == 0) continue;
    const points = pointOf(first);
    for (; bits != 0; bits &= bits - 1) {
      const i = ctz(bits);
      store<u32>(last, (first + i) << 1);
      store<u32>(last, <u32>points + i * bytes, 4);
      last += 8;
    }
    if (last <= full) continue;
    prefetchPoints(last);
    offerBatch(last, from, hasPending);
    last = batch;
  }
  prefetchPoints(last);
  offerBatch(last, from, hasPending);
  rescore(rescored, least, rescored);
  limitAnswer(k);
  if (hasPending) offerMarked(fromRow, end, filtered);
  return unpack(poolCount);
}

/** The same among the `rowCount` distinct rows in the input. */
export function scanRowsQuantized(k: u32, rowCount: u32, rescored: u32, least: u32): i32 {
  enter();
  chooseMeasureFor(rescored);
  const found = coded ? scanRowsQuantizedEntered(k, rowCount, rescored, least) : 0;
  leave();
  return coded ? found : scanRows(k, rowCount);
}

function scanRowsQuantizedEntered(k: u32, rowCount: u32, rescored: u32, least: u32): i32 {
  const bound = atomic.load<u32>(ROW_BOUND);
  if (!prepareWalk(bound, false) || !preparePool(rescored + (releasesVectors ? k : 0))) return NO_ROOM;
  beginWalk(rescored);
  const end = input + (rowCount << 2);
  const hasPending = atomic.load<u32>(PENDING_COUNT) != 0 && markPendingRows(end, bound);
  const from = preparedPoint();
  setQuery(from);
  const portion = batchRows() << 2;
  for (let first = input; first < end; first += portion) {
    let last = batch;
    for (let at = first, portionEnd = min(first + portion, end); at < portionEnd; at += 4) {
      const row = load<u32>(at);
      store<u32>(last, row);
      last += (<usize>u32(row < bound)) << 3;
    }
    prefetchBatch(last);
    offerBatch(last, from, hasPending);
  }
  rescore(rescored, least, rescored);
  limitAnswer(k);
  for (let at = input; hasPending && at < end; at += 4) {
    const row = load<u32>(at);
    if (row < bound && isVisited(row)) offerByVector(row);
  }
  return unpack(poolCount);
}

/** Marks the pending ones of the rows. Returns false where there are none. */
function markPendingRows(end: usize, bound: u32): bool {
  let hasPending = false;
  for (let at = input; at < end; at += 4) {
    const row = load<u32>(at);
    if (row >= bound || state(row) != PENDING) continue;
    visit(row);
    hasPending = true;
  }
  return hasPending;
}

/** The first row from `row` on that passes the filter; after the last one, `end` or more. */
// @ts-ignore: decorator
@inline function next(row: u32, fromRow: u32, end: u32, filtered: bool): u32 {
  if (!filtered) return row;
  const base = fromRow & ~31;
  while (row < end) {
    const bits = load<u32>(input + (((row - base) >> 5) << 2)) >> (row & 31);
    if (bits != 0) return row + ctz(bits);
    row = (row | 31) + 1;
  }
  return row;
}

/** Bits of the `count` rows from `first` on, a power of two, that are in the range and pass the filter. */
// @ts-ignore: decorator
@inline function bitsOf(first: u32, count: u32, fromRow: u32, end: u32, filtered: bool): u32 {
  let bits: u32 = filtered ? load<u32>(input + (((first >> 5) - (fromRow >> 5)) << 2)) >> (first & 31) : 0xffffffff;
  if (first < fromRow) bits &= 0xffffffff << (fromRow - first);
  count = min(count, end - first);
  return count < 32 ? bits & ((1 << count) - 1) : bits;
}

/** Marks pending rows. Returns false where there are none. */
function markPending(fromRow: u32, end: u32): bool {
  let hasPending = false;
  for (let row = fromRow; row < end; ) {
    const block = row >> blockShift;
    const blockEnd = min((block + 1) << blockShift, end);
    if (atomic.load<u32>(blockPending(block)) == 0) {
      row = blockEnd;
      continue;
    }
    for (; row < blockEnd; row++) {
      if (state(row) != PENDING) continue;
      visit(row);
      hasPending = true;
    }
  }
  return hasPending;
}

/**
 * Checks only the few rows that are near enough whether they are in the graph: checking all of them would take longer than some superfluous
 * comparisons.
 */
function offerBatch(end: usize, from: usize, hasPending: bool): void {
  measureBatch(from, end);
  let bound = poolBound();
  for (let entry = batch; entry < end; entry += 8) {
    const key = load<u64>(entry);
    if (key >= bound || !isScanned(rowOf(key), hasPending)) continue;
    insertIntoPool(key);
    bound = poolBound();
  }
}

/** Whether the row has a code and is not marked. Rows that were pending when the scan began are compared last. */
function isScanned(row: u32, hasPending: bool): bool {
  const rowState = state(row);
  return (rowState == INDEXED || rowState == LINKED) && !(hasPending && isVisited(row));
}

function offerMarked(fromRow: u32, end: u32, filtered: bool): void {
  for (let row = next(fromRow, fromRow, end, filtered); row < end; row = next(row + 1, fromRow, end, filtered)) {
    if (isVisited(row)) offerByVector(row);
  }
}

function offerByVector(row: u32): void {
  if (!isLive(state(row))) return;
  const key = keyOfRow(row);
  if (beatsPool(key)) insertIntoPool(key);
}
