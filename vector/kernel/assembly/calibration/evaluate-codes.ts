/** Takes codes that a codebook makes into use, or gives them up, as a trial says. */
import { CODES, OVERSAMPLING, RECODING, isBinary, releasesVectors } from '../memory/layout';
import { learnedFromMost, noteError } from './product-calibrate';
import { oversamplingNeeded, prepareTrial, tryRowsFrom } from './trial';

/** Codes that need more rows to be measured by their vectors for each that is wanted save nothing. */
const OVERSAMPLING_MAX: u32 = 16;

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
  tryRowsFrom(leastState, rowBound);
  const needed = oversamplingNeeded(rowBound, OVERSAMPLING_MAX);
  store<u32>(OVERSAMPLING, max<u32>(1, min(isUncertain(rowBound) ? needed << 1 : needed, OVERSAMPLING_MAX)));
  if (!isBinary) noteError(rowBound);
  atomic.store<u32>(CODES, u32(needed > 0));
  store<u32>(RECODING, 0);
  return true;
}
