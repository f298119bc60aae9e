/**
 * Codes that are made by a codebook: the centroids of product codes, or the centre of binary ones. The indexer learns it, and whether the codes tell
 * neighbours, in steps of some milliseconds, between which it links rows: a codebook is learned beside the one in use; then the codebooks change, every row gets
 * its code, and a trial says how many rows have to be measured by their vectors. From the change to the trial the vectors serve. It looks again
 * whenever it has linked as many rows as there were the last time, and learns again where codes have become worse.
 */
import { codebookBytes } from '../codes/encoding/codebook';
import { encodeRow } from '../codes/encoding/encode-row';
import { beginRecoding, endRecoding, noteRecoded } from '../codes/encoding/recoded-rows';
import { release } from '../memory/allocator';
import { CODEBOOK, NEXT_CODEBOOK, PENDING, RECODING, ROW_BOUND, isBinary, isInGraph, isLive, pointBytes, state } from '../memory/layout';
import { prepareQuery } from '../memory/workspace';
import { beginAlone, endAlone } from '../threads/locks';
import { beginBinary, binaryRowsPerStep } from './binary-calibrate';
import { codesStay, isCalibrationDue, noteCalibration, turnCodesOff } from './calibrate';
import { evaluateCodes } from './evaluate-codes';
import { beginProduct, isCodebookLearned, learnPart, productRowsPerStep } from './product-calibrate';

/** The next row to get its code. */
let nextRow: u32 = 0;

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
  nextRow = 0;
  endRecoding();
  return true;
}
