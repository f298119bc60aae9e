/**
 * The age of the newest data. Data that is delivered again and again stays about as old at each scan; data that stands still grows older
 * with the clock and is not stale for that. Which of the two an asset is, its history says: in the second case earlier ages are restated
 * at the time of this scan, so that only data which turned older than it was is a departure.
 */
import type { SeriesPoint } from '../bands/band.ts';
import type { SeriesKey } from './evaluation.ts';
import { traitsOf } from './metric-traits.ts';
import { learned, type Measured, median, plainSeries, type ScanSeries } from './scan-series.ts';
import type { WatchContext, Watched } from './watched.ts';

const HOUR_MS = 3_600_000;
/** Scans do not run at the very second. */
const LEAST_HOURS = 1;
/** Nobody minds data that is half as old again as usual, as long as that is less than a day more. */
const AGE_EFFECT = 0.5;
const AGE_EFFECT_HOURS_MAX = 24;
/** Data that moved by less than this share of the time that passed stands still. */
const MOVING_SHARE = 0.5;

export function watchedFreshness({ series, value }: Measured, { scan, confidence }: WatchContext): Watched {
  const measured = scan.historyOf(series);
  const history = isStandingStill(measured) ? measured.map((point) => restated(point, scan.timeMs)) : measured;
  const hours = toleranceHours(series, history, { scan, confidence });
  return {
    series,
    value,
    history,
    traits: traitsOf('FRESHNESS', series.metric_aggregation),
    tolerance: (expected) => Math.max(hours, Math.min(AGE_EFFECT * expected, AGE_EFFECT_HOURS_MAX)),
    origin: 'point',
  };
}

function restated({ timeMs, value, isExcluded }: SeriesPoint, nowMs: number): SeriesPoint {
  return { timeMs, value: value === null ? null : value + (nowMs - timeMs) / HOUR_MS, isExcluded };
}

function isStandingStill(history: readonly SeriesPoint[]): boolean {
  const known = history.filter(({ value, isExcluded }) => value !== null && !isExcluded);
  const first = known[0];
  const last = known.at(-1);
  if (first === undefined || last === undefined) return false;
  const passed = last.timeMs - first.timeMs;
  const moved = passed - ((last.value ?? 0) - (first.value ?? 0)) * HOUR_MS;
  return moved < MOVING_SHARE * passed;
}

/** Half of the time between scans, and the gap that the newest records may leave by chance. */
function toleranceHours(series: SeriesKey, history: readonly SeriesPoint[], { scan, confidence }: WatchContext): number {
  const times = history.map(({ timeMs }) => timeMs);
  const between = median(times.slice(1).map((timeMs, index) => timeMs - (times[index] ?? timeMs))) ?? 0;
  return Math.max(LEAST_HOURS, between / 2 / HOUR_MS, chanceGapHours(history, confidence, spacingHours(series, scan)));
}

/**
 * Records that come by chance leave gaps that are exponential. Their mean is estimated from the ages that were seen, together with one
 * that is as long as the spacing of the newest records (the conjugate prior of the exponential distribution).
 */
function chanceGapHours(history: readonly SeriesPoint[], confidence: number, spacing: number): number {
  const ages = learned(history);
  const youngest = Math.min(...ages);
  const gaps = ages.reduce((sum, age) => sum + (age - youngest), 0);
  return spacing + (confidence * (gaps + spacing)) / (ages.length + 1);
}

/**
 * Time from one distinct timestamp to the next among the newest twentieth; gaps of records that come by chance are exponential with this
 * mean.
 */
function spacingHours({ attribute, segment }: SeriesKey, scan: ScanSeries): number {
  const place = { attribute, segment };
  const newest = scan.valueOf(plainSeries('MAX', 'max', place));
  const before = scan.valueOf(plainSeries('QUANTILE', 'p95', place));
  const distinct = scan.valueOf(plainSeries('DISTINCT_COUNT', 'count', place));
  if (newest === null || before === null || distinct === null) return 0;
  return (newest - before) / Math.max(1, 0.05 * distinct) / HOUR_MS;
}
