/**
 * The trial of codes on the rows themselves: of the nearest of some rows, codes must bring nearly all among those that are then measured by
 * their vectors. They may change the order of neighbours, but must not lose them.
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
/** The share of those wanted that has to be found. With a byte for each component, GloVe-100 vectors reach 0.996, Fashion-MNIST images 1. */
const FOUND_MIN: f64 = 0.98;
/** Where measuring more rows brings more, the share that is enough. */
const FOUND_ENOUGH: f64 = 0.995;
/**
 * Reduced codes err by more the more they leave out. Of 69,000 Fashion-MNIST images codes of 128 bytes find 0.93 and those of 256 bytes 0.98 of the nearest among so many, and
 * searches at a recall of 0.95 take a quarter longer with the former.
 */
const MORE_BY_REDUCED: u32 = 3;
const FOUND_BY_REDUCED_MIN: f64 = 0.99;
/** Codes that stay are tried once, with few rows: a margin that is so many times what the trial says leaves little to chance. */
const STAYING_MARGIN: u32 = 3;
const ROWS_MIN: u32 = 1000;
/** Components read in a trial, which bounds its time to about a tenth of a second. */
const COMPONENTS: u32 = 1 << 27;
/** Product and binary codes are coarse beside the gaps between near rows, which are wider among fewer rows; so more take part, for about a second. */
const COMPONENTS_WITH_CODEBOOK: u32 = 1 << 31;

/** For each query how many rows are wanted, the order of the farthest of them, and which they are; and the row bound that this is known of, 0 where it is not. */
let truths: usize = 0;
let truthsBound: u32 = 0;

const TRUTH_BYTES: u32 = 8 + (WANTED << 2);

// @ts-ignore: decorator
@inline function truthOf(query: u32): usize { return truths + query * TRUTH_BYTES; }

/**
 * Begins trials of the rows that are now in this state or one after it: PENDING where those that wait have codes or are about to get them, otherwise LINKED. They
 * are marked: a row that the writer puts meanwhile has no code, and one that it removes keeps its vector until the indexer, which is here, frees it.
 */
export function tryRowsFrom(leastState: u32, rowBound: u32): void {
  truthsBound = 0;
  clearVisited();
  for (let row: u32 = 0; row < rowBound; row++) {
    const rowState = state(row);
    if (rowState >= leastState && isLive(rowState) && (rowState != PENDING || isRecoded(row))) visit(row);
  }
}

// @ts-ignore: decorator
@inline export function takesPart(row: u32): bool { return isVisited(row); }

/** Room for a trial of up to `most` rows for each that is wanted. */
export function prepareTrial(rowBound: u32, most: u32): bool {
  if (truths == 0) truths = allocate(QUERIES * TRUTH_BYTES);
  return truths != 0 && preparePool(WANTED * most) && prepareWalk(rowBound, true) && prepareQuery(laidOutBytes());
}

/** One row of so many takes part. */
export function trialStep(rowBound: u32): u32 {
  const components = hasCodebook ? COMPONENTS_WITH_CODEBOOK : COMPONENTS;
  return max<u32>(1, rowBound / max<u32>(ROWS_MIN, components / QUERIES / dimension));
}

/** Whether reduced codes bring nearly all of the nearest among twice as many; every row that takes part has one. */
export function reducedCodesTell(rowBound: u32): bool {
  return foundAmong(rowBound, trialStep(rowBound), WANTED * 2) >= FOUND_BY_REDUCED_MIN;
}

/** Whether reduced codes bring as many among few more than are wanted: where more rows have to be measured, that takes longer than shorter codes save. */
export function reducedCodesTellWell(rowBound: u32): bool {
  return foundAmong(rowBound, trialStep(rowBound), WANTED + MORE_BY_REDUCED) >= FOUND_BY_REDUCED_MIN;
}

/** How many rows have to be measured for each that is wanted: 2, twice that, and so on up to `most`; 0 where codes cannot tell neighbours. */
export function oversamplingNeeded(rowBound: u32, most: u32): u32 {
  chooseMeasure();
  const step = trialStep(rowBound);
  for (let needed: u32 = 2; needed < most; needed <<= 1) if (foundAmong(rowBound, step, WANTED * needed) >= FOUND_ENOUGH) return needed;
  return foundAmong(rowBound, step, WANTED * most) >= FOUND_MIN ? most : 0;
}

/**
 * By how much one of the nearest may be farther, as codes say, than those are that these say are the nearest: so far one has to look at what comes behind them.
 * Queries that are no rows may lie farther from them.
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

/** The share of the nearest of some rows that is among the `measured` nearest by codes. */
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

/** The first of its share of the rows that takes part, or else one that does not: with rows that come and go only few of those at the same distances would, and what few say is chance. */
function queryRow(index: u32, rowBound: u32): u32 {
  const first = <u32>((<u64>rowBound * index) / QUERIES);
  const end = <u32>((<u64>rowBound * (index + 1)) / QUERIES);
  for (let row = first; row < end; row++) if (takesPart(row)) return row;
  return first;
}

/** What the vectors say, which takes longest; so codes of every length are compared with the same. */
function findTruths(rowBound: u32, step: u32): void {
  for (let i: u32 = 0; i < QUERIES; i++) {
    const row = queryRow(i, rowBound);
    const truth = truthOf(i);
    store<u32>(truth, 0);
    if (!takesPart(row)) continue;
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
  for (let row: u32 = 0; row < rowBound; row += step) if (row != from && takesPart(row)) offer(keyOf(orderBetween(from, row), row));
}

/** Returns where the row's point is, which codes are compared with. */
function gatherByCodes(from: u32, rowBound: u32, step: u32, count: u32): usize {
  const point = layOut(vectorOf(from), query);
  emptyPool(count);
  for (let row: u32 = 0; row < rowBound; row += step) {
    if (row != from && takesPart(row)) offer(keyOf(codeNearness(point, codeOf(row)), row));
  }
  return point;
}

function offer(key: u64): void {
  if (beatsPool(key)) insertIntoPool(key);
}
