/** Samples of the rows at hand, one of so many. */
import { isLive, state, vectorOf } from '../memory/layout';

/**
 * The vector of the first row from `from` on that is live and has it here, below `end`; 0 where there is none. Of the rows at equal distances none may be live,
 * where points have been replaced in order: each then lies one row beside where it was.
 */
export function liveVectorIn(from: u32, end: u32): usize {
  for (let row = from; row < end; row++) {
    if (!isLive(state(row))) continue;
    const vector = vectorOf(row);
    if (vector != 0) return vector;
  }
  return 0;
}
