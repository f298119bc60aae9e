// SPDX-License-Identifier: Apache-2.0
/**
 * Values that entered or left the ten most frequent ones of an attribute. A tie at the tenth place changes sides at every delivery, so
 * membership alone says nothing: the value must have been steadily in (or out) before, and its share must have moved by more than sampling
 * does to a share, and have halved (or doubled), or be beyond the twenty values whose share is measured.
 */
import type { Monitor } from '@sextant/contracts-observability';
import type { Band } from '../bands/band.ts';
import { REPORTED_SCANS } from './acceptance.ts';
import type { SeriesKey, Violation } from './evaluation.ts';
import { priorityOf } from './priority.ts';
import { learned, learnedPoints, type Measured, median, type Place, type ScanSeries } from './scan-series.ts';
import { formatted } from './sentence.ts';
import { confidenceOf, shareTolerance } from './tolerance.ts';
import { turnsOver } from './turnover.ts';
import { violationName } from './violation-name.ts';

/** Scans that say what is steady. */
const SCANS_MIN = 5;
const SCANS_MAX = 20;
/** Shares of those scans. */
const STEADILY_IN = 0.9;
const STEADILY_OUT = 0.2;
/** Of a share, for a value that came or went. */
const FACTOR = 2;
/** Values whose share is measured. */
const LISTED = 20;

/** A value that came or went, with its share in percent. */
type Change = {
  readonly kind: 'ENTERED' | 'LEFT';
  readonly value: string;
  readonly before: number;
  readonly now: number;
  /** Whether its smaller share was not measured: it was this at most. */
  readonly isBound: boolean;
};

export type TopValueChanges = Place & { readonly changes: readonly Change[] };

/** One for each attribute and segment of which enough is known. */
export function topValueChanges(measured: readonly Measured[], scan: ScanSeries): readonly TopValueChanges[] {
  const groups = Map.groupBy(measured, ({ series: { attribute, segment } }) => JSON.stringify([attribute, segment]));
  const listed = Map.groupBy(scan.of('VALUE_DISTRIBUTION'), ({ series: { attribute, segment } }) => JSON.stringify([attribute, segment]));
  const confidence = confidenceOf(measured.length);
  return [...groups].flatMap(([key, tops]): readonly TopValueChanges[] => {
    const [first] = tops;
    if (first === undefined) return [];
    const { attribute, segment } = first.series;
    const times = pastTimes(tops, scan);
    if (times.length < SCANS_MIN || tops.every(({ value }) => value === null) || turnsOver(tops, scan)) return [];
    const shares = (listed.get(key) ?? []).flatMap(({ value }) => (value === null ? [] : [value]));
    const context = {
      scan,
      times,
      confidence,
      records: scan.presentOf({ attribute, segment }),
      unlisted: shares.length < LISTED ? 0 : Math.min(...shares),
    };
    return [{ attribute, segment, changes: tops.flatMap((top) => changeOf(top, context)) }];
  });
}

type Context = {
  readonly scan: ScanSeries;
  /** Of the scans at which the attribute had values, oldest first. */
  readonly times: readonly number[];
  readonly confidence: number;
  readonly records: number;
  /** The largest share, in percent, that a value may have which is not listed. */
  readonly unlisted: number;
};

function changeOf({ series, value }: Measured, { scan, times, confidence, records, unlisted }: Context): readonly Change[] {
  const share = { ...series, metric_name: 'VALUE_DISTRIBUTION' } as const satisfies SeriesKey;
  const isEntering = value !== null;
  const usual = timesBefore(isEntering, series, { scan, times });
  if (usual.size < SCANS_MIN) return [];
  const inTimes = (of: SeriesKey): readonly number[] => learned(scan.historyOf(of).filter(({ timeMs }) => usual.has(timeMs)));
  const shares = inTimes(share);
  const membership = inTimes(series).length / usual.size;
  if (isEntering ? membership > STEADILY_OUT : membership < STEADILY_IN) return [];
  // Where it was not listed it was at most as frequent as the least of those that were.
  const before = median([...shares, ...Array.from({ length: usual.size - shares.length }, () => unlisted)]) ?? 0;
  const listedNow = scan.valueOf(share);
  const now = listedNow ?? unlisted;
  const isBound = isEntering ? 2 * shares.length < usual.size : listedNow === null;
  const [less, more] = isEntering ? [before, now] : [now, before];
  const isClear = more - less > 100 * shareTolerance(before / 100, records, confidence) && (isBound || less * FACTOR <= more);
  return isClear ? [{ kind: isEntering ? 'ENTERED' : 'LEFT', value: series.metric_aggregation, before, now, isBound }] : [];
}

/** The latest scans that say what was usual before the value came or went; none where it did so too long ago to be reported. */
function timesBefore(isIn: boolean, series: SeriesKey, { scan, times }: Pick<Context, 'scan' | 'times'>): ReadonlySet<number> {
  const listed = new Set(learnedPoints(scan.historyOf(series)).map(({ timeMs }) => timeMs));
  const change = times.findLastIndex((timeMs) => listed.has(timeMs) !== isIn);
  const since = times.length - 1 - change;
  return new Set(since < REPORTED_SCANS ? times.slice(0, change + 1).slice(-SCANS_MAX) : []);
}

function pastTimes(tops: readonly Measured[], scan: ScanSeries): readonly number[] {
  const times = new Set(tops.flatMap(({ series }) => learnedPoints(scan.historyOf(series)).map(({ timeMs }) => timeMs)));
  return [...times].sort((first, second) => first - second);
}

export function topValuesViolation(monitor: Monitor, { attribute, segment, changes }: TopValueChanges, band: Band): Violation {
  const largest = Math.max(0, ...changes.map(({ before, now }) => Math.abs(now - before) / 100));
  return {
    monitor_id: monitor.id,
    violation_name: violationName(monitor.id, { attribute, segment, ruleId: null, parentId: null }),
    type: 'TOP_VALUES_CHANGE',
    metric_name: 'TOP_VALUE',
    metric_aggregation: 'count',
    attribute,
    segment,
    series: null,
    rule: null,
    value: changes.length,
    band,
    // A share is its own width: from none to all of the records.
    priority: priorityOf(largest),
    sentence: sentenceOf({ attribute, segment, changes }),
    facts: { changes: changes.map(({ kind, value, before, now }) => ({ kind, value, before, now })) },
  };
}

function sentenceOf({ attribute, segment, changes }: TopValueChanges): string {
  const where = segment === null ? '' : ` where ${segment}`;
  const sentences = changes.map(({ kind, value, before, now, isBound }) => {
    const atMost = isBound ? 'at most ' : '';
    return kind === 'ENTERED'
      ? `\`${value}\` entered (${atMost}${formatted(before)} % before, ${formatted(now)} % now)`
      : `\`${value}\` left (${formatted(before)} % before, ${atMost}${formatted(now)} % now)`;
  });
  return `the most frequent values of \`${attribute}\`${where} changed: ${sentences.length === 0 ? 'none came or went' : sentences.join(', ')}`;
}
