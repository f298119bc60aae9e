// SPDX-License-Identifier: Apache-2.0
/**
 * The age of the newest data. Data that is delivered again and again stays about as old at each scan; data that stands still grows older
 * with the clock and is not stale for that. Which of the two an asset is, its history says: in the second case earlier ages are restated
 * at the time of this scan, so that only data which turned older than it was is a departure. Data that comes in a rhythm should have come
 * by some time: beyond that age it is missing.
 */
import type { SeriesPoint } from '../bands/band.ts';
import type { SeriesKey } from './evaluation.ts';
import { traitsOf } from './metric-traits.ts';
import { learned, learnedPoints, type Measured, median, plainSeries, type ScanSeries } from './scan-series.ts';
import type { WatchContext, Watched } from './watched.ts';

const HOUR_MS = 3_600_000;
/** Scans do not run at the very second. */
const LEAST_HOURS = 1;
/** Nobody minds data that is half as old again as usual, as long as that is less than a day more. */
const AGE_EFFECT = 0.5;
const AGE_EFFECT_HOURS_MAX = 24;
/** Deliveries that say what their rhythm is, how many of them keep it, and how much later one may come. */
const GAPS_MIN = 3;
const REGULAR_SHARE = 0.8;
const LATE_SHARE = 0.1;
/** Ages that say whether data is punctual; their mean distance from the middle, as a share of it, and the distance of the youngest in such spreads. */
const PUNCTUAL_OF = 60;
const PUNCTUAL_MIN = 10;
const PUNCTUAL_SHARE = 0.25;
const PUNCTUAL_SPREADS = 1.5;
/** Data that moved by less than this share of the time that passed stands still. */
const MOVING_SHARE = 0.5;

export function watchedFreshness({ series, value }: Measured, { scan, confidence }: WatchContext): Watched {
  const measured = scan.historyOf(series);
  const isStill = isStandingStill(measured);
  const history = isStill ? measured.map((point) => restated(point, scan.timeMs)) : measured;
  // Of few records the newest may be missing by chance, though the delivery has come.
  const missable = series.segment === null ? 0 : spacingHours(series, scan);
  const hours = Math.max(missable, isPunctual(measured) ? LEAST_HOURS : toleranceHours(series, history, { scan, confidence }));
  const due = isStill ? undefined : dueHours(measured);
  return {
    ...(due === undefined ? {} : { most: due + missable }),
    series,
    value,
    history,
    // Restated ages are others at each scan.
    memory: isStill ? undefined : scan.memoryOf(series),
    isRestated: isStill,
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

/**
 * Whether each scan finds data of about the same age, as of a delivery at a fixed time: most ages are then some way above the youngest, while of records that
 * come by chance many are about as young as the youngest.
 */
function isPunctual(history: readonly SeriesPoint[]): boolean {
  const ages = learned(history).slice(-PUNCTUAL_OF);
  const middle = median(ages);
  if (middle === undefined || ages.length < PUNCTUAL_MIN) return false;
  // The mean size stands for the deviation: one late delivery weighs less in it.
  const spread = ages.reduce((sum, age) => sum + Math.abs(age - middle), 0) / ages.length;
  return spread < PUNCTUAL_SHARE * middle && middle - Math.min(...ages) > PUNCTUAL_SPREADS * spread;
}

/**
 * The age at which a delivery should have come that always came after about the same time; undefined where deliveries have no such rhythm. What they were
 * late before, they may be late again.
 */
function dueHours(history: readonly SeriesPoint[]): number | undefined {
  const points = learnedPoints(history);
  const deliveries: number[] = [];
  for (const { timeMs, value } of points) {
    const deliveredMs = timeMs - value * HOUR_MS;
    if (deliveredMs - (deliveries.at(-1) ?? Number.NEGATIVE_INFINITY) > LEAST_HOURS * HOUR_MS) deliveries.push(deliveredMs);
  }
  // When the first one came that the series saw, nobody knows what came before it.
  const gaps = deliveries.slice(1).map((deliveredMs, index) => (deliveredMs - (deliveries[index] ?? deliveredMs)) / HOUR_MS);
  const usual = median(gaps);
  if (usual === undefined || gaps.length < GAPS_MIN) return undefined;
  const regular = gaps.filter((gap) => Math.abs(gap - usual) <= LATE_SHARE * usual);
  if (regular.length < REGULAR_SHARE * gaps.length) return undefined;
  return Math.max((1 + LATE_SHARE) * usual, LEAST_HOURS + Math.max(...points.map(({ value }) => value)));
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
