// SPDX-License-Identifier: Apache-2.0
/** What a preview says: series to draw, and the sentence above them. */
import type { PreviewedPoint } from '@sextant/sdk';
import { whyWithoutHistory } from '../../data/metrics/metric-kinds.ts';
import type { MonitorForm } from './monitor-form.ts';

export type PreviewSeries = {
  readonly key: string;
  readonly metric: string;
  readonly aggregation: string;
  readonly attribute: string | null;
  readonly segment: string | null;
  readonly monitorId: string | null;
  /** Oldest first. */
  readonly points: readonly PreviewedPoint[];
  readonly violations: number;
};

/** Those with violations first, of these what is of the whole, then in the order of their names. */
export function previewSeries(history: readonly PreviewedPoint[]): readonly PreviewSeries[] {
  const groups = Map.groupBy(history, ({ metric_name, metric_aggregation, attribute, segment, monitor_id }) =>
    JSON.stringify([metric_name, metric_aggregation, attribute, segment, monitor_id]),
  );
  return [...groups]
    .flatMap(([key, group]): PreviewSeries[] => {
      const [first] = group;
      if (first === undefined) return [];
      const points = group.toSorted((a, b) => a.metric_time.localeCompare(b.metric_time));
      return [
        {
          key,
          metric: first.metric_name,
          aggregation: first.metric_aggregation,
          attribute: first.attribute,
          segment: first.segment,
          monitorId: first.monitor_id,
          points,
          violations: points.filter(({ is_violation }) => is_violation).length,
        },
      ];
    })
    .toSorted((a, b) => rank(a) - rank(b) || a.key.localeCompare(b.key));
}

function rank({ violations, segment }: PreviewSeries): number {
  return (violations > 0 ? 0 : 2) + (segment === null ? 0 : 1);
}

export type Alert = { readonly time: string; readonly points: readonly PreviewedPoint[] };

/**
 * The alerts that would have been raised, newest first. As the service does at a scan, all that is out of order of one attribute is one
 * alert, and segments of what is out of order as a whole are part of that.
 */
export function previewAlerts(history: readonly PreviewedPoint[]): readonly Alert[] {
  const outside = history.filter(({ is_violation }) => is_violation);
  const whole = new Set(outside.filter(({ segment }) => segment === null).map(wholeOf));
  const groups = Map.groupBy(outside, (point) =>
    whole.has(wholeOf(point)) ? wholeOf(point) : JSON.stringify([wholeOf(point), point.segment]),
  );
  return [...groups.values()]
    .flatMap((points) => (points[0] === undefined ? [] : [{ time: points[0].metric_time, points }]))
    .toSorted((a, b) => b.time.localeCompare(a.time));
}

function wholeOf({ metric_time, attribute, monitor_id }: PreviewedPoint): string {
  return JSON.stringify([metric_time, attribute, monitor_id]);
}

export function scansIn(history: readonly PreviewedPoint[]): number {
  return new Set(history.map(({ metric_time }) => metric_time)).size;
}

/** Kinds of which one evaluated number stands for several alerts, so that the preview counts scans only. */
const UNCOUNTED: ReadonlySet<string> = new Set([
  'SCHEMA',
  'SCHEMA_DRIFTS',
  'TOP_VALUE',
  'TOP_VALUES_DRIFTS',
  'RECORD_COUNT_CORRELATION_DRIFTS',
  'UNIQUENESS_CORRELATION_DRIFTS',
]);

export function previewSentence(history: readonly PreviewedPoint[], { type, metric }: Pick<MonitorForm, 'type' | 'metric'>): string {
  const alerts = previewAlerts(history);
  const scans = count(scansIn(history), 'scan');
  if (alerts.length === 0) return `Would have raised no alert in ${scans}`;
  if (type !== 'PREDEFINED_METRIC' || !UNCOUNTED.has(metric)) return `Would have raised ${count(alerts.length, 'alert')} in ${scans}`;
  return `Would have raised alerts at ${new Set(alerts.map(({ time }) => time)).size} of ${scans}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** What has to be written before the service can be asked; undefined once all is there. */
export function missingForPreview({ type, expression, variables, thresholdType, lower, upper }: MonitorForm): string | undefined {
  if (type !== 'PREDEFINED_METRIC' && expression.trim() === '')
    return type === 'RULE' ? 'Enter a rule to check it here.' : 'Enter an expression to check it here.';
  if (type === 'RULE' && variables.some(({ name }) => name === '')) return 'Name each variable to check the rule here.';
  if (thresholdType !== 'ML' && lower === '' && upper === '') return 'Enter a bound to see which past values violate it.';
  return undefined;
}

/** How many scans a band needs. */
const SCANS_NEEDED: Readonly<Record<MonitorForm['thresholdType'], number>> = { ML: 6, RELATIVE: 3, STATIC: 1 };

type Known = {
  /** Whether the monitor is stored, and so measured by scans. */
  readonly isStored: boolean;
  /** Scans that ended well, as far as they were asked for. */
  readonly scans: number;
};

/** Why there is nothing to show. */
export function emptyHistoryReason({ type, metric, thresholdType, attributes }: MonitorForm, { isStored, scans }: Known): string {
  const never = type === 'PREDEFINED_METRIC' ? whyWithoutHistory(metric) : undefined;
  if (never !== undefined) return never;
  if (type !== 'PREDEFINED_METRIC' && !isStored) {
    const what = type === 'RULE' ? 'A rule' : 'An expression';
    return `The syntax is valid. ${what} has no history yet: save it with a learned band, run scans, and then try bounds here.`;
  }
  if (scans === 0) return 'Nothing has been measured yet. Run a first scan to measure the asset.';
  const first = SCANS_NEEDED[thresholdType];
  if (scans < first) {
    const past = `${scans} scan${scans === 1 ? '' : 's'}`;
    return `The history is too short: this band needs ${first} scans, but there ${scans === 1 ? 'is' : 'are'} only ${past}.`;
  }
  const where = attributes.length === 0 ? 'the asset' : `the named attributes`;
  return `No scan measured this metric for ${where}, or the values are too few or too different for this band.`;
}
