// SPDX-License-Identifier: Apache-2.0
/**
 * Numbers of dates and times, in milliseconds since 1970. What a percent of such a number is has no meaning, and data that moves with the
 * clock is never where it was: earlier values are restated at the time of this scan where the data moved along, and the model of the band
 * counts from what is usual instead of from 1970. How far a date may be off is measured in the spread and the gaps of the dates themselves.
 */
import type { SeriesPoint } from '../bands/band.ts';
import type { SeriesKey } from './evaluation.ts';
import { isOfValues, traitsOfTimes } from './metric-traits.ts';
import { learnedPoints, type Measured, median, type Place, plainSeries, type ScanSeries } from './scan-series.ts';
import { type Tolerance, toleranceOf } from './tolerance.ts';
import type { WatchContext, Watched } from './watched.ts';

const DAY_MS = 86_400_000;
/** Scans that say how the dates moved. */
const SCANS = 20;
/** Dates that moved by less than this share of the time that passed stand still. */
const MOVING_SHARE = 0.5;
/** Nobody minds a day, nor that two deliveries are missing, with scans a little early or late: freshness has a monitor of its own. */
const DELIVERIES = 2.5;
/** Of the dates of data that moves, the earliest and the latest tenth at past scans may be faults. */
const FAULTS = 0.1;
/** Data that stands still may be delivered every month, also where no such delivery was seen yet. */
const UNSEEN_MS = 31 * DAY_MS;
/** Dates that lie evenly have their newest twentieth in a quarter of the time of the fifth before; newest ones beyond this are outliers. */
const EVEN_SHARE = 0.25;
const OUTLYING = 3;
const NEWEST_SHARE = 0.05;

type Dated = { readonly timeMs: number; readonly value: number };

/** Of an attribute of dates. */
export function watchedTime({ series, value }: Measured, context: WatchContext): Watched {
  return isOfValues(series.metric_name) ? watchedDate({ series, value }, context) : watchedDuration({ series, value }, context);
}

function watchedDate({ series, value }: Measured, { scan, confidence }: WatchContext): Watched {
  const measured = scan.historyOf(series);
  const window = learnedPoints(measured).slice(-SCANS);
  const isMoving = rateOf(window) >= MOVING_SHARE;
  const history = isMoving ? measured.map((point) => restated(point, scan.timeMs)) : measured;
  const recent = isMoving ? window.map(({ timeMs, value: then }) => then + scan.timeMs - timeMs) : window.map((point) => point.value);
  const zero = median(recent);
  const least = leastOf(window);
  const tolerance = series.metric_name === 'MAX' ? newestTolerance(series, { scan, confidence }) : toleranceOf(series, scan, confidence);
  const watched = {
    series,
    value,
    history,
    isRestated: isMoving,
    traits: traitsOfTimes(series.metric_name, series.metric_aggregation),
    tolerance: (expected: number) => Math.max(least, tolerance(expected)),
    origin: 'point' as const,
  };
  if (zero === undefined) return watched;
  const [lower, upper] = isMoving ? withoutFaults(recent) : [zero, zero + catchingUp(window, zero, { series, scan })];
  return { ...watched, zero, usual: { lower: lower - least, upper: upper + least } };
}

/** Any other number of dates; their deviation is a duration. */
function watchedDuration({ series, value }: Measured, { scan, confidence }: WatchContext): Watched {
  const { metric_name: metric, metric_aggregation: aggregation } = series;
  const tolerance = toleranceOf(series, scan, confidence);
  const least = metric === 'STDDEV' ? DAY_MS : 0;
  return {
    series,
    value,
    history: scan.historyOf(series),
    memory: scan.memoryOf(series),
    traits: traitsOfTimes(metric, aggregation),
    tolerance: (expected) => Math.max(least, tolerance(expected)),
    origin: 'point',
  };
}

function restated(point: SeriesPoint, nowMs: number): SeriesPoint {
  return { ...point, value: point.value === null ? null : point.value + nowMs - point.timeMs };
}

/** Time that the dates moved per time that passed: the median of the slopes between any two scans (Theil 1950, Sen 1968). */
function rateOf(window: readonly Dated[]): number {
  const slopes = window.flatMap((later, index) =>
    window.slice(0, index).map((earlier) => (later.value - earlier.value) / (later.timeMs - earlier.timeMs)),
  );
  return median(slopes) ?? 0;
}

function leastOf(window: readonly Dated[]): number {
  const between = median(window.slice(1).map(({ timeMs }, index) => timeMs - (window[index]?.timeMs ?? timeMs))) ?? 0;
  return Math.max(DAY_MS, DELIVERIES * between);
}

function withoutFaults(recent: readonly number[]): readonly [number, number] {
  const sorted = recent.toSorted((first, second) => first - second);
  const faults = Math.floor(FAULTS * sorted.length);
  return [sorted[faults] ?? 0, sorted[sorted.length - 1 - faults] ?? 0];
}

/** How far dates that stand still may go on at once: by the time that they stood, a month at least, but not beyond the clock. */
function catchingUp(window: readonly Dated[], usual: number, { series, scan }: { series: SeriesKey; scan: ScanSeries }): number {
  const { attribute, segment } = series;
  const newest = scan.typicalOf(plainSeries('MAX', 'max', { attribute, segment })) ?? usual;
  const since = window.find(({ value }) => value >= usual)?.timeMs ?? scan.timeMs;
  return Math.min(Math.max(0, scan.timeMs - newest), Math.max(UNSEEN_MS, scan.timeMs - since));
}

/**
 * Of the newest date: the gap that dates which come by chance leave once in the wanted number of scans (exponential, with the mean distance
 * of the newest twentieth); where the newest ones are outliers, any of them may be missing.
 */
function newestTolerance({ attribute, segment }: SeriesKey, { scan, confidence }: WatchContext): Tolerance {
  const place: Place = { attribute, segment };
  const typical = (aggregation: string): number => scan.typicalOf(plainSeries('QUANTILE', aggregation, place)) ?? 0;
  const newest = scan.typicalOf(plainSeries('MAX', 'max', place)) ?? 0;
  const distinct = scan.typicalOf(plainSeries('DISTINCT_COUNT', 'count', place)) ?? scan.presentOf(place);
  const tail = newest - typical('p95');
  const gap = (tail / Math.max(1, NEWEST_SHARE * distinct)) * (1 + confidence);
  const isOutlying = tail > OUTLYING * EVEN_SHARE * (typical('p95') - typical('p75'));
  return () => (isOutlying ? Math.max(gap, tail) : gap);
}
