// SPDX-License-Identifier: Apache-2.0
/** Jobs and their results as queries see them: names and types follow the migrations; a flag is 0 or 1, `_ms` is milliseconds since 1970. */

export type JobsSchema = {
  jobs: {
    tenant_id: string;
    id: string;
    asset_id: string;
    number: number;
    status: string;
    details: string;
    request: string;
    created_ms: number;
    start_ms: number | null;
    end_ms: number | null;
    phase: string;
    rows_read: number;
    fraction: number | null;
    attempts: number;
    worker: string | null;
    lease: string | null;
    lease_end_ms: number | null;
    cancelled_by: string | null;
    checks: string | null;
  };
  checks: {
    tenant_id: string;
    job_id: string;
    position: number;
    asset_id: string;
    metric_ms: number;
    monitor_id: string;
    monitor_name: string;
    state: string;
    reason: string | null;
  };
  scan_memory: {
    tenant_id: string;
    asset_id: string;
    memory: string;
  };
  detector_states: {
    tenant_id: string;
    asset_id: string;
    states: string;
  };
  metric_points: {
    tenant_id: string;
    job_id: string;
    position: number;
    asset_id: string;
    metric_ms: number;
    metric_name: string;
    metric_aggregation: string;
    attribute: string | null;
    segment: string | null;
    monitor_id: string | null;
    value: number | null;
    lower_bound: number | null;
    upper_bound: number | null;
    is_violation: number;
    is_excluded: number;
    is_expected: number;
    excluded_by: string | null;
    excluded_ms: number | null;
    exclusion_comment: string | null;
  };
  schema_changes: {
    tenant_id: string;
    job_id: string;
    position: number;
    kind: string;
    attribute: string;
    type_before: string | null;
    type_after: string | null;
  };
  row_samples: {
    tenant_id: string;
    job_id: string;
    position: number;
    monitor_id: string | null;
    reason: string;
    record_id: string | null;
    record_number: number | null;
    sample: string;
  };
};
