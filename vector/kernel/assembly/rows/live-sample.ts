// SPDX-License-Identifier: Apache-2.0
/** Samples the live rows, one in so many. */
import { isLive, state, vectorOf } from '../memory/layout';

/**
 * The vector of the first live row in [from, end) whose vector is in memory, or 0. Not simply the row at `from`: where points have been
 * replaced in order, none of the rows at equal distances may be live.
 */
export function liveVectorIn(from: u32, end: u32): usize {
  for (let row = from; row < end; row++) {
    if (!isLive(state(row))) continue;
    const vector = vectorOf(row);
    if (vector != 0) return vector;
  }
  return 0;
}
