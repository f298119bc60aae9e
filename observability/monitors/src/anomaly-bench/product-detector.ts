// SPDX-License-Identifier: Apache-2.0
/** The service as a detector of labelled series. The first alarm of an episode is news; an episode lasts two days, or until something more surprising comes. */

import { FAMILY_ALARM_CHANCE } from '../bands/learned/tail.ts';
import type { Detector } from './detectors.ts';
import { productJudge } from './product-judge.ts';

const EPISODE_MS = 2 * 86_400_000;
/** Where the band of one series ends. */
export const ALARM_SCORE = -Math.log10(FAMILY_ALARM_CHANCE);

export const productDetector: Detector = {
  name: 'learned',
  begin: () => {
    const { judge, learn } = productJudge();
    const episode = newsOfEpisodes(EPISODE_MS);
    return (timeMs, value) => {
      const { isViolation, surprise } = judge(timeMs, value);
      learn(timeMs, value);
      const score = surprise?.score ?? 0;
      // What the tolerance lets pass is no alarm, however rare it is.
      return episode(timeMs, isViolation ? Math.max(ALARM_SCORE, score) : Math.min(score, ALARM_SCORE * (1 - Number.EPSILON)));
    };
  },
};

/** Passes on the scores that exceed all of the last `lengthMs`, and 0 for the others. */
export function newsOfEpisodes(lengthMs: number): (timeMs: number, score: number) => number {
  /** Falling scores with their times; the first is the highest of the episode. */
  let standing: { readonly timeMs: number; readonly score: number }[] = [];
  return (timeMs, score) => {
    standing = standing.filter((earlier) => earlier.timeMs >= timeMs - lengthMs);
    const highest = standing[0]?.score ?? 0;
    standing = [...standing.filter((earlier) => earlier.score > score), { timeMs, score }];
    return score > highest ? score : 0;
  };
}
