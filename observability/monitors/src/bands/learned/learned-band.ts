/** The learned threshold: replays a history, and asks what would surprise next. */
import type { BandModel, SeriesTraits } from '../band.ts';
import type { PastPoints } from '../past-points.ts';
import { LearnedSeries, POINTS_MIN } from './learned-series.ts';
import { chancePerSeries, tailOf } from './tail.ts';

export function createLearnedBand(pastPoints: PastPoints, traits: SeriesTraits): BandModel {
  const tail = tailOf(chancePerSeries(traits.familySize));
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = traits;
  return {
    bandAt: (history, timeMs) => {
      const past = pastPoints(history);
      if (past.length < POINTS_MIN) return undefined;
      const series = new LearnedSeries(traits, past.length);
      for (const point of past) series.learn(point.timeMs, point.value);
      const band = series.bandAt(timeMs, tail);
      return band === undefined ? undefined : { lower: Math.max(minimum, band.lower), upper: Math.min(maximum, band.upper) };
    },
  };
}
