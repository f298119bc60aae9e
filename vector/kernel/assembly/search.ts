/** What readers ask. Each answer is left at `answerAddress`: pairs of row and distance, nearest first. */
import { descendFor, walkFilteredFor, walkFor } from './approach';
import { distance } from './distance';
import { enter, leave } from './epochs';
import { passingShareAround } from './filtered-walk';
import { distanceOf, keyOf, orderIn, orderOf, rowOf } from './keys';
import {
  BLOCK_COUNT, ENTRY, INDEXED, LINKED, MARGIN, NO_ROW, PENDING, ROW_BOUND, blockMask, blockPending, blockShift, blockStates, blockTransit,
  isLive, isReduced, isShifted, pointBytes, releasesVectors, sketchStride, state, stride, vectorOf,
} from './layout';
import { chooseMeasure, coded, laidOutBytes, layOut, measureVectors, sketched } from './measure';
import { insertSorted } from './neighbours';
import { sketch } from './sketch';
import { touch } from './touch';
import { beatsPool, insertIntoPool, passes, poolCount, poolKey, setFilter, truncatePool, walkNowhere, widenPool } from './walk';
import { input, pool, preparePool, prepareInput, prepareQuery, prepareWalk, query, visit, visitedRows } from './workspace';

// Answers are counts; these say why there is none.
/** The space's bound left no room for scratch memory. */
export const NO_ROOM: i32 = -1;
/** A vector has been released: whoever has the originals must look at them. */
export const RELEASED: i32 = -2;

/** The order of a row whose vector has been released: before all others, and as a distance "not a number", which no distance is. */
const UNMEASURED: u32 = 0;
/** As many more keys as rows that are wanted, up to this many: a trial finds the nearest ten among the first twenty. */
const SKETCHED_MORE: u32 = 20;

/** Where the caller puts the query vector, or 0 where there is no room. */
export function queryAddress(): usize {
  return prepareQuery(stride + laidOutBytes() + sketchStride) ? query : 0;
}

/** Where the caller puts `bytes` of filter bits or rows, or 0 where there is no room. */
export function inputAddress(bytes: u32): usize {
  return prepareInput(bytes) ? input : 0;
}

export function answerAddress(): usize {
  return pool;
}

// @ts-ignore: decorator
@inline export function isUnmeasured(key: u64): bool { return orderIn(key) == UNMEASURED; }

/** What the row's vector says, or `UNMEASURED`. */
export function keyOfRow(row: u32): u64 {
  const vector = vectorOf(row);
  return keyOf(vector == 0 ? UNMEASURED : orderOf(distance(query, vector)), row);
}

/**
 * Nearest `k` of the graph with beam width `ef` and of the rows that it does not hold yet, with the filter's bits in the input where it is
 * filtered, and behind them `named` rows that the walk begins at, too. As many as `rescored` are measured by their vectors after a walk on codes, or fewer, but at least `least`, where reduced codes leave no doubt; with 0 the walk is on the vectors.
 * Where vectors are released, rows whose vectors were come first, up to `rescored` of them and with "not a number" for a distance.
 */
export function search(k: u32, ef: u32, filtered: bool, filterRows: u32, rescored: u32, least: u32, named: u32): i32 {
  enter();
  const found = searchEntered(k, ef, filtered, filterRows, rescored, least, named);
  leave();
  return found;
}

function searchEntered(k: u32, ef: u32, filtered: bool, filterRows: u32, rescored: u32, least: u32, named: u32): i32 {
  // In this order, so that the bound includes the entry.
  const entry = atomic.load<u64>(ENTRY);
  const rowBound = atomic.load<u32>(ROW_BOUND);
  if (rowBound == 0) return 0;
  chooseMeasureFor(rescored);
  if (coded) ef = max(ef, min(widthFor(rescored), rowBound));
  if (!prepareWalk(rowBound, false) || !preparePool(releasesVectors ? max(ef, rescored + k) : ef)) return NO_ROOM;
  setFilter(filtered ? input : 0, filterRows);
  if (<u32>entry == NO_ROW) walkNowhere(ef);
  else walkFrom(<u32>entry, <u32>(entry >> 32), ef, filtered, named);
  if (coded) rescore(rescored, least);
  limitAnswer(k);
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
    share = passingShareAround(descendFor(preparedPoint(), preparedSketch(), <u32>entry, <u32>(entry >> 32), 1));
  }
  leave();
  return share;
}

export function chooseMeasureFor(rescored: u32): void {
  if (rescored == 0 && !releasesVectors) measureVectors();
  else chooseMeasure();
}

/** Keys that a pool needs in which `rescored` are to be measured by their vectors: sketches bring the nearest among some more. */
export function widthFor(rescored: u32): u32 {
  return sketched ? rescored + min(rescored, SKETCHED_MORE) : rescored;
}

/** The query as the walk compares it. */
export function preparedPoint(): usize {
  if (!coded) return query;
  const point = layOut(query, query + stride);
  if (sketched) sketch(point, preparedSketch());
  return point;
}

/** Where the query's sketch is. */
// @ts-ignore: decorator
@inline export function preparedSketch(): usize { return query + stride + pointBytes; }

function walkFrom(entry: u32, level: u32, ef: u32, filtered: bool, named: u32): void {
  const point = preparedPoint();
  const start = descendFor(point, preparedSketch(), entry, level, 1);
  if (filtered) walkFilteredFor(point, preparedSketch(), start, ef, named);
  else walkFor(point, preparedSketch(), start, 0, ef, ef);
}

/**
 * Codes have chosen who comes into question; the vectors decide. Sorts the nearest `limit` by true distance and drops the others. Beyond the nearest `least`, those are
 * left out that reduced codes say are farther by more than such codes err: most of the time of a search with long vectors is spent here. Bytes are measured so quickly that this would save nothing.
 */
export function rescore(limit: u32, least: u32): void {
  truncatePool(limit);
  if (isReduced && !isShifted && least < poolCount) {
    const bound = <u64>orderIn(poolKey(least - 1)) + load<u32>(MARGIN);
    let count = least;
    while (count < poolCount && <u64>orderIn(poolKey(count)) <= bound) count++;
    truncatePool(count);
  }
  for (let i: u32 = 0; i < poolCount; i++) touch(vectorOf(rowOf(poolKey(i))), stride);
  for (let i: u32 = 0; i < poolCount; i++) insertSorted(pool, i, keyOfRow(rowOf(poolKey(i))));
}

/** Which rows will be nearest is open as long as some are not measured: `k` more come beside those that have been chosen. */
export function limitAnswer(k: u32): void {
  if (releasesVectors && coded) widenPool(k);
  else truncatePool(k);
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
