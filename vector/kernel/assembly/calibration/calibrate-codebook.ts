// SPDX-License-Identifier: Apache-2.0
/**
 * Calibration of codes that need a codebook: the centroids of product codes, or the centre of binary codes. The indexer works in steps of a
 * few milliseconds and links rows between them. It learns a codebook beside the one in use, replaces the old one, writes the code of every
 * row, and runs a trial that says how many rows a search has to rescore. From the replacement to the trial, searches compare vectors.
 * Calibration runs again when as many rows have been linked as there were the last time, and learns a new codebook when the codes have
 * become worse.
 */
import { codebookBytes } from '../codes/encoding/codebook';
import { encodeRow } from '../codes/encoding/encode-row';
import { beginRecoding, endRecoding, noteRecoded } from '../codes/encoding/recoded-rows';
import { release } from '../memory/allocator';
import { CODEBOOK, NEXT_CODEBOOK, PENDING, RECODING, ROW_BOUND, isBinary, isInGraph, isLive, pointBytes, state } from '../memory/layout';
import { prepareQuery } from '../memory/workspace';
import { beginAlone, endAlone } from '../threads/locks';
import { beginBinary, binaryRowsPerStep } from './binary-calibrate';
import { codesStay, disableCodes, isCalibrationDue, noteCalibration } from './calibrate';
import { evaluateCodes } from './evaluate-codes';
import { beginProduct, isCodebookLearned, learnPart, productRowsPerStep } from './product-calibrate';

/** The next row to get its code. */
let nextRow: u32 = 0;

/** Whether steps remain before codes are in use or given up. */
export function isCalibrating(): bool {
  return load<u32>(NEXT_CODEBOOK) != 0 || load<u32>(RECODING) != 0;
}

/** Does one step if there is one to do. Returns false where memory leaves no room to work. */
export function calibrateByCodebook(): bool {
  if (!isCalibrating() && !isCalibrationDue()) return true;
  if (!prepareQuery(pointBytes)) return false;
  if (load<u32>(NEXT_CODEBOOK) != 0) return isBinary || isCodebookLearned() ? changeCodebooks() : learnPart();
  if (load<u32>(RECODING) != 0) return recode();
  return codesStay() || (isBinary ? beginBinary() : beginProduct());
}

/** Readers of the old codebook and of its codes have to leave first. */
function changeCodebooks(): bool {
  beginAlone();
  if (disableCodes()) {
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

/** Writes codes. Rows that are linked meanwhile get their codes from the thread that links them. */
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
  nextRow = 0;
  endRecoding();
  return true;
}
