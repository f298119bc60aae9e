/**
 * Whether codes can be reduced, and to how many directions: as few as a trial finds to tell neighbours. From few rows little can be learned, so that is done
 * again when there are many more.
 */
import { encodeRow } from '../codes/encoding/encode-row';
import { setUnits } from '../codes/reduced/projection';
import { REACHED, directionsOf, reducerBytes, setSeldomLeftOut, squareLeftOut } from '../codes/reduced/reduced-codes';
import { wholeCode } from '../codes/scalar/scalar-codes';
import { allocate, release } from '../memory/allocator';
import {
  CALIBRATED_ROWS, LINKED, REDUCED, REDUCER, REDUCTION_TRIED, ROOM_WRITTEN, dimension, isReduced, isReducible, isShifted, lookAtCodes,
  reducedBytesMax, vectorOf,
} from '../memory/layout';
import { query } from '../memory/workspace';
import { beginProjection, convergeDirections, endProjection, meanProjection, mixDirections, storeDirections } from './learn-projection';
import { reducedCodesTell, reducedCodesTellWell, takesPart, trialStep, tryRowsFrom } from './trial';

/** Codes are whole cache lines: one, two, or so many as a step has and once, twice or three times as many more. */
const BYTES_MIN: u32 = 64;
const BYTES_STEP: u32 = 128;
/** Projections reach this many standard deviations to either side; farther ones are cut off. */
const DEVIATIONS: f64 = 4;
/** It is tried again when there are so many times as many rows, until they were enough. */
const TRIED_AGAIN: u32 = 8;
const ROWS_ENOUGH: u32 = 4096;

/** A row lies outside the directions where it leaves out so many times the mean, or twice that and so on until few of the sample do: one of so many. */
const FAR_OUT: f64 = 4;
const FEW: f64 = 1 / 32;

/** Whether codes are to be rewritten, reduced, otherwise reduced than they are, or no more; with many rows that do not fit, they are. */
export function isReductionDue(rowBound: u32, hasMisfits: bool): bool {
  if (!isReducible) return false;
  if (isReduced && hasMisfits) return true;
  const tried = load<u32>(REDUCTION_TRIED);
  if (rowBound >= tried * TRIED_AGAIN && tried < ROWS_ENOUGH) return true;
  tryRowsFrom(LINKED, rowBound);
  return isReduced && !reducedCodesTell(rowBound);
}

/** Learns to reduce codes, where trials that have begun find it of use; nobody may walk on codes meanwhile, of which those of the rows that were tried are then written. */
export function reduceCodes(rowBound: u32): void {
  if (!isReducible) return;
  store<u32>(REDUCTION_TRIED, rowBound);
  if (!isReduced && !isShifted && load<u32>(CALIBRATED_ROWS) != 0) store<u32>(ROOM_WRITTEN, 1);
  const bytesMax = reducedBytesMax(dimension);
  for (let bytes = max(BYTES_MIN, load<u32>(REDUCED)); bytes <= bytesMax; bytes += min(bytes, BYTES_STEP)) {
    if (!learnReducer(bytes, rowBound)) return;
    encodeSample(rowBound);
    noteLeftOut(rowBound);
    if (reducedCodesTellWell(rowBound)) return;
  }
  // The most directions have been tried: they serve where they save more than it takes to measure some more rows.
  if (isReduced && !reducedCodesTell(rowBound)) forgetReducer();
}

function forgetReducer(): void {
  if (isReduced) release(load<u32>(REDUCER), reducerBytes(load<u32>(REDUCED)));
  store<u32>(REDUCER, 0);
  atomic.store<u32>(REDUCED, 0);
  lookAtCodes();
}

/** Learns to make codes of so many bytes; false where there is no room to. */
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
  lookAtCodes();
  return true;
}

function encodeSample(rowBound: u32): void {
  const step = trialStep(rowBound);
  for (let row: u32 = 0; row < rowBound; row += step) if (takesPart(row)) encodeRow(row);
}

/** Notes what codes of the sample seldom leave out. */
function noteLeftOut(rowBound: u32): void {
  const mean = meanLeftOut(rowBound);
  let bound = mean * FAR_OUT;
  while (shareBeyond(bound, rowBound) > FEW) bound *= 2;
  // A unit at least: what is rounded off is no drift.
  setSeldomLeftOut(max(bound, 1));
}

function meanLeftOut(rowBound: u32): f64 {
  const step = trialStep(rowBound);
  let sum: f64 = 0;
  let count: f64 = 0;
  for (let row: u32 = 0; row < rowBound; row += step) {
    if (!takesPart(row)) continue;
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
    if (!takesPart(row)) continue;
    beyond += f64(squareLeftOut(wholeCode(vectorOf(row), query), row) > bound);
    count++;
  }
  return count > 0 ? beyond / count : 0;
}
