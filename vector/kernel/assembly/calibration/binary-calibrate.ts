// SPDX-License-Identifier: Apache-2.0
/**
 * Learns the centre of binary codes: the mean of a sample of rows. It is learned again when a new centre would be clearly nearer to the
 * rows.
 */
import { binaryCodebookBytes, centre, centreOf, finishBinaryCodebook, squareOf } from '../codes/binary/binary-codes';
import { allocate, release } from '../memory/allocator';
import { component } from '../memory/components';
import {
  CHANCE, CODEBOOK, CODEBOOK_ERROR, CODES, LINKED, NEXT_CODEBOOK, NO_CODES, ROW_BOUND, dimension, signWords,
} from '../memory/layout';
import { query } from '../memory/workspace';
import { liveVectorIn } from '../rows/live-sample';
import { beginAlone, endAlone } from '../threads/locks';
import { disableCodes, noteCalibration } from './calibrate';
import { evaluateCodes } from './evaluate-codes';

const SAMPLE_ROWS: u32 = 4096;
/** A centre stays in use until the mean square distance of the sample from it exceeds that from a new centre by this factor. */
const SPREAD_GROWTH_MAX: f64 = 1.1;
/** Components that one step rotates when codes are written: about five milliseconds. */
const STEP_COMPONENTS: u32 = 1 << 20;

export function binaryRowsPerStep(): u32 {
  return max<u32>(1, STEP_COMPONENTS / (signWords << 6));
}

/** Learns a codebook, or keeps the one in use and tries its codes again. Returns false where memory leaves no room to work. */
export function beginBinary(): bool {
  const rowBound = atomic.load<u32>(ROW_BOUND);
  const codebook = allocate(binaryCodebookBytes());
  if (codebook == 0) {
    noteCalibration();
    return true;
  }
  learnCentre(codebook, rowBound);
  const spread = meanSquare(codebook, rowBound);
  const isLearnable = <f32>spread > 0 && <f32>spread < Infinity;
  if (isLearnable && load<u32>(CODEBOOK) != 0 && meanSquare(load<u32>(CODEBOOK), rowBound) <= spread * SPREAD_GROWTH_MAX) {
    release(codebook, binaryCodebookBytes());
    noteCalibration();
    return evaluateCodes(rowBound, LINKED);
  }
  if (isLearnable) {
    store<u32>(NEXT_CODEBOOK, <u32>codebook);
    store<f32>(CODEBOOK_ERROR, <f32>spread);
    return true;
  }
  release(codebook, binaryCodebookBytes());
  if (stopUsingCodes()) noteCalibration();
  return true;
}

/** Returns false while a reader may still search by the codes. */
function stopUsingCodes(): bool {
  if (atomic.load<u32>(CODES) == NO_CODES) return true;
  beginAlone();
  const hasStopped = disableCodes();
  endAlone();
  return hasStopped;
}

function learnCentre(codebook: usize, rowBound: u32): void {
  const padded = signWords << 6;
  const middle = centreOf(codebook);
  memory.fill(middle, 0, padded << 2);
  const rows = min(rowBound, SAMPLE_ROWS);
  let count: f32 = 0;
  for (let i: u32 = 0; i < rows; i++) {
    const vector = sampled(i, rows, rowBound);
    if (vector == 0) continue;
    count++;
    for (let c: u32 = 0; c < dimension; c++) store<f32>(middle + (c << 2), load<f32>(middle + (c << 2)) + component(vector, c));
  }
  for (let c: u32 = 0; c < dimension; c++) store<f32>(middle + (c << 2), load<f32>(middle + (c << 2)) / max<f32>(count, 1));
  finishBinaryCodebook(codebook, load<u32>(CHANCE));
}

/** The mean square distance of the sample from the centre of a codebook. */
function meanSquare(codebook: usize, rowBound: u32): f64 {
  const rows = min(rowBound, SAMPLE_ROWS);
  let sum: f64 = 0;
  let count: f64 = 0;
  for (let i: u32 = 0; i < rows; i++) {
    const vector = sampled(i, rows, rowBound);
    if (vector == 0) continue;
    count++;
    centre(vector, codebook, query);
    sum += squareOf(query, signWords << 6);
  }
  return count > 0 ? sum / count : 0;
}

/** The vector of the sample's `index`th row, or 0 where none of the rows that it stands for is live. */
function sampled(index: u32, rows: u32, rowBound: u32): usize {
  return liveVectorIn(<u32>((<u64>rowBound * index) / rows), <u32>((<u64>rowBound * (index + 1)) / rows));
}
