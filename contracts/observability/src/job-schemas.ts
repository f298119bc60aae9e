/** Schemas of scan jobs and of what they found. */
import { oneOf, schemaOf } from '@sextant/foundation-contract';
import Type from 'typebox';
import type { Job } from './jobs.ts';
import { METRIC_NAMES, type MetricHistoryItem, type RowSample, type SchemaChange } from './metrics.ts';
import { answer, nullable, timestamp } from './value-schemas.ts';

const jobMembers = {
  id: Type.String(),
  asset_id: Type.String(),
  status: oneOf('PREPARING', 'BATCH_WAIT', 'IN_PROGRESS', 'FINISHED', 'FAILED'),
  details: Type.String(),
  created_at: timestamp,
  start_time: nullable(timestamp),
  end_time: nullable(timestamp),
  progress: Type.Object({
    phase: oneOf('waiting', 'reading', 'measuring', 'saving', 'done'),
    rows_read: Type.Integer(),
    fraction: nullable(Type.Number()),
  }),
};

export const jobSchema = schemaOf<Job>()(answer('Job', jobMembers));

/** The duration of a job that has started, until now or its end. */
const runTime = Type.Object({ seconds: Type.Integer(), nano: Type.Integer(), zero: Type.Boolean(), negative: Type.Boolean() });
export const listedJobSchema = answer('ListedJob', { ...jobMembers, run_time: nullable(runTime) });

export const scanStartedSchema = answer('ScanStarted', { message: Type.String(), job_id: Type.String() });

export const rowSampleSchema = schemaOf<RowSample>()(
  answer('RowSample', {
    monitor_id: nullable(Type.String()),
    reason: Type.String(),
    record_id: nullable(Type.String()),
    row: Type.Record(Type.String(), nullable(Type.String())),
  }),
);

export const schemaChangeSchema = schemaOf<SchemaChange>()(
  answer('SchemaChange', {
    kind: oneOf('ADDED', 'REMOVED', 'RETYPED'),
    attribute: Type.String(),
    before: nullable(Type.String()),
    after: nullable(Type.String()),
  }),
);

export const metricHistoryItemSchema = schemaOf<MetricHistoryItem>()(
  answer('MetricHistoryItem', {
    metric_time: timestamp,
    job_id: Type.String(),
    metric_name: oneOf(...METRIC_NAMES),
    metric_aggregation: Type.String(),
    attribute: nullable(Type.String()),
    segment: nullable(Type.String()),
    monitor_id: nullable(Type.String()),
    value: nullable(Type.Number()),
    lower_bound: nullable(Type.Number()),
    upper_bound: nullable(Type.Number()),
    is_violation: Type.Boolean(),
    is_excluded: Type.Boolean(),
  }),
);
