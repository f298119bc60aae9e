/**
 * Values that entered or left the ten most frequent ones of an attribute. A tie at the tenth place changes sides at every delivery, so membership alone
 * says nothing: the value must have been steadily in (or out) before, and its share must have at least halved (or doubled), by more than sampling does to a share.
 */
import type { Monitor } from '@sextant/contracts-observability';
import type { Band } from '../bands/band.ts';
import type { SeriesKey, Violation } from './evaluation.ts';
import { priorityOf } from './priority.ts';
import { learned, type Measured, median, type Place, type ScanSeries } from './scan-series.ts';
import { formatted } from './sentence.ts';
import { confidence, shareTolerance } from './tolerance.ts';
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
type Change = { readonly kind: 'ENTERED' | 'LEFT'; readonly value: string; readonly before: number; readonly now: number };

export type TopValueChanges = Place & { readonly changes: readonly Change[] };

/** One for each attribute and segment of which enough is known. */
export function topValueChanges(measured: readonly Measured[], scan: ScanSeries): readonly TopValueChanges[] {
  const groups = Map.groupBy(measured, ({ series: { attribute, segment } }) => JSON.stringify([attribute, segment]));
  const listed = Map.groupBy(scan.of('VALUE_DISTRIBUTION'), ({ series: { attribute, segment } }) => JSON.stringify([attribute, segment]));
  const sureness = confidence(measured.length);
  return [...groups].flatMap(([key, tops]): readonly TopValueChanges[] => {
    const [first] = tops;
    if (first === undefined) return [];
    const { attribute, segment } = first.series;
    const times = pastTimes(tops, scan);
    if (times.size < SCANS_MIN || tops.every(({ value }) => value === null)) return [];
    const shares = (listed.get(key) ?? []).flatMap(({ value }) => (value === null ? [] : [value]));
    const context = {
      scan,
      times,
      sureness,
      records: scan.presentOf({ attribute, segment }),
      unlisted: shares.length < LISTED ? 0 : Math.min(...shares),
    };
    return [{ attribute, segment, changes: tops.flatMap((top) => changeOf(top, context)) }];
  });
}

type Context = {
  readonly scan: ScanSeries;
  readonly times: ReadonlySet<number>;
  readonly sureness: number;
  readonly records: number;
  /** The largest share, in percent, that a value may have which is not listed. */
  readonly unlisted: number;
};

function changeOf({ series, value }: Measured, { scan, times, sureness, records, unlisted }: Context): readonly Change[] {
  const share = { ...series, metric_name: 'VALUE_DISTRIBUTION' } as const satisfies SeriesKey;
  const shares = learned(scan.historyOf(share).filter(({ timeMs }) => times.has(timeMs)));
  const membership = learned(scan.historyOf(series).filter(({ timeMs }) => times.has(timeMs))).length / times.size;
  const now = scan.valueOf(share) ?? unlisted;
  const moved = (before: number): boolean => Math.abs(now - before) > 100 * shareTolerance(before / 100, records, sureness);
  if (value === null) {
    const before = median(shares) ?? 0;
    return membership >= STEADILY_IN && now * FACTOR <= before && moved(before)
      ? [{ kind: 'LEFT', value: series.metric_aggregation, before, now }]
      : [];
  }
  // Where it was not listed it was at most as frequent as the least of those that were.
  const before = median([...shares, ...Array.from({ length: times.size - shares.length }, () => unlisted)]) ?? 0;
  return membership <= STEADILY_OUT && now >= before * FACTOR && moved(before)
    ? [{ kind: 'ENTERED', value: series.metric_aggregation, before, now }]
    : [];
}

/** Of the latest scans at which the attribute had values. */
function pastTimes(tops: readonly Measured[], scan: ScanSeries): ReadonlySet<number> {
  const times = new Set(
    tops
      .flatMap(({ series }) => scan.historyOf(series).filter(({ value, isExcluded }) => value !== null && !isExcluded))
      .map(({ timeMs }) => timeMs),
  );
  return new Set([...times].sort((first, second) => first - second).slice(-SCANS_MAX));
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
    facts: { changes },
  };
}

function sentenceOf({ attribute, segment, changes }: TopValueChanges): string {
  const where = segment === null ? '' : ` where ${segment}`;
  const told = changes.map(({ kind, value, before, now }) => {
    const verb = kind === 'ENTERED' ? 'entered' : 'left';
    return `\`${value}\` ${verb} (${formatted(before)} % before, ${formatted(now)} % now)`;
  });
  return `the most frequent values of \`${attribute}\`${where} changed: ${told.length === 0 ? 'none came or went' : told.join(', ')}`;
}
