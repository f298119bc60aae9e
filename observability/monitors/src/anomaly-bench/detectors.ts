/** What the benchmark compares: each detector reads a series point by point, and scores a point before it learns it. */
import { LearnedSeries, SHORT_MEMORY } from '../bands/learned/learned-series.ts';

export type Detector = {
  readonly name: string;
  /** Begins a series; the returned function scores the next point, 0 or higher. */
  readonly begin: () => (timeMs: number, value: number) => number;
};

/** Never speaks: the zero of the benchmark's scale. */
export const nullDetector: Detector = { name: 'null', begin: () => () => 0 };

/** Distance from the mean of the 14 points before, in their standard deviations: what dashboards ship with. */
export const zScoreDetector: Detector = {
  name: 'z-score of 14 points',
  begin: () => {
    const past: number[] = [];
    return (_, value) => {
      const score = past.length < Z_POINTS ? 0 : zScore(past, value);
      past.push(value);
      if (past.length > Z_POINTS) past.shift();
      return score;
    };
  },
};

/**
 * The model of the learned threshold. As an incident that is open swallows further alerts of its monitor, an alarm is news only if it is worse
 * than all within the model's short memory.
 */
export const learnedDetector: Detector = {
  name: 'learned',
  begin: () => {
    const series = new LearnedSeries({ familySize: 1 }, POINTS_MAX);
    const episode = newsOfEpisodes(SHORT_MEMORY.days * DAY_MS);
    return (timeMs, value) => episode(timeMs, series.learn(timeMs, value));
  },
};

const Z_POINTS = 14;
const DAY_MS = 86_400_000;
/** Longer than the longest file. */
const POINTS_MAX = 20_000;
/** Where 14 points were all equal, any other value. */
const SURPRISE_MAX = 1000;

function zScore(past: readonly number[], value: number): number {
  const mean = past.reduce((sum, each) => sum + each, 0) / past.length;
  const deviation = Math.sqrt(past.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (past.length - 1));
  const distance = Math.abs(value - mean);
  return distance === 0 ? 0 : Math.min(SURPRISE_MAX, distance / deviation);
}

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
