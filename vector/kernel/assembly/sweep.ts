/**
 * All rows of a range, compared by their codes, of which the nearest are measured by their vectors: a scan that reads a quarter of the memory.
 * Rows that wait for the graph have no code yet. They are marked first and measured last, so that one that is linked meanwhile is neither
 * missed nor found twice.
 */
import { enter, leave } from './epochs';
import { INDEXED, LINKED, PENDING, ROW_BOUND, blockPending, blockShift, capacityAt, isLive, state } from './layout';
import { coded } from './measure';
import { NO_ROOM, chooseMeasureFor, keyOfRow, preparedPoint, rescore, scan, unpack } from './search';
import { beatsPool, insertIntoPool, measureBatch, poolCount, touchBatch, truncatePool, walkNowhere } from './walk';
import { batch, input, isVisited, preparePool, prepareWalk, visit } from './workspace';

/** Nearly always the nearest `k` in [fromRow, toRow); the filter's bits, where given, begin at the word of `fromRow`. */
export function sweep(k: u32, fromRow: u32, toRow: u32, filtered: bool, rescored: u32): i32 {
  enter();
  chooseMeasureFor(rescored);
  const found = coded ? sweepEntered(k, fromRow, min(toRow, atomic.load<u32>(ROW_BOUND)), filtered, rescored) : 0;
  leave();
  return coded ? found : scan(k, fromRow, toRow, filtered);
}

function sweepEntered(k: u32, fromRow: u32, end: u32, filtered: bool, rescored: u32): i32 {
  if (!prepareWalk(atomic.load<u32>(ROW_BOUND), false) || !preparePool(rescored)) return NO_ROOM;
  walkNowhere(rescored);
  const hasPending = markPending(fromRow, end);
  const point = preparedPoint();
  const full = batch + (capacityAt(0) << 3);
  let last = batch;
  for (let row = next(fromRow, fromRow, end, filtered); row < end; row = next(row + 1, fromRow, end, filtered)) {
    const rowState = state(row);
    if ((rowState != INDEXED && rowState != LINKED) || (hasPending && isVisited(row))) continue;
    store<u32>(last, row);
    last += 8;
    if (last < full) continue;
    offerBatch(last, point);
    last = batch;
  }
  offerBatch(last, point);
  rescore(rescored);
  truncatePool(k);
  if (hasPending) offerMarked(fromRow, end, filtered);
  return unpack(poolCount);
}

/** The first row from `row` on that the filter lets pass; beyond the last one, `end` or more. */
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

/** Marks rows that wait for the graph; false where there are none. */
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

function offerBatch(end: usize, from: usize): void {
  touchBatch(end);
  measureBatch(from, end);
  for (let entry = batch; entry < end; entry += 8) {
    const key = load<u64>(entry);
    if (beatsPool(key)) insertIntoPool(key);
  }
}

function offerMarked(fromRow: u32, end: u32, filtered: bool): void {
  for (let row = next(fromRow, fromRow, end, filtered); row < end; row = next(row + 1, fromRow, end, filtered)) {
    if (!isVisited(row) || !isLive(state(row))) continue;
    const key = keyOfRow(row);
    if (beatsPool(key)) insertIntoPool(key);
  }
}
