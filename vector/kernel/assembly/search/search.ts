// SPDX-License-Identifier: Apache-2.0
/** Searches of readers. Each answer is left at `answerAddress`: pairs of row and distance, nearest first. */
import { unitOfOrders } from '../codes/reduced/reduced-codes';
import { distance } from '../distance/distance';
import { chooseMeasure, coded, laidOutBytes, layOut, measureVectors } from '../distance/measure';
import { distanceOf, insertSorted, keyOf, orderIn, orderOf, rowOf } from '../memory/keys';
import {
  BLOCK_COUNT, ENTRY, LINKED, MARGIN, NO_ROW, PENDING, ROW_BOUND, blockMask, blockPending, blockShift, blockStates, blockTransit,
  isReduced, isShifted, releasesVectors, stride, vectorOf,
} from '../memory/layout';
import { prefetch } from '../memory/prefetch';
import { input, pool, prepareInput, preparePool, prepareQuery, prepareWalk, query, visit, visitedRows } from '../memory/workspace';
import { enter, leave } from '../threads/epochs';
import { passes, setFilter } from '../walk/filter';
import { passingShareAround, walkFiltered } from '../walk/filtered-walk';
import { beatsPool, beginWalk, insertIntoPool, poolCount, poolKey, truncatePool, widenPool } from '../walk/pool';
import { descend, walk } from '../walk/walk';

// Answers are counts; these say why there is none.
/** The bound of the space leaves no room for scratch memory. */
export const NO_ROOM: i32 = -1;
/** A vector has been released: the caller has to read the originals. */
export const RELEASED: i32 = -2;

/** The order of a row whose vector has been released: before all others. As a distance it is "not a number", which no distance is. */
const UNMEASURED: u32 = 0;

/**
 * Beyond the rows that are always rescored, a row is rescored if it may be near when its code errs by this many standard deviations. With
 * one, Fashion-MNIST images reach a recall of 0.954 instead of 0.947, and a search takes a twentieth more time.
 */
const DEVIATIONS: f64 = 0.5;
/** For the rows that were rescored last, the sum of the differences between distances and codes, and of their squares. */
let differences: f64 = 0;
let squares: f64 = 0;

/** Where the caller puts the query vector, or 0 where there is no room. */
export function queryAddress(): usize {
  return prepareQuery(stride + laidOutBytes()) ? query : 0;
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

/** The key of the row's vector, or of `UNMEASURED`. */
export function keyOfRow(row: u32): u64 {
  const vector = vectorOf(row);
  return keyOf(vector == 0 ? UNMEASURED : orderOf(distance(query, vector)), row);
}

/**
 * Nearest `k` of the graph with `ef` and of the pending rows, with the filter's bits in the input where it is filtered. After a walk by
 * codes, up to `rescored` rows are compared by their vectors, or fewer where reduced codes leave no doubt (see `rescore`); with 0 the walk
 * itself compares vectors. Where vectors are released, rows without a vector come first, up to `rescored` of them and with "not a number"
 * as their distance.
 */
export function search(k: u32, ef: u32, filtered: bool, filterRows: u32, rescored: u32, least: u32, sure: u32): i32 {
  enter();
  const found = searchEntered(k, ef, filtered, filterRows, rescored, least, sure);
  leave();
  return found;
}

function searchEntered(k: u32, ef: u32, filtered: bool, filterRows: u32, rescored: u32, least: u32, sure: u32): i32 {
  // In this order, so that the bound includes the entry.
  const entry = atomic.load<u64>(ENTRY);
  const rowBound = atomic.load<u32>(ROW_BOUND);
  if (rowBound == 0) return 0;
  chooseMeasureFor(rescored);
  const width = coded ? max(ef, min(rescored, rowBound)) : ef;
  if (!prepareWalk(rowBound, false) || !preparePool(releasesVectors ? max(width, rescored + k) : width)) return NO_ROOM;
  setFilter(filtered ? input : 0, filterRows);
  if (<u32>entry == NO_ROW) beginWalk(width);
  else walkFrom(<u32>entry, <u32>(entry >> 32), width, coded && isReduced ? max(ef, least) : width, filtered);
  if (coded) rescore(rescored, least, sure);
  limitAnswer(k);
  scanPending();
  return unpack(poolCount);
}

/** The share of rows that pass the filter in the input, among the rows of the graph around the query; 1 where there are none. */
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
  if (rescored == 0 && !releasesVectors) measureVectors();
  else chooseMeasure();
}

/** The query as the walk compares it. */
export function preparedPoint(): usize {
  return coded ? layOut(query, query + stride) : query;
}

/** Fills a pool of `width` keys. Rows that are there only to be rescored are not expanded: only the nearest `expanded` are. */
function walkFrom(entry: u32, level: u32, width: u32, expanded: u32, filtered: bool): void {
  const point = preparedPoint();
  const start = descend(entry, level, 1, point);
  if (filtered) walkFiltered(start, width, point);
  else walk(start, 0, width, expanded, point);
}

/**
 * Codes have chosen the candidates, vectors decide. Sorts the nearest `limit` by true distance and drops the others. Beyond the nearest
 * `least`, rows are skipped that reduced codes say are farther by more than such codes err: with long vectors, rescoring takes most of the
 * time of a search. Bytes are compared too quickly for this to pay. Beyond the nearest `sure`, the error of the codes around the query
 * decides.
 */
export function rescore(limit: u32, least: u32, sure: u32): void {
  truncatePool(limit);
  if (isReduced && !isShifted && least < poolCount) truncateBeyond(least, <f64>orderIn(poolKey(least - 1)) + <f64>load<u32>(MARGIN));
  if (!isReduced || isShifted || sure >= poolCount) {
    measureKeys(0, poolCount);
    return;
  }
  measureKeys(0, sure);
  truncateBeyond(sure, orderAtMost(least, sure));
  measureKeys(sure, poolCount);
}

/** Drops the keys whose order is above `order`, but keeps the nearest `kept`. */
function truncateBeyond(kept: u32, order: f64): void {
  let count = kept;
  // An order that is not a number drops nothing.
  while (count < poolCount && !(<f64>orderIn(poolKey(count)) > order)) count++;
  truncatePool(count);
}

/** Rescores these keys of the pool, all before which are rescored. Notes how much distances differ from codes. */
function measureKeys(from: u32, to: u32): void {
  const unit = isReduced ? unitOfOrders() : 0;
  for (let i = from; i < to; i++) prefetch(vectorOf(rowOf(poolKey(i))), stride);
  differences = squares = 0;
  for (let i = from; i < to; i++) {
    const key = poolKey(i);
    const measured = keyOfRow(rowOf(key));
    const difference = <f64>distanceOf(measured) * unit - <f64>orderIn(key);
    differences += difference;
    squares += difference * difference;
    insertSorted(pool, i, measured);
  }
}

/**
 * The order by codes up to which a row may be no farther than the `wanted`th of `count` rescored rows. What codes lose around the query is
 * distributed as for these rows. So more rows are rescored where codes err by more than rows differ, and none where codes tell them apart.
 */
function orderAtMost(wanted: u32, count: u32): f64 {
  const mean = differences / <f64>count;
  const deviation = Math.sqrt(max<f64>(0, squares / <f64>count - mean * mean));
  return <f64>distanceOf(poolKey(wanted - 1)) * unitOfOrders() - mean + deviation * DEVIATIONS;
}

/** Which rows are nearest is open until all are rescored: `k` more keys fit beside those that have been chosen. */
export function limitAnswer(k: u32): void {
  if (releasesVectors && coded) widenPool(k);
  else truncatePool(k);
}

/**
 * Offers every row that the graph may not have shown. A row's counters rise before and fall after its change of state, and a LINKED row
 * becomes INDEXED only when the readers have left that began before it was linked: so none is missed.
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

/** Replaces the first `count` keys by pairs of row and distance, in place. */
export function unpack(count: u32): i32 {
  for (let i: u32 = 0; i < count; i++) {
    const at = pool + (i << 3);
    const key = load<u64>(at);
    store<u32>(at, rowOf(key));
    store<f32>(at, distanceOf(key), 4);
  }
  return count;
}
