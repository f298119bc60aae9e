// SPDX-License-Identifier: Apache-2.0
/** Runs the trial of codes with a codebook, and takes them into use or gives them up. */
import { CODES, OVERSAMPLING, RECODING, isBinary, releasesVectors } from '../memory/layout';
import { learnedFromMost, noteError } from './product-calibrate';
import { beginTrial, oversamplingNeeded, prepareTrial } from './trial';

/** Codes that need more rescored rows than this for each wanted row save nothing. */
const OVERSAMPLING_MAX: u32 = 16;

/**
 * Whether the trial is too optimistic. Centroids fit the rows that they were learned from better than later rows. Where vectors are
 * released, no later trial will see that denser data need more rescored rows.
 */
function isUncertain(rowBound: u32): bool {
  return isBinary ? releasesVectors : learnedFromMost(rowBound);
}

/** Runs the trial with the rows that are in `leastState` or a later state. */
export function evaluateCodes(rowBound: u32, leastState: u32): bool {
  if (!prepareTrial(rowBound, OVERSAMPLING_MAX)) return false;
  beginTrial(leastState, rowBound);
  const needed = oversamplingNeeded(rowBound, OVERSAMPLING_MAX);
  store<u32>(OVERSAMPLING, max<u32>(1, min(isUncertain(rowBound) ? needed << 1 : needed, OVERSAMPLING_MAX)));
  if (!isBinary) noteError(rowBound);
  atomic.store<u32>(CODES, u32(needed > 0));
  store<u32>(RECODING, 0);
  return true;
}
