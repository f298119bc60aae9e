// SPDX-License-Identifier: Apache-2.0
/**
 * Learns the centroids of product codes, sixteen components at a time, into a codebook beside the one in use; see calibrate-codebook.ts.
 * Centroids are learned again when the codes have become worse.
 */
import { codebookBytes } from '../codes/encoding/codebook';
import { CENTROIDS } from '../codes/product/product-assign';
import { encodeProduct } from '../codes/product/product-codes';
import { train, trainingBytes } from '../codes/product/product-train';
import { encodePart, encodePoint } from '../codes/scalar/scalar-codes';
import { allocate, release } from '../memory/allocator';
import { CODEBOOK, CODEBOOK_ERROR, NEXT_CODEBOOK, ROW_BOUND, codeWidth, pointBytes } from '../memory/layout';
import { query } from '../memory/workspace';
import { liveVectorIn } from '../rows/live-sample';
import { beginAlone, endAlone } from '../threads/locks';
import { disableCodes, hasDrifted, learn, noteCalibration, useScale } from './calibrate';

/** Sixteen rows for each centroid. More rows improve the codes little, measured with 784 and 1536 components. */
const SAMPLE_ROWS: u32 = 4096;
/** Components whose centroids one step learns. */
const PART: u32 = 16;
/** Bytes that one step compares when it writes codes: about five milliseconds. */
const STEP_BYTES: u32 = 1 << 26;
/** Bytes that are compared to measure the error of the codes, and the growth of that error at which centroids are learned again. */
const ERROR_BYTES: u32 = 1 << 28;
const ERROR_GROWTH_MAX: f32 = 1.1;

/** How many components of the next codebook are learned. */
let learned: u32 = 0;

export function isCodebookLearned(): bool {
  return learned >= pointBytes;
}

// @ts-ignore: decorator
@inline export function productRowsPerStep(): u32 { return max<u32>(1, STEP_BYTES / CENTROIDS / pointBytes); }

/** Whether most of the rows were in the sample that centroids were learned from. */
export function learnedFromMost(rowBound: u32): bool {
  return rowBound < SAMPLE_ROWS << 2;
}

export function noteError(rowBound: u32): void {
  store<f32>(CODEBOOK_ERROR, meanError(rowBound));
}

export function beginProduct(): bool {
  const rowBound = atomic.load<u32>(ROW_BOUND);
  beginAlone();
  const isLearnable = learn(rowBound);
  const isUsable = load<u32>(CODEBOOK) != 0 && isLearnable && !hasDrifted();
  if (!isUsable) {
    if (!disableCodes()) {
      endAlone();
      return true;
    }
    if (isLearnable) useScale();
  }
  endAlone();
  if (!isLearnable || (isUsable && meanError(rowBound) <= load<f32>(CODEBOOK_ERROR) * ERROR_GROWTH_MAX)) {
    noteCalibration();
    return true;
  }
  store<u32>(NEXT_CODEBOOK, <u32>allocate(codebookBytes()));
  learned = 0;
  // Without room to learn, searches compare codes of the present codebook, or vectors.
  if (load<u32>(NEXT_CODEBOOK) == 0) noteCalibration();
  return true;
}

function meanError(rowBound: u32): f32 {
  const codebook: usize = load<u32>(CODEBOOK);
  const step = max<u32>(1, rowBound / (ERROR_BYTES / CENTROIDS / pointBytes));
  const code = allocate(pointBytes);
  if (code == 0) return 0;
  let sum: f64 = 0;
  let count: f64 = 0;
  for (let row: u32 = 0; row < rowBound; row += step) {
    const vector = liveVectorIn(row, min(row + step, rowBound));
    if (vector == 0) continue;
    encodePoint(vector, query);
    sum += <f64>encodeProduct(query, codebook, code);
    count++;
  }
  release(code, pointBytes);
  return count > 0 ? <f32>(sum / count) : 0;
}

/** Learns the centroids of the next sixteen components from a sample of the whole space. */
export function learnPart(): bool {
  const rowBound = atomic.load<u32>(ROW_BOUND);
  const rows = min(rowBound, SAMPLE_ROWS);
  const sampleBytes = rows * codeWidth;
  const bytes = rows * PART + sampleBytes + trainingBytes(rows, codeWidth);
  const parts = allocate(bytes);
  if (parts == 0) {
    release(load<u32>(NEXT_CODEBOOK), codebookBytes());
    store<u32>(NEXT_CODEBOOK, 0);
    noteCalibration();
    return true;
  }
  let count: u32 = 0;
  for (let i: u32 = 0; i < rows; i++) {
    const vector = liveVectorIn(<u32>((<u64>rowBound * i) / rows), <u32>((<u64>rowBound * (i + 1)) / rows));
    if (vector != 0) encodePart(vector, learned, PART, parts + count++ * PART);
  }
  const sample = parts + rows * PART;
  if (count > 0) {
    for (let first: u32 = 0; first < PART; first += codeWidth) {
      for (let i: u32 = 0; i < count; i++) memory.copy(sample + i * codeWidth, parts + i * PART + first, codeWidth);
      train(codeWidth, sample, count, load<u32>(NEXT_CODEBOOK) + (learned + first) * CENTROIDS, sample + sampleBytes);
    }
  }
  release(parts, bytes);
  learned += PART;
  return true;
}
