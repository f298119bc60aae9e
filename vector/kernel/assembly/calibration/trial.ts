// SPDX-License-Identifier: Apache-2.0
/**
 * The trial of codes on the rows themselves. Codes may change the order of near rows, but must not lose them: for some rows as queries,
 * nearly all of the nearest have to be among the rows that a search would rescore.
 */
import { isRecoded } from '../codes/encoding/recoded-rows';
import { distance } from '../distance/distance';
import { chooseMeasure, codeNearness, laidOutBytes, layOut } from '../distance/measure';
import { allocate } from '../memory/allocator';
import { keyOf, orderIn, orderOf, rowOf } from '../memory/keys';
import { PENDING, codeOf, dimension, hasCodebook, isLive, releasesVectors, state, vectorOf } from '../memory/layout';
import { clearVisited, isVisited, preparePool, prepareQuery, prepareWalk, query, visit } from '../memory/workspace';
import { beatsPool, emptyPool, insertIntoPool, poolCount, poolKey } from '../walk/pool';

const QUERIES: u32 = 50;
const WANTED: u32 = 10;
/** The share of the nearest that has to be found. Codes of one byte for each component reach 0.996 on GloVe-100, and 1 on Fashion-MNIST. */
const FOUND_MIN: f64 = 0.98;
/** The share that is enough where rescoring more rows would find more. */
const FOUND_ENOUGH: f64 = 0.995;
/**
 * Reduced codes err more the more they lose. On 69,000 Fashion-MNIST images codes of 128 bytes find 0.93 and codes of 256 bytes 0.98 of the
 * nearest, and searches with a recall of 0.95 take a quarter longer with the shorter codes.
 */
const MORE_BY_REDUCED: u32 = 3;
const FOUND_BY_REDUCED_MIN: f64 = 0.99;
/** Where vectors are released, codes are tried once, with few rows. The margin is multiplied by this to be safe. */
const STAYING_MARGIN: u32 = 3;
const ROWS_MIN: u32 = 1000;
/** Components that a trial reads, which bounds its time to about a tenth of a second. */
const COMPONENTS: u32 = 1 << 27;
/**
 * Product and binary codes are coarse compared with the distances between near rows, and these are larger among fewer rows. So more rows
 * take part, for about a second.
 */
const COMPONENTS_WITH_CODEBOOK: u32 = 1 << 31;

/**
 * For each query the number of wanted rows, the order of the farthest of them, and the rows; and the row bound that they are known for, or
 * 0.
 */
let truths: usize = 0;
let truthsBound: u32 = 0;

const TRUTH_BYTES: u32 = 8 + (WANTED << 2);

// @ts-ignore: decorator
@inline function truthOf(query: u32): usize { return truths + query * TRUTH_BYTES; }

/**
 * Begins trials of the rows that are now in `leastState` or a later state: PENDING where pending rows have codes or are about to get them,
 * otherwise LINKED. The rows are marked, because the writer goes on: a row that it puts has no code, and a row that it removes keeps its
 * vector until the indexer, which runs this, frees it.
 */
export function beginTrial(leastState: u32, rowBound: u32): void {
  truthsBound = 0;
  clearVisited();
  for (let row: u32 = 0; row < rowBound; row++) {
    const rowState = state(row);
    if (rowState >= leastState && isLive(rowState) && (rowState != PENDING || isRecoded(row))) visit(row);
  }
}

// @ts-ignore: decorator
@inline export function isInTrial(row: u32): bool { return isVisited(row); }

/** Makes room for a trial that rescores up to `most` rows for each wanted row. */
export function prepareTrial(rowBound: u32, most: u32): bool {
  if (truths == 0) truths = allocate(QUERIES * TRUTH_BYTES);
  return truths != 0 && preparePool(WANTED * most) && prepareWalk(rowBound, true) && prepareQuery(laidOutBytes());
}

/** One in so many rows takes part. */
export function trialStep(rowBound: u32): u32 {
  const components = hasCodebook ? COMPONENTS_WITH_CODEBOOK : COMPONENTS;
  return max<u32>(1, rowBound / max<u32>(ROWS_MIN, components / QUERIES / dimension));
}

/** Whether reduced codes find nearly all of the nearest among twice as many rows. Every row that takes part has a code. */
export function reducedCodesPass(rowBound: u32): bool {
  return foundAmong(rowBound, trialStep(rowBound), WANTED * 2) >= FOUND_BY_REDUCED_MIN;
}

/** Whether reduced codes find as many among few more rows than are wanted. Rescoring more rows takes longer than shorter codes save. */
export function reducedCodesPassStrictly(rowBound: u32): bool {
  return foundAmong(rowBound, trialStep(rowBound), WANTED + MORE_BY_REDUCED) >= FOUND_BY_REDUCED_MIN;
}

/** How many rows have to be rescored for each wanted row: 2, 4 and so on up to `most`; 0 where codes cannot tell neighbours apart. */
export function oversamplingNeeded(rowBound: u32, most: u32): u32 {
  chooseMeasure();
  const step = trialStep(rowBound);
  for (let needed: u32 = 2; needed < most; needed <<= 1) if (foundAmong(rowBound, step, WANTED * needed) >= FOUND_ENOUGH) return needed;
  return foundAmong(rowBound, step, WANTED * most) >= FOUND_MIN ? most : 0;
}

/**
 * How much farther than the last of the nearest by codes a true neighbour may be, in the order of codes. A search has to rescore that far.
 * Queries that are not rows may be farther from their neighbours, hence a surplus.
 */
export function marginOfCodes(rowBound: u32): u32 {
  const step = trialStep(rowBound);
  if (truthsBound != rowBound) findTruths(rowBound, step);
  let margin: u32 = 0;
  for (let i: u32 = 0; i < QUERIES; i++) {
    const count = load<u32>(truthOf(i));
    if (count == 0) continue;
    const point = gatherByCodes(queryRow(i, rowBound), rowBound, step, count);
    const last = orderIn(poolKey(poolCount - 1));
    for (let j: u32 = 0; j < count; j++) {
      const order = codeNearness(point, codeOf(load<u32>(truthOf(i) + (j << 2), 8)));
      if (order > last) margin = max(margin, order - last);
    }
  }
  return releasesVectors ? margin * STAYING_MARGIN : margin + (margin >> 1);
}

/** The share of the true nearest that is among the `measured` nearest by codes. */
function foundAmong(rowBound: u32, step: u32, measured: u32): f64 {
  if (truthsBound != rowBound) findTruths(rowBound, step);
  let wanted: u32 = 0;
  let found: u32 = 0;
  for (let i: u32 = 0; i < QUERIES; i++) {
    const most = load<u32>(truthOf(i));
    if (most == 0) continue;
    const row = queryRow(i, rowBound);
    gatherByCodes(row, rowBound, step, measured);
    const bound = load<u32>(truthOf(i), 4);
    let brought: u32 = 0;
    for (let j: u32 = 0; j < poolCount; j++) brought += u32(orderBetween(row, rowOf(poolKey(j))) <= bound);
    wanted += most;
    found += min(brought, most);
  }
  return wanted == 0 ? 1 : <f64>found / <f64>wanted;
}

/**
 * The first row of the query's share of the rows that takes part, or else its first row. Where rows come and go, few rows at fixed
 * distances would take part, and the result would be left to chance.
 */
function queryRow(index: u32, rowBound: u32): u32 {
  const first = <u32>((<u64>rowBound * index) / QUERIES);
  const end = <u32>((<u64>rowBound * (index + 1)) / QUERIES);
  for (let row = first; row < end; row++) if (isInTrial(row)) return row;
  return first;
}

/** Finds the true nearest by vectors. This takes longest, so codes of every length are compared with the same result. */
function findTruths(rowBound: u32, step: u32): void {
  for (let i: u32 = 0; i < QUERIES; i++) {
    const row = queryRow(i, rowBound);
    const truth = truthOf(i);
    store<u32>(truth, 0);
    if (!isInTrial(row)) continue;
    gatherByVectors(row, rowBound, step);
    store<u32>(truth, poolCount);
    if (poolCount > 0) store<u32>(truth, orderIn(poolKey(poolCount - 1)), 4);
    for (let j: u32 = 0; j < poolCount; j++) store<u32>(truth + (j << 2), rowOf(poolKey(j)), 8);
  }
  truthsBound = rowBound;
}

function orderBetween(a: u32, b: u32): u32 {
  return orderOf(distance(vectorOf(a), vectorOf(b)));
}

function gatherByVectors(from: u32, rowBound: u32, step: u32): void {
  emptyPool(WANTED);
  for (let row: u32 = 0; row < rowBound; row += step) if (row != from && isInTrial(row)) offer(keyOf(orderBetween(from, row), row));
}

/** Returns the address of the query that codes are compared with. */
function gatherByCodes(from: u32, rowBound: u32, step: u32, count: u32): usize {
  const point = layOut(vectorOf(from), query);
  emptyPool(count);
  for (let row: u32 = 0; row < rowBound; row += step) {
    if (row != from && isInTrial(row)) offer(keyOf(codeNearness(point, codeOf(row)), row));
  }
  return point;
}

function offer(key: u64): void {
  if (beatsPool(key)) insertIntoPool(key);
}
