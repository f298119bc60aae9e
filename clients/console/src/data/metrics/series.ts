// SPDX-License-Identifier: Apache-2.0
/** What a scan measured as series: a metric of an attribute, or of the whole asset. */
import type { Attribute, IncidentMetric, MetricHistoryItem } from '@sextant/sdk';
import { metricLabel } from './metric-kinds.ts';

export type Series = {
  readonly key: string;
  readonly metric: MetricHistoryItem['metric_name'];
  readonly aggregation: string;
  readonly attribute: string | null;
  readonly segment: string | null;
  readonly monitorId: string | null;
  readonly isViolated: boolean;
  /** Its values are times, in milliseconds since 1970. */
  readonly isTime: boolean;
};

/** What says in which unit its values are. */
export type SeriesUnit = Pick<Series, 'metric' | 'aggregation' | 'isTime'>;

/** Shown as distributions: each has as many series as there are values. */
const OF_VALUES: ReadonlySet<string> = new Set(['TOP_VALUE', 'VALUE_DISTRIBUTION', 'PATTERN']);

/** Which of an attribute of dates are dates again. */
const TIMES: ReadonlySet<string> = new Set(['MIN', 'MAX', 'MEAN', 'MEDIAN', 'QUANTILE']);

/** The usual questions first: how much, how fresh, how complete, how alike, then what the values are. */
const ORDER: readonly string[] = [
  'RECORD_COUNT',
  'REJECTED_ROWS',
  'TYPE_MISMATCH',
  'FRESHNESS',
  'COMPLETENESS',
  'CORRECTNESS',
  'CUSTOM',
  'UNIQUENESS',
  'DISTINCT_COUNT',
  'DUPLICATE_COUNT',
  'NULL_PERCENTAGE',
  'EMPTY_PERCENTAGE',
  'MEAN',
  'MEDIAN',
  'MIN',
  'MAX',
  'STDDEV',
  'QUANTILE',
  'LENGTH',
  'SCHEMA',
];

/** Those with a violation first. */
export function seriesOf(points: readonly MetricHistoryItem[], attributes: readonly Attribute[]): readonly Series[] {
  return points
    .filter(({ metric_name: metric, is_violation: isViolated }) => isViolated || !OF_VALUES.has(metric))
    .map((point) => ({
      key: JSON.stringify([point.metric_name, point.metric_aggregation, point.attribute, point.segment, point.monitor_id]),
      metric: point.metric_name,
      aggregation: point.metric_aggregation,
      attribute: point.attribute,
      segment: point.segment,
      monitorId: point.monitor_id,
      isViolated: point.is_violation,
      isTime: isTimeMetric(point, attributes),
    }))
    .sort((a, b) => Number(b.isViolated) - Number(a.isViolated) || rankOf(a) - rankOf(b) || a.key.localeCompare(b.key));
}

/** Whether the values are times: the least, the mean and the like of dates. */
export function isTimeMetric(
  { metric_name: metric, attribute }: Pick<IncidentMetric, 'metric_name' | 'attribute'>,
  attributes: readonly Attribute[],
): boolean {
  return TIMES.has(metric) && attributes.some((each) => each.name === attribute && isDated(each));
}

export function isDated({ data_type: type }: Pick<Attribute, 'data_type'>): boolean {
  return type === 'DATE' || type === 'TIMESTAMP';
}

function rankOf({ metric }: Series): number {
  const rank = ORDER.indexOf(metric);
  return rank === -1 ? ORDER.length : rank;
}

const numbers = new Intl.NumberFormat('en', { maximumSignificantDigits: 5 });

/** A value with its unit: shares are percent, freshness is hours; MIN to MAX have the unit of the column, which nobody knows. */
export function valueText({ metric, aggregation, isTime }: SeriesUnit, value: number): string {
  if (isTime) return timeText(value);
  const unit = aggregation === 'ratio' || metric === 'VALUE_DISTRIBUTION' ? ' %' : metric === 'FRESHNESS' ? ' h' : '';
  return `${numbers.format(value)}${unit}`;
}

/** A day, or a minute where it is not the start of one; in UTC, as the data are read. */
export function timeText(ms: number): string {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return numbers.format(ms);
  const text = date.toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ');
}

/** Aggregations that say no more than the metric does. */
const PLAIN = new Set(['', 'value', 'count', 'ratio']);

type SeriesName = {
  readonly metric: string;
  readonly aggregation: string;
  readonly attribute: string | null;
  readonly segment: string | null;
};

/** The unnamed vector has an empty name, which neither a list nor an address can hold. */
export function attributeTitle(attribute: string): string {
  return attribute === '' ? 'the unnamed vector' : attribute;
}

/** The names of the vectors of a collection, each of which a scan measures by itself. */
export function vectorsAmong(measured: readonly Pick<MetricHistoryItem, 'metric_name' | 'attribute'>[]): readonly string[] {
  const names = measured.flatMap(({ metric_name, attribute }) =>
    metric_name === 'VECTOR_DIMENSION_CONFORMITY' && attribute !== null ? [attribute] : [],
  );
  return [...new Set(names)];
}

/** What a series is of, such as `Quantiles (p95) of price where region=EU`. */
export function seriesTitle({ metric, aggregation, attribute, segment }: SeriesName): string {
  const how = PLAIN.has(aggregation) || aggregation.toUpperCase() === metric ? '' : ` (${aggregation})`;
  const what = attribute === null ? '' : ` of ${attributeTitle(attribute)}`;
  return `${metricLabel(metric)}${how}${what}${segment === null ? '' : ` where ${segment}`}`;
}

/** A point that has a value; without one there was nothing to measure. */
export type MeasuredPoint = MetricHistoryItem & { readonly value: number };

/** What is to be said of a point beside its value. */
export function pointNotes(
  series: SeriesUnit,
  { lower_bound: lower, upper_bound: upper, is_violation: isViolation, is_excluded: isExcluded }: MeasuredPoint,
): readonly string[] {
  const text = (bound: number | null, none: string) => (bound === null ? none : valueText(series, bound));
  return [
    ...(lower === null && upper === null ? ['no band learned yet'] : [`expected ${text(lower, 'anything')} to ${text(upper, 'anything')}`]),
    ...(isViolation ? ['outside the band'] : []),
    ...(isExcluded ? ['excluded from learning'] : []),
  ];
}

export function hasValue(point: MetricHistoryItem): point is MeasuredPoint {
  return point.value !== null;
}
