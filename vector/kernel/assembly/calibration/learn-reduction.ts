// SPDX-License-Identifier: Apache-2.0
/**
 * Decides whether codes can be reduced, and to how many directions: as few as a trial finds to be enough. Few rows teach little, so it runs
 * again when there are many more.
 */
import { encodeRow } from '../codes/encoding/encode-row';
import { setUnits } from '../codes/reduced/projection';
import { REACHED, directionsOf, reducerBytes, setSeldomLeftOut, squareLeftOut } from '../codes/reduced/reduced-codes';
import { wholeCode } from '../codes/scalar/scalar-codes';
import { allocate, release } from '../memory/allocator';
import {
  CALIBRATED_ROWS, LINKED, REDUCED, REDUCER, REDUCTION_TRIED, ROOM_WRITTEN, dimension, isReduced, isReducible, isShifted, readCodeLayout,
  reducedBytesMax, vectorOf,
} from '../memory/layout';
import { query } from '../memory/workspace';
import { beginProjection, convergeDirections, endProjection, meanProjection, mixDirections, storeDirections } from './learn-projection';
import { beginTrial, isInTrial, reducedCodesPass, reducedCodesPassStrictly, trialStep } from './trial';

/** Codes fill whole cache lines: one, two, or an even number of them. */
const BYTES_MIN: u32 = 64;
const BYTES_STEP: u32 = 128;
/** Projections cover this many standard deviations on either side; those beyond are clipped. */
const DEVIATIONS: f64 = 4;
/** The reduction is tried again when there are this many times as many rows, until it was tried with ROWS_ENOUGH. */
const TRIED_AGAIN: u32 = 8;
const ROWS_ENOUGH: u32 = 4096;

/**
 * A row lies outside the directions when its code loses FAR_OUT times the mean, or twice that and so on, until at most the share FEW of the
 * sample does.
 */
const FAR_OUT: f64 = 4;
const FEW: f64 = 1 / 32;

/** Whether codes are to be rewritten: reduced, reduced in another way, or no longer reduced. Many rows that do not fit are a reason. */
export function isReductionDue(rowBound: u32, hasMisfits: bool): bool {
  if (!isReducible) return false;
  if (isReduced && hasMisfits) return true;
  const tried = load<u32>(REDUCTION_TRIED);
  if (rowBound >= tried * TRIED_AGAIN && tried < ROWS_ENOUGH) return true;
  beginTrial(LINKED, rowBound);
  return isReduced && !reducedCodesPass(rowBound);
}

/**
 * Learns to reduce codes if trials, which the caller has begun, find it useful. No reader may compare codes meanwhile. Writes the codes of
 * the rows that took part.
 */
export function reduceCodes(rowBound: u32): void {
  if (!isReducible) return;
  store<u32>(REDUCTION_TRIED, rowBound);
  if (!isReduced && !isShifted && load<u32>(CALIBRATED_ROWS) != 0) store<u32>(ROOM_WRITTEN, 1);
  const bytesMax = reducedBytesMax(dimension);
  for (let bytes = max(BYTES_MIN, load<u32>(REDUCED)); bytes <= bytesMax; bytes += min(bytes, BYTES_STEP)) {
    if (!learnReducer(bytes, rowBound)) return;
    encodeSample(rowBound);
    noteLeftOut(rowBound);
    if (reducedCodesPassStrictly(rowBound)) return;
  }
  // The longest codes have been tried: they stay if they save more time than rescoring some more rows takes.
  if (isReduced && !reducedCodesPass(rowBound)) forgetReducer();
}

function forgetReducer(): void {
  if (isReduced) release(load<u32>(REDUCER), reducerBytes(load<u32>(REDUCED)));
  store<u32>(REDUCER, 0);
  atomic.store<u32>(REDUCED, 0);
  readCodeLayout();
}

/** Learns to make codes of `bytes` bytes. Returns false where there is no room. */
function learnReducer(bytes: u32, rowBound: u32): bool {
  forgetReducer();
  const reducer = allocate(reducerBytes(bytes));
  if (reducer == 0) return false;
  if (!beginProjection(reducer, directionsOf(bytes), rowBound)) {
    release(reducer, reducerBytes(bytes));
    return false;
  }
  convergeDirections();
  mixDirections();
  const reach = meanProjection() * DEVIATIONS;
  setUnits(reducer, storeDirections(), <f64>REACHED / reach);
  endProjection();
  store<u32>(REDUCER, <u32>reducer);
  atomic.store<u32>(REDUCED, bytes);
  readCodeLayout();
  return true;
}

function encodeSample(rowBound: u32): void {
  const step = trialStep(rowBound);
  for (let row: u32 = 0; row < rowBound; row += step) if (isInTrial(row)) encodeRow(row);
}

/** Notes how much the codes of the sample seldom lose. */
function noteLeftOut(rowBound: u32): void {
  const mean = meanLeftOut(rowBound);
  let bound = mean * FAR_OUT;
  while (shareBeyond(bound, rowBound) > FEW) bound *= 2;
  // At least one unit: rounding errors are no drift.
  setSeldomLeftOut(max(bound, 1));
}

function meanLeftOut(rowBound: u32): f64 {
  const step = trialStep(rowBound);
  let sum: f64 = 0;
  let count: f64 = 0;
  for (let row: u32 = 0; row < rowBound; row += step) {
    if (!isInTrial(row)) continue;
    sum += squareLeftOut(wholeCode(vectorOf(row), query), row);
    count++;
  }
  return count > 0 ? sum / count : 0;
}

function shareBeyond(bound: f64, rowBound: u32): f64 {
  const step = trialStep(rowBound);
  let beyond: f64 = 0;
  let count: f64 = 0;
  for (let row: u32 = 0; row < rowBound; row += step) {
    if (!isInTrial(row)) continue;
    beyond += f64(squareLeftOut(wholeCode(vectorOf(row), query), row) > bound);
    count++;
  }
  return count > 0 ? beyond / count : 0;
}
