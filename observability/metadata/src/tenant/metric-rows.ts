// SPDX-License-Identifier: Apache-2.0
/** Measured points as rows. */
import type { MetricHistoryItem } from '@sextant/contracts-observability';
import type { Schema } from '../database/schema.ts';
import { toTime } from '../database/values.ts';

export function toHistoryItem(row: Schema['metric_points']): MetricHistoryItem {
  const { metric_aggregation, attribute, segment, monitor_id, value, job_id, lower_bound, upper_bound } = row;
  return {
    // The store wrote the name from a `MetricPoint`.
    metric_name: row.metric_name as MetricHistoryItem['metric_name'],
    metric_aggregation,
    attribute,
    segment,
    monitor_id,
    value,
    metric_time: toTime(row.metric_ms),
    job_id,
    lower_bound,
    upper_bound,
    is_violation: row.is_violation === 1,
    is_excluded: row.is_excluded === 1,
  };
}
