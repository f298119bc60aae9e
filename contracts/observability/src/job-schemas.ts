// SPDX-License-Identifier: Apache-2.0
/** Schemas of scan jobs and of what they found. */
import { oneOf, type Static } from '@sextant/foundation-contract';
import Type from 'typebox';
import { CHECK_STATES } from './checks.ts';
import { METRIC_NAMES } from './metrics.ts';
import { answer, nullable, timestamp } from './value-schemas.ts';

/** Of the monitors that were enabled, how many came to which state. */
const checkCounts = Type.Object(
  {
    ok: Type.Integer(),
    violated: Type.Integer(),
    errored: Type.Integer(),
    not_enough_history: Type.Integer(),
    not_applicable: Type.Integer(),
  },
  { title: 'CheckCounts' },
);
export type CheckCounts = Static<typeof checkCounts>;

const jobMembers = {
  /** The letter `a` and 32 hexadecimal digits. */
  id: Type.String(),
  asset_id: Type.String(),
  status: oneOf('PREPARING', 'BATCH_WAIT', 'IN_PROGRESS', 'FINISHED', 'FAILED'),
  /** What happens or what went wrong, in words. */
  details: Type.String(),
  created_at: timestamp,
  start_time: nullable(timestamp),
  end_time: nullable(timestamp),
  progress: Type.Object({
    phase: oneOf('waiting', 'reading', 'measuring', 'saving', 'done'),
    rows_read: Type.Integer(),
    /** Between 0 and 1, null while it cannot be known. */
    fraction: nullable(Type.Number()),
  }),
  /** Null until the scan has finished, and for scans that failed or ended under a version that did not count them. */
  checks: nullable(checkCounts),
};

export const jobSchema = answer('Job', jobMembers);
export type Job = Static<typeof jobSchema>;
export type JobStatus = Job['status'];
export type JobProgress = Job['progress'];

/** The duration of a job that has started, until now or its end. */
const runTime = Type.Object({ seconds: Type.Integer(), nano: Type.Integer(), zero: Type.Boolean(), negative: Type.Boolean() });
export const listedJobSchema = answer('ListedJob', { ...jobMembers, run_time: nullable(runTime) });

export const scanStartedSchema = answer('ScanStarted', { message: Type.String(), job_id: Type.String() });

export const checkSchema = answer('Check', {
  asset_id: Type.String(),
  job_id: Type.String(),
  metric_time: timestamp,
  monitor_id: Type.String(),
  /** As it was at the scan. */
  monitor_name: Type.String(),
  state: oneOf(...CHECK_STATES),
  /** Why it, or a part of it, could not be evaluated, or what is missing; null for `ok` and `violated`. */
  reason: nullable(Type.String()),
});
/** What one monitor came to in one scan. */
export type Check = Static<typeof checkSchema>;

export const rowSampleSchema = answer('RowSample', {
  monitor_id: nullable(
    Type.String({
      description:
        'The monitor that the row is evidence for: that of the rule which it fails, `REJECTED_ROWS_VIOLATION` for a row that could not ' +
        'be read, `TYPE_MISMATCH_VIOLATION` for a value that does not fit the type of its column; null for a point of a collection.',
    }),
  ),
  /** Why the row is here. */
  reason: Type.String(),
  /** By the id attributes of the asset; of a vector collection the id of the point. */
  record_id: nullable(Type.String()),
  /**
   * Of one file without id attributes: which of the records that could be read it is, from 1. Rows of a table have no number, and those of several files,
   * of a sample or of a filter none that would lead to them.
   */
  record_number: Type.Optional(Type.Integer({ minimum: 1 })),
  row: Type.Record(Type.String(), nullable(Type.String())),
});
/**
 * Rows that failed a rule or could not be read, values that do not fit their type, and points of a vector collection that are at fault; personal data in
 * them is masked.
 */
export type RowSample = Static<typeof rowSampleSchema>;

export const schemaChangeSchema = answer('SchemaChange', {
  kind: oneOf('ADDED', 'REMOVED', 'RETYPED'),
  attribute: Type.String(),
  before: nullable(Type.String()),
  after: nullable(Type.String()),
});
export type SchemaChange = Static<typeof schemaChangeSchema>;

export const metricHistoryItemSchema = answer('MetricHistoryItem', {
  metric_time: timestamp,
  job_id: Type.String(),
  metric_name: oneOf(...METRIC_NAMES),
  /** `count`, `ratio`, `min`, `max`, `mean`, `median`, `stddev`, `p05`, `p25`, `p75`, `p95`, or the value for TOP_VALUE, PATTERN and VALUE_DISTRIBUTION. */
  metric_aggregation: Type.String(),
  attribute: nullable(Type.String()),
  /** `attribute=value`, null for the whole. */
  segment: nullable(Type.String()),
  /** Id of the monitor whose rule or expression was measured. */
  monitor_id: nullable(Type.String()),
  value: nullable(Type.Number()),
  lower_bound: nullable(Type.Number()),
  upper_bound: nullable(Type.Number()),
  is_violation: Type.Boolean(),
  is_excluded: Type.Boolean(),
});
/** A stored point, as the metric history returns it. */
export type MetricHistoryItem = Static<typeof metricHistoryItemSchema>;

/** One number of one scan. Percentages are 0 to 100, freshness and ages are hours. */
export type MetricPoint = Pick<MetricHistoryItem, 'metric_name' | 'metric_aggregation' | 'attribute' | 'segment' | 'monitor_id' | 'value'>;
