// SPDX-License-Identifier: Apache-2.0
/** What one monitor finds in one scan: all that it evaluated, and what of that is a violation. */
import type { Monitor } from '@sextant/contracts-observability';
import type { Band, CreateBandModel, Surprise } from '../bands/band.ts';
import { driftViolations } from './drift-violations.ts';
import { type EvaluatedNumber, isOutside, readyNumber } from './evaluate-number.ts';
import type { EvaluationRequest, SeriesKey, Violation } from './evaluation.ts';
import { plainSeries, type ScanSeries } from './scan-series.ts';
import { schemaViolation, standingSchemaChanges } from './schema-drifts.ts';
import { evaluateSiblings } from './siblings.ts';
import { topValueChanges, topValuesViolation } from './top-values.ts';
import { watch, watchedAttributes, watchedName } from './watch.ts';
import type { Watched } from './watched.ts';

export type EvaluatedSeries = {
  readonly series: SeriesKey;
  readonly value: number;
  readonly band: Band;
  readonly isViolation: boolean;
  /** Whether the value is the one that the scan measured of this series. */
  readonly isMeasured: boolean;
  readonly surprise?: Surprise | undefined;
};

export type Finding = {
  readonly evaluated: readonly EvaluatedSeries[];
  readonly violations: readonly Violation[];
  /** What is missing where nothing was evaluated. */
  readonly lacks: 'history' | 'value' | 'subject' | 'news';
};

export type FindingContext = {
  readonly request: EvaluationRequest;
  readonly scan: ScanSeries;
  readonly createBandModel: CreateBandModel;
  /** Monitors of single rules that this scan violated or could not evaluate. */
  readonly reportedRules: ReadonlySet<string>;
};

/** A rule means what it says from its first scan on: no row may violate it. */
const EVERY_ROW: Band = { lower: 100, upper: null };
const NO_CHANGES: Band = { lower: null, upper: 0 };
export const NOTHING: Finding = { evaluated: [], violations: [], lacks: 'subject' };

export function findingOf(monitor: Monitor, context: FindingContext): Finding {
  switch (watchedName(monitor)) {
    // The end of the job decides the first; nothing can be set up for the second to compare with.
    case 'DATA_PROCESS_FAILURE':
    case 'DATA_DIFFERENCE':
      return NOTHING;
    case 'SCHEMA_DRIFTS':
    case 'SCHEMA':
      return schemaFinding(monitor, context);
    case 'TOP_VALUES_DRIFTS':
    case 'TOP_VALUE':
      return topValuesFinding(monitor, context);
    default:
      return driftFinding(monitor, context);
  }
}

/** Those of the monitors that watch one rule and find it violated. */
export function violatedRules(monitors: readonly Monitor[], context: Omit<FindingContext, 'reportedRules'>): ReadonlySet<string> {
  const ofRules = monitors.filter(({ enabled, type }) => enabled && type === 'RULE');
  const violated = ofRules.filter((rule) => findingOf(rule, { ...context, reportedRules: new Set() }).violations.length > 0);
  return new Set(violated.map(({ id }) => id));
}

export function isOfAnyRule(monitor: Monitor): boolean {
  return watchedName(monitor) === 'DQ_RULES_VIOLATION';
}

/** What holds as long as a learned band knows nothing. */
function untaughtBand({ type, threshold }: Monitor, { traits: { isFaultAtOnce, perfect } }: Watched): Band | undefined {
  if (threshold.threshold_type !== 'ML') return undefined;
  if (type === 'RULE') return EVERY_ROW;
  return isFaultAtOnce && perfect !== undefined ? { lower: null, upper: perfect } : undefined;
}

function driftFinding(monitor: Monitor, { request, scan, createBandModel, reportedRules }: FindingContext): Finding {
  const watched = watch(monitor, scan, request);
  const { threshold } = monitor;
  const numberContext = { threshold, familySize: watched.length, createBandModel, timeMs: scan.timeMs };
  const isReported = ({ monitor_id }: SeriesKey): boolean => isOfAnyRule(monitor) && monitor_id !== null && reportedRules.has(monitor_id);
  const numbers = evaluateSiblings(
    watched.flatMap((one) =>
      isReported(one.series) ? [] : (readyNumber(one, { ...numberContext, untaught: untaughtBand(monitor, one) }) ?? []),
    ),
  );
  const outside = withoutLoneQuantiles(
    monitor,
    numbers.filter(({ isViolation }) => isViolation),
  );
  const violated = new Set(outside);
  return {
    evaluated: numbers.map((one): EvaluatedSeries => {
      const { watched: of, value, band, surprise } = one;
      const isMeasured = of.origin === 'point' && of.value !== null;
      return { series: of.series, value, band, isViolation: violated.has(one), isMeasured, surprise };
    }),
    violations: driftViolations(monitor, outside, request.monitors),
    lacks: lackOf(
      watched,
      watched.filter(({ series }) => !isReported(series)),
    ),
  };
}

/** `unreported` are those that no other monitor has reported. */
function lackOf(watched: readonly Watched[], unreported: readonly Watched[]): Finding['lacks'] {
  if (watched.length === 0) return 'subject';
  if (unreported.length === 0) return 'news';
  return unreported.some(({ value }) => value !== null) ? 'history' : 'value';
}

/**
 * Where many records share one value, a quantile jumps from it to the next and back by chance. Numbers that moved are seen by more than
 * one of their statistics.
 */
function withoutLoneQuantiles(monitor: Monitor, outside: readonly EvaluatedNumber[]): readonly EvaluatedNumber[] {
  if (watchedName(monitor) !== 'NUMERIC_VALUE_DRIFTS') return outside;
  const placeOf = ({ watched: { series } }: EvaluatedNumber): string => JSON.stringify([series.attribute, series.segment]);
  const byPlace = Map.groupBy(outside, placeOf);
  return outside.filter((one) => !isQuantile(one) || (byPlace.get(placeOf(one))?.length ?? 0) > 1);
}

function isQuantile({ watched: { series } }: EvaluatedNumber): boolean {
  return /^(median|p\d\d)$/.test(series.metric_aggregation);
}

function schemaFinding(monitor: Monitor, { request, scan, createBandModel }: FindingContext): Finding {
  const [point] = scan.of('SCHEMA');
  const band = changeBand(monitor, createBandModel, scan.timeMs);
  if (request.previousSeries.length === 0 || point === undefined || point.value === null || band === undefined)
    return { ...NOTHING, lacks: 'history' };
  const changes = standingSchemaChanges(request, watchedAttributes(monitor));
  const count = changes.length;
  const isViolation = isOutside(count, band);
  return {
    // A change that lasts is not one of this scan, whose point counts only those.
    evaluated: [{ series: point.series, value: count, band, isViolation, isMeasured: !isViolation || request.schemaChanges.length > 0 }],
    violations: isViolation ? changes.map((change) => schemaViolation(monitor, change, { count, band })) : [],
    lacks: 'history',
  };
}

function topValuesFinding(monitor: Monitor, { scan, createBandModel }: FindingContext): Finding {
  const wanted = watchedAttributes(monitor);
  const isWanted = ({ attribute }: SeriesKey): boolean => wanted.size === 0 || (attribute !== null && wanted.has(attribute));
  const band = changeBand(monitor, createBandModel, scan.timeMs);
  if (band === undefined) return NOTHING;
  const watched = scan.latelyOf('TOP_VALUE').filter(({ series }) => isWanted(series));
  const found = topValueChanges(watched, scan);
  return {
    evaluated: found.map(({ attribute, segment, changes: { length: value } }) => ({
      series: plainSeries('TOP_VALUE', 'count', { attribute, segment }),
      value,
      band,
      isViolation: isOutside(value, band),
      isMeasured: false,
    })),
    violations: found.filter(({ changes }) => isOutside(changes.length, band)).map((changes) => topValuesViolation(monitor, changes, band)),
    lacks: watched.length === 0 ? 'subject' : 'history',
  };
}

/** How many changes are fine: none, unless somebody stated a number. */
function changeBand({ threshold }: Monitor, createBandModel: CreateBandModel, timeMs: number): Band | undefined {
  return threshold.threshold_type === 'ML' ? NO_CHANGES : createBandModel(threshold, { minimum: 0, familySize: 1 }).bandAt([], timeMs);
}
