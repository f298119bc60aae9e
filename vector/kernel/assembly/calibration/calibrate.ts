// SPDX-License-Identifier: Apache-2.0
/**
 * Learns the scale of the codes from a sample, and whether codes of that scale tell neighbours apart. The indexer does so when a thousand
 * rows are there. It does so again when as many rows have been linked as there were the last time, or when an eighth as many do not fit the
 * scale (data drift).
 *
 * Readers compare codes only while CODES is 1. Before codes are written again, the indexer sets CODES to 0, begins an epoch and waits until
 * all readers of earlier epochs have left. Readers that begin meanwhile compare vectors.
 */
import { squareFromCentre } from '../codes/binary/binary-codes';
import { encodeRow } from '../codes/encoding/encode-row';
import { liesOutside } from '../codes/reduced/reduced-codes';
import { deviationAt } from '../codes/scalar/quantile';
import { component } from '../memory/components';
import {
  BYTES, CALIBRATED_ROWS, CODE_OFFSET, CODE_SCALE, CODEBOOK_ERROR, CODES, DOT, GRAPH_LIVE_COUNT, LINKED_SINCE, MARGIN, MISFITS, NO_CODES,
  OUTGROWN, PENDING, PENDING_COUNT, QUANTILE, ROW_BOUND, codeOf, codeStride, dimension, hasCodebook, isBinary, isInGraph, isLive,
  isReduced, isReducible, isShifted, metric, pointBytes, readCodeLayout, releasesVectors, state, stride, vectorOf,
} from '../memory/layout';
import { query } from '../memory/workspace';
import { liveVectorIn } from '../rows/live-sample';
import { beginEpoch, haveLeft } from '../threads/epochs';
import { isReductionDue, reduceCodes } from './learn-reduction';
import { beginTrial, isInTrial, marginOfCodes, oversamplingNeeded, prepareTrial } from './trial';

/** With fewer rows searches compare vectors: there is too little to learn from, and such searches are quick. */
const ROWS_MIN: u32 = 1000;
const ROWS_ONCE: u32 = 4096;
/** Four rows for each direction, of which there are at most 508. */
const ROWS_FOR_DIRECTIONS: u32 = 2048;
const BYTES_ONCE: u32 = 1 << 26;
/**
 * Codes cover this many standard deviations on either side; components beyond are clipped. On GloVe-100, 3.2 costs 0.01 of recall, and so
 * does 5.
 */
const DEVIATIONS: f64 = 4;
const CODE_MAX: f64 = 127;
const SAMPLE_ROWS: u32 = 1000;
/** Rows to rescore for each wanted row, which the trial assumes. */
const OVERSAMPLED: u32 = 2;
/** Codes are kept while scale and offset change by less than this share of the range. */
const DRIFT_MAX: f64 = 0.25;

/**
 * How often the indexer checks whether the readers have left, and the nanoseconds between two checks. A search takes less than all checks
 * together. The indexer does not wait longer for a reader: it links by vectors and checks again at the next call.
 */
const LOOKS: u32 = 100;
const LOOK_WAIT: i64 = 50_000;

/**
 * A code is clipped when a larger share of its components lies at either end, and faint when no component exceeds FAINT. Both happen when
 * the lengths of vectors change.
 */
const CUT_MAX: f64 = 0.25;
const FAINT: i8 = 15;
/** A row is an outlier when the square of its distance from the centre is this many times the mean. */
const FAR_OUT: f64 = 4;
/** Rows that do not fit start a calibration when they are this share, as a shift, of the rows of the last one. */
const MISFITS_SHIFT: u32 = 3;
/**
 * For reduced codes, an early calibration needs that many linked rows, of which this share lies outside the directions, three times that
 * of the sample. On Fashion-MNIST images that arrive class by class, searches with ef 112 then find 0.992 instead of 0.964, as with images
 * in any order.
 */
const OUTSIDE_MAX: f64 = 0.1;

let offset: f64 = 0;
let limit: f64 = 0;
/** The epoch that readers must have reached before codes are rewritten; 0 while nothing waits for it. */
let awaited: u64 = 0;

export function isCalibrationDue(): bool {
  if (codeStride == 0 || (isShifted && !isReducible) || (awaited != 0 && !haveLeft(awaited))) return false;
  const last = load<u32>(CALIBRATED_ROWS);
  if (last == 0) return liveCount() >= rowsNeeded();
  return load<u32>(LINKED_SINCE) >= last || hasMisfits();
}

/** Whether many of the rows that were linked since the last calibration do not fit the codes. */
function hasMisfits(): bool {
  const least = load<u32>(CALIBRATED_ROWS) >> MISFITS_SHIFT;
  if (!isReduced) return atomic.load<u32>(MISFITS) >= least;
  const linked = load<u32>(LINKED_SINCE);
  return linked >= least && <f64>atomic.load<u32>(MISFITS) >= <f64>linked * OUTSIDE_MAX;
}

/**
 * Where vectors are released, a codebook or directions are learned only once, so they are learned from more rows as long as these take
 * little memory.
 */
function rowsNeeded(): u32 {
  if (!releasesVectors || (!hasCodebook && !isReducible)) return ROWS_MIN;
  return max(ROWS_MIN, min(isReducible ? ROWS_FOR_DIRECTIONS : ROWS_ONCE, BYTES_ONCE / stride));
}

function liveCount(): u32 {
  return atomic.load<u32>(PENDING_COUNT) + atomic.load<u32>(GRAPH_LIVE_COUNT);
}

/** Learns the scale, and rewrites all codes if it has changed. Returns false where memory leaves no room to work. */
export function calibrate(): bool {
  const rowBound = atomic.load<u32>(ROW_BOUND);
  if (!prepareTrial(rowBound, OVERSAMPLED)) return false;
  if (codesStay()) return true;
  readCodeLayout();
  const learned = learn(rowBound);
  if (atomic.load<u32>(CODES) == 0 || !learned || hasDrifted() || isReductionDue(rowBound, hasMisfits())) {
    if (!disableCodes()) return true;
    beginTrial(PENDING, rowBound);
    if (learned) writeCodes(rowBound);
    if (learned && (isReduced || isShifted || oversamplingNeeded(rowBound, OVERSAMPLED) != 0)) {
      if (isReduced) store<u32>(MARGIN, marginOfCodes(rowBound));
      atomic.store<u32>(CODES, BYTES);
    }
  }
  noteCalibration();
  return true;
}

/** Whether the codes in use can never be replaced, because the vectors have been released. Notes whether the rows still fit them. */
export function codesStay(): bool {
  if (!releasesVectors || atomic.load<u32>(CODES) == NO_CODES) return false;
  if (hasMisfits()) atomic.store<u32>(OUTGROWN, 1);
  noteCalibration();
  return true;
}

/** The next calibration is due when as many rows have been linked as there are now. */
export function noteCalibration(): void {
  store<u32>(CALIBRATED_ROWS, max(liveCount(), ROWS_MIN));
  store<u32>(LINKED_SINCE, 0);
  store<u32>(MISFITS, 0);
}

/**
 * Counts a row that does not fit the codes: too many of its components are clipped, or nearly all are zero; or it lies far from the centre
 * of binary codes; or reduced codes lose more of it than of nearly all rows that they were learned from.
 */
export function countMisfit(row: u32): void {
  if (codeStride == 0 || atomic.load<u32>(CODES) == 0) return;
  if (isBinary && squareFromCentre(codeOf(row)) > FAR_OUT * <f64>load<f32>(CODEBOOK_ERROR)) atomic.add<u32>(MISFITS, 1);
  if (hasCodebook) return;
  if (isShifted) {
    if (isReduced && liesOutside(vectorOf(row), row)) atomic.add<u32>(MISFITS, 1);
    return;
  }
  let cut: u32 = 0;
  let largest = i8x16.splat(0);
  const code = isReduced ? query : codeOf(row);
  for (let at = code; at < code + pointBytes; at += 16) {
    const sizes = i8x16.abs(v128.load(at));
    cut += popcnt(i8x16.bitmask(i8x16.eq(sizes, i8x16.splat(<i8>CODE_MAX))));
    largest = i8x16.max_u(largest, sizes);
  }
  const isFaint = !v128.any_true(i8x16.gt_u(largest, i8x16.splat(FAINT))) && v128.any_true(largest);
  if (isReduced && liesOutside(code, row)) atomic.add<u32>(MISFITS, 1);
  else if (isFaint || <f64>cut > (CUT_MAX + cutByQuantile()) * <f64>dimension) atomic.add<u32>(MISFITS, 1);
}

/** The share of components that are clipped because the user set a quantile. */
function cutByQuantile(): f64 {
  const share = load<f32>(QUANTILE);
  return share > 0 ? 1 - share : 0;
}

/**
 * Returns false while a reader may still compare codes, such as a thread that was suspended in the middle of a search. Until it has left,
 * searches compare vectors.
 */
export function disableCodes(): bool {
  if (awaited == 0) {
    atomic.store<u32>(CODES, NO_CODES);
    awaited = beginEpoch();
    for (let look: u32 = 0; look < LOOKS && !haveLeft(awaited); look++) atomic.wait<i32>(CODES, 0, LOOK_WAIT);
  }
  if (!haveLeft(awaited)) return false;
  awaited = 0;
  return true;
}

/** Takes the scale that was learned last into use. */
export function useScale(): void {
  store<f32>(CODE_SCALE, <f32>(CODE_MAX / limit));
  store<f32>(CODE_OFFSET, <f32>offset);
}

/**
 * Learns offset and limit from a sample. Returns false where the spread of the sample is zero or not finite. Vectors of bytes that are
 * their own codes have no scale.
 */
export function learn(rowBound: u32): bool {
  if (isShifted) return true;
  const step = max<u32>(1, rowBound / SAMPLE_ROWS);
  offset = metric == DOT ? 0 : meanOf(rowBound, step);
  let squares: f64 = 0;
  let farthest: f64 = 0;
  let count: f64 = 0;
  for (let row: u32 = 0; row < rowBound; row += step) {
    const vector = liveVectorIn(row, min(row + step, rowBound));
    if (vector == 0) continue;
    for (let i: u32 = 0; i < dimension; i++) {
      const deviation = Math.abs(<f64>component(vector, i) - offset);
      squares += deviation * deviation;
      farthest = max(farthest, deviation);
    }
    count += dimension;
  }
  const share = load<f32>(QUANTILE);
  limit = share > 0 ? deviationAt(share, rowBound, step, offset, farthest) : min(DEVIATIONS * Math.sqrt(squares / count), farthest);
  // Both as the codes will use them.
  const scale = <f32>(CODE_MAX / limit);
  return count > 0 && scale > 0 && scale < <f32>Infinity && Math.abs(offset) < <f64>f32.MAX_VALUE;
}

function meanOf(rowBound: u32, step: u32): f64 {
  let sum: f64 = 0;
  let count: f64 = 0;
  for (let row: u32 = 0; row < rowBound; row += step) {
    const vector = liveVectorIn(row, min(row + step, rowBound));
    if (vector == 0) continue;
    for (let i: u32 = 0; i < dimension; i++) sum += <f64>component(vector, i);
    count += dimension;
  }
  return count > 0 ? sum / count : 0;
}

/** Whether scale or offset differ too much from those of the data. */
export function hasDrifted(): bool {
  if (isShifted) return false;
  const used = CODE_MAX / <f64>load<f32>(CODE_SCALE);
  const moved = Math.abs(offset - <f64>load<f32>(CODE_OFFSET));
  return limit > used * (1 + DRIFT_MAX) || limit < used / (1 + DRIFT_MAX) || moved > limit * DRIFT_MAX;
}

function writeCodes(rowBound: u32): void {
  if (!isShifted) useScale();
  reduceCodes(rowBound);
  for (let row: u32 = 0; row < rowBound; row++) {
    const rowState = state(row);
    if (isInTrial(row) || isLive(rowState) || isInGraph(rowState)) encodeRow(row);
  }
}
