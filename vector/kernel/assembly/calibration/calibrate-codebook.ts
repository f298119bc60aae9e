/**
 * Codes that are made by a codebook: the centroids of product codes, or the centre of binary ones. The indexer learns it, and whether the codes tell
 * neighbours, in steps of some milliseconds, between which it links rows: a codebook is learned beside the one in use; then the codebooks change, every row gets
 * its code, and a trial says how many rows have to be measured by their vectors. From the change to the trial the vectors serve. It looks again
 * whenever it has linked as many rows as there were the last time, and learns again where codes have become worse.
 */
import { release } from '../memory/allocator';
import { beginBinary, binaryRowsPerStep } from './binary-calibrate';
import { binaryCodebookBytes } from '../codes/binary/binary-codes';
import { codesStay, isCalibrationDue, noteCalibration, turnCodesOff } from './calibrate';
import { encodeRow } from '../codes/scalar/scalar-codes';
import { beginAlone, endAlone } from '../threads/locks';
import { CODEBOOK, CODES, NEXT_CODEBOOK, OVERSAMPLING, PENDING, RECODING, ROW_BOUND, isBinary, isInGraph, isLive, pointBytes, releasesVectors, state } from '../memory/layout';
import { CENTROIDS } from '../codes/product/product-assign';
import { beginProduct, isCodebookLearned, learnPart, learnedFromMost, noteError, productRowsPerStep } from './product-calibrate';
import { beginRecoding, endRecoding, noteRecoded } from '../rows/recoded-rows';
import { oversamplingNeeded, prepareTrial, tryRowsFrom } from './trial';
import { prepareQuery } from '../memory/workspace';

/** Codes that need more rows to be measured by their vectors for each that is wanted save nothing. */
const OVERSAMPLING_MAX: u32 = 16;

/** The next row to get its code. */
let nextRow: u32 = 0;

export function codebookBytes(): u32 {
  return isBinary ? binaryCodebookBytes() : CENTROIDS * pointBytes;
}

/** Whether steps are left to do before codes are in use or given up. */
export function isCalibrating(): bool {
  return load<u32>(NEXT_CODEBOOK) != 0 || load<u32>(RECODING) != 0;
}

/** One step, where there is one to do. False where the space's bound leaves no room to work. */
export function calibrateByCodebook(): bool {
  if (!isCalibrating() && !isCalibrationDue()) return true;
  if (!prepareQuery(pointBytes)) return false;
  if (load<u32>(NEXT_CODEBOOK) != 0) return isBinary || isCodebookLearned() ? changeCodebooks() : learnPart();
  if (load<u32>(RECODING) != 0) return recode();
  return codesStay() || (isBinary ? beginBinary() : beginProduct());
}

/** Readers of the old codebook and of the codes made with it have to leave first. */
function changeCodebooks(): bool {
  beginAlone();
  if (turnCodesOff()) {
    release(load<u32>(CODEBOOK), codebookBytes());
    store<u32>(CODEBOOK, load<u32>(NEXT_CODEBOOK));
    store<u32>(NEXT_CODEBOOK, 0);
    store<u32>(RECODING, 1);
    noteCalibration();
    nextRow = 0;
  }
  endAlone();
  return true;
}

/** Writes codes. Rows that are linked meanwhile get theirs from who links them. */
function recode(): bool {
  const rowBound = atomic.load<u32>(ROW_BOUND);
  const end = min<u64>(rowBound, <u64>nextRow + (isBinary ? binaryRowsPerStep() : productRowsPerStep()));
  if (nextRow == 0) beginRecoding(rowBound);
  for (; nextRow < <u32>end; nextRow++) {
    const rowState = state(nextRow);
    if (!isLive(rowState) && !isInGraph(rowState)) continue;
    encodeRow(nextRow);
    noteRecoded(nextRow);
  }
  if (nextRow < rowBound) return true;
  if (!evaluateCodes(rowBound, PENDING)) return false;
  endRecoding();
  return true;
}

/**
 * Whether the trial says too little. Centroids fit the rows that they were learned from better than those that come; and where vectors are released, no later trial
 * will say what more rows need, which lie closer.
 */
function isUncertain(rowBound: u32): bool {
  return isBinary ? releasesVectors : learnedFromMost(rowBound);
}

/** The trial, of rows in this state and the states after it. */
export function evaluateCodes(rowBound: u32, leastState: u32): bool {
  if (!prepareTrial(rowBound, OVERSAMPLING_MAX)) return false;
  nextRow = 0;
  tryRowsFrom(leastState, rowBound);
  const needed = oversamplingNeeded(rowBound, OVERSAMPLING_MAX);
  store<u32>(OVERSAMPLING, max<u32>(1, min(isUncertain(rowBound) ? needed << 1 : needed, OVERSAMPLING_MAX)));
  if (!isBinary) noteError(rowBound);
  atomic.store<u32>(CODES, u32(needed > 0));
  store<u32>(RECODING, 0);
  return true;
}
