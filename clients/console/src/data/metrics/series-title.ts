import type { PreviewSeries } from '../../features/monitors/preview.ts';
import { metricLabel } from './metric-kinds.ts';

/** Aggregations that say no more than the metric does. */
const PLAIN = new Set(['', 'value', 'count', 'ratio']);

/** What a series is of, such as `Quantiles (p95) of price where region=EU`. */
export function seriesTitle({
  metric,
  aggregation,
  attribute,
  segment,
}: Pick<PreviewSeries, 'metric' | 'aggregation' | 'attribute' | 'segment'>): string {
  const how = PLAIN.has(aggregation) || aggregation.toUpperCase() === metric ? '' : ` (${aggregation})`;
  return `${metricLabel(metric)}${how}${attribute === null ? '' : ` of ${attribute}`}${segment === null ? '' : ` where ${segment}`}`;
}
