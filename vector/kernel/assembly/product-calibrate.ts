/**
 * Learns the centroids of product codes, and whether the codes tell neighbours. The indexer does so in steps of some milliseconds, between
 * which it links rows: centroids are learned sixteen components at a time, into a book beside the one in use; then the books change, every
 * row gets its code, and a trial says how many rows have to be measured by their vectors. From the change to the trial the vectors serve.
 * It looks again whenever it has linked as many rows as there were the last time, and learns anew where codes have become worse.
 */
import { allocate, release } from './allocator';
import { hasDrifted, isCalibrationDue, learn, noteCalibration, turnCodesOff, useScale } from './calibrate';
import { encodePart, encodePoint } from './codes';
import { beginAlone, endAlone } from './crew';
import {
  BOOK, BOOK_ERROR, CODES, NEXT_BOOK, NO_CODES, OVERSAMPLING, RECODING, ROW_BOUND, codeOf, codeWidth, isInGraph, isLive, pointBytes, releasesVectors, state, vectorOf,
} from './layout';
import { CENTROIDS } from './product-assign';
import { bookBytes, encodeProduct } from './product-codes';
import { train, trainingBytes } from './product-train';
import { oversamplingNeeded, prepareTrial } from './trial';
import { prepareQuery, query } from './workspace';

/** Sixteen for each centroid. More of them bring little: measured with 784 and 1536 components. */
const SAMPLE_ROWS: u32 = 4096;
/** Components that one step learns the centroids of. */
const PART: u32 = 16;
/** Bytes that one step compares when it writes codes: about five milliseconds. */
const STEP_BYTES: u32 = 1 << 26;
/** Codes that need more rows to be measured by their vectors for each that is wanted save nothing. */
const OVERSAMPLING_MAX: u32 = 16;
/** Bytes that are compared to say how well codes fit, and how much worse they may fit before centroids are learned anew. */
const ERROR_BYTES: u32 = 1 << 28;
const ERROR_GROWTH_MAX: f32 = 1.1;

/** How many components of the next book are learned, and the next row to get its code. */
let learned: u32 = 0;
let nextRow: u32 = 0;

/** Whether steps are left to do before codes are in use or given up. */
export function isCalibrating(): bool {
  return load<u32>(NEXT_BOOK) != 0 || load<u32>(RECODING) != 0;
}

/** One step, where there is one to do. False where the space's bound leaves no room to work. */
export function calibrateProduct(): bool {
  if (!isCalibrating() && !isCalibrationDue()) return true;
  if (!prepareQuery(pointBytes)) return false;
  if (load<u32>(NEXT_BOOK) != 0) return learned < pointBytes ? learnPart() : changeBooks();
  return load<u32>(RECODING) != 0 ? recode() : begin();
}

function begin(): bool {
  if (releasesVectors && atomic.load<u32>(CODES) != NO_CODES) {
    // Codes stay as they are, for the vectors that could make others are not here.
    noteCalibration();
    return true;
  }
  const rowBound = atomic.load<u32>(ROW_BOUND);
  beginAlone();
  const isLearnable = learn(rowBound);
  const isUsable = load<u32>(BOOK) != 0 && isLearnable && !hasDrifted();
  if (!isUsable) {
    if (!turnCodesOff()) {
      endAlone();
      return true;
    }
    if (isLearnable) useScale();
  }
  endAlone();
  if (!isLearnable || (isUsable && meanError(rowBound) <= load<f32>(BOOK_ERROR) * ERROR_GROWTH_MAX)) {
    noteCalibration();
    return true;
  }
  store<u32>(NEXT_BOOK, <u32>allocate(bookBytes()));
  learned = 0;
  // Without room to learn, the book in use or else the vectors serve.
  if (load<u32>(NEXT_BOOK) == 0) noteCalibration();
  return true;
}

function meanError(rowBound: u32): f32 {
  const book: usize = load<u32>(BOOK);
  const step = max<u32>(1, rowBound / (ERROR_BYTES / CENTROIDS / pointBytes));
  const code = allocate(pointBytes);
  if (code == 0) return 0;
  let sum: f64 = 0;
  let count: f64 = 0;
  for (let row: u32 = 0; row < rowBound; row += step) {
    if (!isLive(state(row))) continue;
    encodePoint(vectorOf(row), query);
    sum += <f64>encodeProduct(query, book, code);
    count++;
  }
  release(code, pointBytes);
  return count > 0 ? <f32>(sum / count) : 0;
}

/** Learns the centroids of the next sixteen components from rows all over the space. */
function learnPart(): bool {
  const rowBound = atomic.load<u32>(ROW_BOUND);
  const rows = min(rowBound, SAMPLE_ROWS);
  const sampleBytes = rows * codeWidth;
  const bytes = rows * PART + sampleBytes + trainingBytes(rows, codeWidth);
  const parts = allocate(bytes);
  if (parts == 0) {
    release(load<u32>(NEXT_BOOK), bookBytes());
    store<u32>(NEXT_BOOK, 0);
    noteCalibration();
    return true;
  }
  let count: u32 = 0;
  for (let i: u32 = 0; i < rows; i++) {
    const row = <u32>((<u64>rowBound * i) / rows);
    if (isLive(state(row))) encodePart(vectorOf(row), learned, PART, parts + count++ * PART);
  }
  const sample = parts + rows * PART;
  if (count > 0) {
    for (let first: u32 = 0; first < PART; first += codeWidth) {
      for (let i: u32 = 0; i < count; i++) memory.copy(sample + i * codeWidth, parts + i * PART + first, codeWidth);
      train(codeWidth, sample, count, load<u32>(NEXT_BOOK) + (learned + first) * CENTROIDS, sample + sampleBytes);
    }
  }
  release(parts, bytes);
  learned += PART;
  return true;
}

/** Readers of the old book and of the codes made with it have to leave first. */
function changeBooks(): bool {
  beginAlone();
  if (turnCodesOff()) {
    release(load<u32>(BOOK), bookBytes());
    store<u32>(BOOK, load<u32>(NEXT_BOOK));
    store<u32>(NEXT_BOOK, 0);
    store<u32>(RECODING, 1);
    noteCalibration();
    nextRow = 0;
  }
  endAlone();
  return true;
}

/** Writes codes. Rows that are linked meanwhile get theirs from who links them. */
function recode(): bool {
  const book: usize = load<u32>(BOOK);
  const rowBound = atomic.load<u32>(ROW_BOUND);
  const end = min<u64>(rowBound, <u64>nextRow + max<u32>(1, STEP_BYTES / CENTROIDS / pointBytes));
  for (; nextRow < <u32>end; nextRow++) {
    const rowState = state(nextRow);
    if (!isLive(rowState) && !isInGraph(rowState)) continue;
    encodePoint(vectorOf(nextRow), query);
    encodeProduct(query, book, codeOf(nextRow));
  }
  return nextRow < rowBound || judge(rowBound);
}

function judge(rowBound: u32): bool {
  if (!prepareTrial(rowBound, OVERSAMPLING_MAX)) return false;
  nextRow = 0;
  let oversampling = oversamplingNeeded(rowBound, OVERSAMPLING_MAX);
  // Centroids fit the rows that they were learned from better than those that come; a trial on hardly any others says too little.
  if (rowBound < SAMPLE_ROWS << 2) oversampling = min(oversampling << 1, OVERSAMPLING_MAX);
  store<u32>(OVERSAMPLING, max<u32>(1, oversampling));
  store<f32>(BOOK_ERROR, meanError(rowBound));
  store<u32>(RECODING, 0);
  atomic.store<u32>(CODES, u32(oversampling > 0));
  return true;
}
