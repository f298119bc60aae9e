// SPDX-License-Identifier: Apache-2.0
import type { MetricPoint } from '@sextant/contracts-observability';

/** The value of the one metric of this name and aggregation; undefined where there is none. */
export function metricNamed(metrics: readonly MetricPoint[], name: string, aggregation: string): number | null | undefined {
  return metrics.find((metric) => metric.metric_name === name && metric.metric_aggregation === aggregation)?.value;
}
