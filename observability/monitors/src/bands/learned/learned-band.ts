// SPDX-License-Identifier: Apache-2.0
/** The learned threshold: what a history, or what is kept of it, says of the next value. */
import type { BandModel, LearnedBand, ReadyBand, SeriesMemory, SeriesPoint, SeriesTraits, SharedShapes } from '../band.ts';
import { excludedFrom, type PastPoint, type PastPoints, type TaughtPoints } from '../past-points.ts';
import { bandModel } from '../ready-band.ts';
import { isAmount } from './amount.ts';
import { DAILY_SPACING_MS, DAY_MS, HOUR_MS } from './calendar.ts';
import { DenseSeries } from './dense-series.ts';
import { POINTS_MIN } from './learned-series.ts';
import { decodeDailySeries, decodeSeries, encodeDailySeries, encodeSeries } from './series-codec.ts';
import { SparseSeries } from './sparse-series.ts';
import { chancePerSeries } from './tail.ts';
import { narrowest } from './tolerance.ts';

/** Points from which tails can be distinguished from chance; fewer are judged by the normal distribution. */
const DENSE_POINTS_MIN = 200;

/** What was measured so lately says what to expect: an hour, and a margin for scans that come a little early. */
const SEEN_MS = 0.9 * HOUR_MS;

type Histories = {
  readonly pastPoints: PastPoints;
  /** What a series that is kept still has to learn; undefined where nothing is kept. */
  readonly latestPoints: PastPoints | undefined;
};

export function createLearnedBand(traits: SeriesTraits, { pastPoints, latestPoints }: Histories): BandModel {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = traits;
  return bandModel((history, timeMs, memory) => {
    const ready =
      keptBand(history, timeMs, { traits, latestPoints, memory }) ??
      learnedBand(taughtBy(pastPoints, history), timeMs, { traits, memory: latestPoints && memory });
    if (ready === undefined) return undefined;
    const band: ReadyBand['band'] = (shapes) => {
      const wide = ready.band(shapes);
      return wide && { ...wide, lower: bounded(Math.max(minimum, wide.lower)), upper: bounded(Math.min(maximum, wide.upper)) };
    };
    return { ...ready, band };
  });
}

function taughtBy(pastPoints: PastPoints, history: readonly SeriesPoint[]): TaughtPoints {
  return { points: pastPoints(history), excluded: excludedFrom(history) };
}

/** Null where any value will do. */
function bounded(bound: number): number | null {
  return Number.isFinite(bound) ? bound : null;
}

type FiniteBand = LearnedBand & { readonly lower: number; readonly upper: number };
type FiniteReadyBand = Pick<ReadyBand, 'evidence'> & { readonly band: (shapes?: SharedShapes) => FiniteBand | undefined };

type Remembered = { readonly traits: SeriesTraits; readonly memory: SeriesMemory | undefined };

/** Of the series as it was kept; undefined where that is of no use. */
function keptBand(
  history: readonly SeriesPoint[],
  timeMs: number,
  { traits, latestPoints, memory }: Remembered & Pick<Histories, 'latestPoints'>,
): FiniteReadyBand | undefined {
  if (memory?.kept === undefined || latestPoints === undefined) return undefined;
  const latest = taughtBy(latestPoints, history);
  const dense = decodeSeries(memory.kept, latest, traits);
  if (dense !== undefined) return denseBand(dense, latest, { timeMs, traits, memory });
  const daily = decodeDailySeries(memory.kept, latest, traits);
  if (daily === undefined) return undefined;
  learnNewer(daily, latest.points);
  // One that is measured more often by now is learned again, as what it has become.
  return daily.isDaily ? sparseBand(daily, latest, { timeMs, traits, memory }) : undefined;
}

function learnedBand(past: TaughtPoints, timeMs: number, { traits, memory }: Remembered): FiniteReadyBand | undefined {
  const { points } = past;
  if (points.length < POINTS_MIN) return undefined;
  if (isDense(points)) return denseBand(new DenseSeries({ isAmount: isAmount(traits) }), past, { timeMs, traits, memory });
  const series = new SparseSeries(traits);
  learnNewer(series, points);
  return !series.isDaily && isUnseenHour(points, timeMs) ? undefined : sparseBand(series, past, { timeMs, traits, memory });
}

function learnNewer(series: DenseSeries | SparseSeries, points: readonly PastPoint[]): void {
  const taughtMs = series.lastMs;
  for (const point of points) if (point.timeMs > taughtMs) series.learn(point.timeMs, point.value);
}

function isDense(past: readonly PastPoint[]): boolean {
  const spanMs = (past.at(-1)?.timeMs ?? 0) - (past[0]?.timeMs ?? 0);
  return past.length >= DENSE_POINTS_MIN && spanMs < DAILY_SPACING_MS * (past.length - 1);
}

/**
 * Whether a moment is of an hour that a series without a day of history has not come to: where it is not the same at all hours, nobody knows what such an
 * hour brings.
 */
function isUnseenHour(past: readonly PastPoint[], timeMs: number): boolean {
  const [first] = past;
  const last = past.at(-1);
  if (first === undefined || last === undefined || last.timeMs - first.timeMs >= DAY_MS) return false;
  return timeMs - last.timeMs >= SEEN_MS && past.some(({ value }) => value !== first.value);
}

function sparseBand(
  series: SparseSeries,
  past: TaughtPoints,
  { timeMs, traits, memory }: Remembered & { readonly timeMs: number },
): FiniteReadyBand {
  if (series.isDaily) memory?.keep(encodeDailySeries(series, past, traits));
  return {
    evidence: () => series.evidence,
    band: (shapes) => {
      if (shapes !== undefined) series.share(shapes);
      const chance = chancePerSeries(traits.familySize);
      const band = series.bandAt(timeMs, chance);
      if (band === undefined) return undefined;
      const surpriseOf = (value: number) => series.surpriseOf(timeMs, value, band);
      return { ...band, surpriseOf, flatlineOf: (value) => series.flatlineOf(timeMs, value, chance) };
    },
  };
}

function denseBand(
  series: DenseSeries,
  past: TaughtPoints,
  { timeMs, traits, memory }: Remembered & { readonly timeMs: number },
): FiniteReadyBand {
  learnNewer(series, past.points);
  memory?.keep(encodeSeries(series, past));
  const chance = chancePerSeries(traits.familySize);
  const { lower, upper } = series.bandAt(timeMs, chance);
  const least = narrowest(traits.isCount ?? past.points.every(({ value }) => Number.isInteger(value)));
  const middle = (Math.max(lower, -Number.MAX_VALUE) + Math.min(upper, Number.MAX_VALUE)) / 2;
  const band = {
    lower: Math.min(lower, middle - least),
    upper: Math.max(upper, middle + least),
    surpriseOf: (value: number) => series.surpriseOf(timeMs, value),
    flatlineOf: (value: number) => series.flatlineOf(timeMs, value, chance),
  };
  return { band: () => band };
}
