// SPDX-License-Identifier: Apache-2.0
/**
 * What each monitor has to say of the records of one scan. Records fail rules, and they fail where a monitor counts records one by one: missing
 * values, duplicated ids, broken vectors. What a drift or a schema change is about is the delivery as a whole; no record fails it.
 */
import { type MetricName, type MetricPoint, type Monitor, PREBUILT_MONITOR_IDS, type RowSample } from '@sextant/contracts-observability';
import type { NewCheck, ScanReportRow } from '@sextant/observability-metadata';
import type { RuleCount } from '@sextant/observability-scan';

export type ScanFindings = {
  readonly rows_read: number;
  readonly metrics: readonly MetricPoint[];
  readonly samples: readonly RowSample[];
  readonly rule_counts: readonly RuleCount[];
  readonly checks: readonly NewCheck[];
};

/** The published limit. */
const RECORD_IDS_MAX = 100;
/** The published columns are 32 bits wide. */
const COUNT_MAX = 2 ** 31 - 1;

/** How the failed records of a watched metric follow from its value: it counts them, is their share, or the share of the others. */
type Counting = {
  readonly metrics: readonly MetricName[];
  readonly value: 'count' | 'failed share' | 'passed share';
  /** What the share is of: all records, or those that have a value. */
  readonly of: 'records' | 'present';
  /** Whether it is about the asset as a whole and not about its attributes. */
  readonly isOfAsset?: boolean;
};

const COMPLETENESS: Counting = { metrics: ['COMPLETENESS', 'PAYLOAD_COMPLETENESS'], value: 'passed share', of: 'records' };
const COUNTINGS: { readonly [predefined: string]: Counting | undefined } = {
  COMPLETENESS,
  PAYLOAD_COMPLETENESS: COMPLETENESS,
  COMPLETENESS_DRIFTS: COMPLETENESS,
  NULL_PERCENTAGE: { metrics: ['NULL_PERCENTAGE'], value: 'failed share', of: 'records' },
  EMPTY_PERCENTAGE: { metrics: ['EMPTY_PERCENTAGE'], value: 'failed share', of: 'records' },
  UNIQUENESS: { metrics: ['UNIQUENESS'], value: 'passed share', of: 'present' },
  RECORD_ID_UNIQUENESS_DRIFTS: { metrics: ['UNIQUENESS'], value: 'passed share', of: 'records', isOfAsset: true },
  DUPLICATE_COUNT: { metrics: ['DUPLICATE_COUNT'], value: 'count', of: 'records' },
  VECTOR_DIMENSION_CONFORMITY: { metrics: ['VECTOR_DIMENSION_CONFORMITY'], value: 'passed share', of: 'present' },
  VECTOR_NAN_COUNT: { metrics: ['VECTOR_NAN_COUNT'], value: 'count', of: 'present' },
  VECTOR_INFINITE_COUNT: { metrics: ['VECTOR_INFINITE_COUNT'], value: 'count', of: 'present' },
  VECTOR_ZERO_COUNT: { metrics: ['VECTOR_ZERO_COUNT'], value: 'count', of: 'present' },
  VECTOR_DUPLICATE_COUNT: { metrics: ['VECTOR_DUPLICATE_COUNT'], value: 'count', of: 'present' },
};
/** Monitors of all rules at once. */
const ALL_RULES = ['CORRECTNESS', 'DQ_RULES_VIOLATION'];
const PREBUILT: readonly string[] = PREBUILT_MONITOR_IDS;

/** One row for each enabled monitor, in their order. */
export function reportRows(monitors: readonly Monitor[], findings: ScanFindings): readonly ScanReportRow[] {
  return monitors.filter(({ enabled }) => enabled).map((monitor) => reportRow(monitor, findings));
}

/**
 * The number of a monitor in the report, whose column is a number: that of its id, and for the pre-built ones, whose ids are names, minus their place
 * in the published list, from -1 (RECORD_COUNT_DRIFTS) on.
 */
export function monitorNumber(id: string): number {
  const place = PREBUILT.indexOf(id);
  return place === -1 ? Number(id) : -(place + 1);
}

function reportRow({ id, type, monitor }: Monitor, findings: ScanFindings): ScanReportRow {
  const monitor_id = monitorNumber(id);
  const check = findings.checks.find((one) => one.monitor_id === id);
  const whole = {
    monitor_id,
    records_failed: null,
    records_scanned: capped(findings.rows_read),
    record_ids: [],
    state: check?.state ?? null,
    reason: check?.reason ?? null,
  };
  switch (type) {
    case 'METRIC':
      return whole;
    case 'RULE': {
      const counts = findings.rule_counts.filter((count) => count.monitor_id === id);
      const scanned = capped(counts[0]?.checked ?? 0);
      return { ...whole, ...failedRules(counts, findings), records_scanned: scanned };
    }
    case 'PREDEFINED_METRIC': {
      if (!('predefined_metric' in monitor)) return whole;
      const { predefined_metric, attributes } = monitor;
      if (ALL_RULES.includes(predefined_metric)) return { ...whole, ...failedRules(findings.rule_counts, findings) };
      const counting = COUNTINGS[predefined_metric];
      return counting === undefined ? whole : { ...whole, records_failed: failedRecords(counting, attributes, findings) };
    }
  }
}

/** Of several rules the one that most records fail: at least so many records fail one. */
function failedRules(counts: readonly RuleCount[], { samples }: ScanFindings): Pick<ScanReportRow, 'records_failed' | 'record_ids'> {
  const rules = new Set(counts.map(({ monitor_id }) => monitor_id));
  const ids = samples.flatMap(({ monitor_id, record_id }) =>
    monitor_id !== null && record_id !== null && rules.has(monitor_id) ? [record_id] : [],
  );
  return { records_failed: mostOf(counts.map(({ failed }) => failed)), record_ids: [...new Set(ids)].slice(0, RECORD_IDS_MAX) };
}

/** Of several attributes the one that most records fail: at least so many records fail one. */
function failedRecords(counting: Counting, attributes: readonly string[], { metrics, rows_read }: ScanFindings): number | null {
  const whole = metrics.filter(({ segment, monitor_id }) => segment === null && monitor_id === null);
  const isWatched = ({ attribute }: MetricPoint): boolean => {
    if (counting.isOfAsset === true || attribute === null) return counting.isOfAsset === true && attribute === null;
    return attributes.length === 0 || attributes.includes(attribute);
  };
  const watched = whole.filter((point) => counting.metrics.includes(point.metric_name) && isWatched(point));
  return mostOf(
    watched.flatMap(({ attribute, value }) => {
      if (value === null) return [];
      if (counting.value === 'count') return [value];
      const base = counting.of === 'records' ? rows_read : (rows_read * presentShare(whole, attribute)) / 100;
      return [(base * (counting.value === 'failed share' ? value : 100 - value)) / 100];
    }),
  );
}

/** Percentage of records that have a value for an attribute, or a vector of a name. */
function presentShare(points: readonly MetricPoint[], attribute: string | null): number {
  const of = (name: MetricName) => points.find((point) => point.metric_name === name && point.attribute === attribute)?.value ?? undefined;
  const nulls = of('NULL_PERCENTAGE');
  return nulls === undefined ? (of('COMPLETENESS') ?? 100) : 100 - nulls;
}

function mostOf(counts: readonly number[]): number | null {
  return counts.length === 0 ? null : capped(Math.round(Math.max(...counts)));
}

function capped(count: number): number {
  return Math.min(count, COUNT_MAX);
}
