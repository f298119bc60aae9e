/**
 * Learns the scale of the codes from a sample, and whether codes of that scale tell the sample's neighbours at all. The indexer does so
 * when the first thousand rows are there, and looks again whenever it has linked as many rows as there were the last time, or an eighth as many
 * that do not fit the scale: data drift.
 *
 * Readers walk on codes only while CODES is 1. To write codes again it is set to 0, an epoch is begun, and the codes wait until the readers
 * that set out before have left; whoever comes in between walks on the vectors.
 */
import { squareFromCentre } from '../codes/binary/binary-codes';
import { encodeRow } from '../codes/encoding/encode-row';
import { liesOutside } from '../codes/reduced/reduced-codes';
import { deviationAt } from '../codes/scalar/quantile';
import { component } from '../memory/components';
import {
  BYTES, CALIBRATED_ROWS, CODE_OFFSET, CODE_SCALE, CODEBOOK_ERROR, CODES, DOT, GRAPH_LIVE_COUNT, LINKED_SINCE, MARGIN, MISFITS, NO_CODES,
  OUTGROWN, PENDING, PENDING_COUNT, QUANTILE, ROW_BOUND, codeOf, codeStride, dimension, hasCodebook, isBinary, isInGraph, isLive,
  isReduced, isReducible, isShifted, lookAtCodes, metric, pointBytes, releasesVectors, state, stride, vectorOf,
} from '../memory/layout';
import { query } from '../memory/workspace';
import { liveVectorIn } from '../rows/live-sample';
import { beginEpoch, haveLeft } from '../threads/epochs';
import { isReductionDue, reduceCodes } from './learn-reduction';
import { marginOfCodes, oversamplingNeeded, prepareTrial, takesPart, tryRowsFrom } from './trial';

/** Fewer rows are walked through on their vectors: too few to learn from, and quick anyway. */
const ROWS_MIN: u32 = 1000;
const ROWS_ONCE: u32 = 4096;
/** Directions are learned from four rows each, of which there are at most 508. */
const ROWS_FOR_DIRECTIONS: u32 = 2048;
const BYTES_ONCE: u32 = 1 << 26;
/** Codes reach this many standard deviations to either side; farther components are cut off. Measured on GloVe-100 vectors: 3.2 costs 0.01 of recall, 5 as much. */
const DEVIATIONS: f64 = 4;
const CODE_MAX: f64 = 127;
const SAMPLE_ROWS: u32 = 1000;
/** Rows that the nearest by codes are measured by their vectors among, for each that is wanted. */
const OVERSAMPLED: u32 = 2;
/** A new scale or offset that differs by less than this share of the range is not worth new codes. */
const DRIFT_MAX: f64 = 0.25;

/** Times that the indexer looks whether the readers have left, and nanoseconds between. Searches are shorter than all of them; for whoever stays
 * longer it does not wait: it links on vectors and looks again when it is called again. */
const LOOKS: u32 = 100;
const LOOK_WAIT: i64 = 50_000;

/** A code with a larger share of its components at either end is cut off, and one with none beyond this is faint. Both happen when vectors' sizes change. */
const CUT_MAX: f64 = 0.25;
const FAINT: i8 = 15;
/** A row lies far out where the square of its distance from the centre is so many times the mean of all. */
const FAR_OUT: f64 = 4;
/** Rows that do not fit are looked into when they are this share, as a shift, of the rows of the last calibration. */
const MISFITS_SHIFT: u32 = 3;
/**
 * Of reduced codes it is enough that so many rows have been linked, and that this share of them lies outside the directions: three times what the sample has. Measured:
 * of Fashion-MNIST images that come class by class searches with ef 112 found 0.964, and with this 0.992, as of images in any order.
 */
const OUTSIDE_MAX: f64 = 0.1;

let offset: f64 = 0;
let limit: f64 = 0;
/** The epoch that readers have to have reached before codes are rewritten; 0 while none waits for it. */
let awaited: u64 = 0;

export function isCalibrationDue(): bool {
  if (codeStride == 0 || (isShifted && !isReducible) || (awaited != 0 && !haveLeft(awaited))) return false;
  const last = load<u32>(CALIBRATED_ROWS);
  if (last == 0) return liveCount() >= rowsNeeded();
  return load<u32>(LINKED_SINCE) >= last || hasMisfits();
}

/** Whether many of the rows that were linked since do not fit the codes. */
function hasMisfits(): bool {
  const least = load<u32>(CALIBRATED_ROWS) >> MISFITS_SHIFT;
  if (!isReduced) return atomic.load<u32>(MISFITS) >= least;
  const linked = load<u32>(LINKED_SINCE);
  return linked >= least && <f64>atomic.load<u32>(MISFITS) >= <f64>linked * OUTSIDE_MAX;
}

/** A codebook or directions that cannot be learned again are learned from more rows, as long as those take little memory. */
function rowsNeeded(): u32 {
  if (!releasesVectors || (!hasCodebook && !isReducible)) return ROWS_MIN;
  return max(ROWS_MIN, min(isReducible ? ROWS_FOR_DIRECTIONS : ROWS_ONCE, BYTES_ONCE / stride));
}

function liveCount(): u32 {
  return atomic.load<u32>(PENDING_COUNT) + atomic.load<u32>(GRAPH_LIVE_COUNT);
}

/** Learns, and writes all codes where that changes them. False where there is no room to work. */
export function calibrate(): bool {
  const rowBound = atomic.load<u32>(ROW_BOUND);
  if (!prepareTrial(rowBound, OVERSAMPLED)) return false;
  if (codesStay()) return true;
  lookAtCodes();
  const learned = learn(rowBound);
  if (atomic.load<u32>(CODES) == 0 || !learned || hasDrifted() || isReductionDue(rowBound, hasMisfits())) {
    if (!turnCodesOff()) return true;
    tryRowsFrom(PENDING, rowBound);
    if (learned) writeCodes(rowBound);
    if (learned && (isReduced || isShifted || oversamplingNeeded(rowBound, OVERSAMPLED) != 0)) {
      if (isReduced) store<u32>(MARGIN, marginOfCodes(rowBound));
      atomic.store<u32>(CODES, BYTES);
    }
  }
  noteCalibration();
  return true;
}

/** Whether codes are in use that no others can take the place of, since the vectors that they could be made of are not here. Notes whether rows still fit them. */
export function codesStay(): bool {
  if (!releasesVectors || atomic.load<u32>(CODES) == NO_CODES) return false;
  if (hasMisfits()) atomic.store<u32>(OUTGROWN, 1);
  noteCalibration();
  return true;
}

/** The next look is due when as many rows have been linked as there are now. */
export function noteCalibration(): void {
  store<u32>(CALIBRATED_ROWS, max(liveCount(), ROWS_MIN));
  store<u32>(LINKED_SINCE, 0);
  store<u32>(MISFITS, 0);
}

/**
 * Counts the row where its new code shows that the scale is not its own: it is cut off in too many components, or hardly leaves zero. Or that the centre is not:
 * it lies far out; or that reduced codes leave out more of it than of nearly all that they were learned from.
 */
export function noteFit(row: u32): void {
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

/** The share of components that are cut off because a quantile was asked for. */
function cutByQuantile(): f64 {
  const share = load<f32>(QUANTILE);
  return share > 0 ? 1 - share : 0;
}

/** False while a reader stays that may walk on the codes: a thread that has been stopped in the middle. Until it goes on or is gone, the vectors serve. */
export function turnCodesOff(): bool {
  if (awaited == 0) {
    atomic.store<u32>(CODES, NO_CODES);
    awaited = beginEpoch();
    for (let look: u32 = 0; look < LOOKS && !haveLeft(awaited); look++) atomic.wait<i32>(CODES, 0, LOOK_WAIT);
  }
  if (!haveLeft(awaited)) return false;
  awaited = 0;
  return true;
}

/** Takes what was learned last into use. */
export function useScale(): void {
  store<f32>(CODE_SCALE, <f32>(CODE_MAX / limit));
  store<f32>(CODE_OFFSET, <f32>offset);
}

/** Sets offset and limit from a sample; false where its spread is none or beyond all bounds. Bytes that are their own codes have no scale. */
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

/** Whether the scale and offset in use are no longer those of the data. */
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
    if (takesPart(row) || isLive(rowState) || isInGraph(rowState)) encodeRow(row);
  }
}
