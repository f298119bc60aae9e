// SPDX-License-Identifier: Apache-2.0
/** Ordinary objects for suites that are about something else. */
import type { IncidentMetric, RowSample } from '@sextant/contracts-observability';
import type { Metadata, TenantMetadata } from '../metadata.ts';
import type { ClaimedDelivery } from '../platform/delivery-queue.ts';
import type { NewAlert } from '../tenant/alerts.ts';
import type { NewAsset } from '../tenant/assets.ts';
import type { NewConnection } from '../tenant/connections.ts';
import type { NewDelivery } from '../tenant/deliveries.ts';
import type { ScoreRecord } from '../tenant/dq-scores.ts';
import type { NewIncident } from '../tenant/incidents.ts';
import type { JobLease, JobResult } from '../tenant/jobs.ts';
import type { NewMetricPoint } from '../tenant/metric-points.ts';
import type { NewMonitor } from '../tenant/monitors.ts';
import type { ScanReport } from '../tenant/scan-reports.ts';
import type { NewTicketTemplate } from '../tenant/ticket-templates.ts';

export const START_MS = Date.parse('2026-03-10T12:00:00.000Z');
export const START = new Date(START_MS).toISOString();
export const ENCRYPTION_KEY = new Uint8Array(32).fill(7);

export const USER = { email: 'Ada@example.org', first_name: 'Ada', last_name: 'L', role: 'admin', password_hash: 'hash' } as const;

export const CONNECTION: NewConnection = {
  name: 'lake',
  scope: 'GLOBAL',
  project_id: 0,
  type: 'S3',
  payload: { bucket: 'b' },
  db_type: null,
  created_by: 'ada',
  credential: { type: 'AWS', payload: { access_key: 'id', secret_key: 'very secret' } },
};

export const ASSET: NewAsset = {
  project_id: 0,
  name: 'Orders',
  description: null,
  type: 'S3',
  options: { limit: 5 },
  payload: { path: 'a.csv' },
  connection_id: null,
  db_type: null,
  tags: ['gold'],
  webhook_url: null,
  created_by: 'ada',
};

export const MONITOR: NewMonitor = {
  type: 'METRIC',
  name: 'revenue',
  enabled: true,
  description: null,
  impact: 'HIGH',
  tags: ['money'],
  created_by: 'ada',
  monitor: { expression: 'sum(`price`)', options: { ignore_nulls: true }, raw_sql: false },
  threshold: { threshold_type: 'STATIC', threshold1: 0, threshold2: null, extrapolation_strategy: 'IGNORE', history_limit: 20 },
  notification: null,
  ticketing: null,
};

export const TEMPLATE: NewTicketTemplate = {
  name: 'bug',
  description: null,
  type: 'TRACKER',
  props: { tracker_project_id: '10000', tracker_issue_type_id: '1', custom_fields: { summary: 's' } },
};

export const POINT: NewMetricPoint = {
  metric_name: 'COMPLETENESS',
  metric_aggregation: 'ratio',
  attribute: 'price',
  segment: null,
  monitor_id: null,
  value: 99.5,
};

export const METRIC: IncidentMetric = {
  metric_name: 'completeness',
  metric_aggregation: 'ratio',
  display_metric_name: 'Completeness',
  segment: null,
  rule: null,
  attribute: 'price',
};

const SAMPLE: RowSample = { monitor_id: null, reason: 'broken', record_id: null, record_number: 17, row: { price: 'x', note: null } };

export const RESULT: JobResult = {
  rows_read: 3,
  details: '3 rows measured.',
  metric_time: START,
  metrics: [POINT],
  samples: [SAMPLE],
  memory: { watermark: null },
  schema_changes: [{ kind: 'ADDED', attribute: 'price', before: null, after: 'text' }],
};

export const DELIVERY: NewDelivery = {
  kind: 'NOTIFICATION',
  dedup_key: null,
  lane: 'incident 1',
  target: 'example.org',
  recipient: 'example.org',
  incident_id: 1,
  channel: 'ops',
  payload: { big: 2n ** 63n },
};

export const SCORED: Omit<ScoreRecord, 'asset_id' | 'job_id'> = {
  metric_time: START,
  score: 91.5,
  parts: [
    {
      dimension: 'completeness',
      value: 91.5,
      weight: 1,
      contribution: 91.5,
      measured_from: { sentence: 'Of "one" attribute.', metrics: [], incident_ids: [4] },
    },
  ],
};

export const REPORT: Omit<ScanReport, 'asset_id' | 'job_id'> = {
  project_id: 0,
  finished_at: START,
  record_id_attribute: 'id',
  rows: [{ monitor_id: 7, records_failed: 2, records_scanned: 3, record_ids: ['a', 'b'] }],
};

export function alertOf(source: string, change: Partial<NewAlert> = {}): NewAlert {
  return {
    type: 'SCHEMA_CHANGE',
    source,
    attribute: 'price',
    job_id: 'a0',
    create_time: START,
    save_time: START,
    monitor_id: '1',
    violation_data: { lower: 1 },
    violation_name: 'FEATURE.1',
    notification_channels: ['ops'],
    is_notification_enabled: true,
    metric_time: START,
    is_notified: false,
    metric_value: 0.25,
    policy_name: 'Schema drifts',
    segment: '',
    priority: 'HIGH',
    description: { HIGH: ['one'] },
    source_name: 'Orders',
    source_type: 'S3',
    project_name: 'Default',
    tags: ['gold'],
    series: { metric_name: 'COMPLETENESS', metric_aggregation: 'ratio', attribute: 'price', segment: null, monitor_id: null },
    metric: METRIC,
    ...change,
  };
}

export function incidentOf(asset_id: string, change: Partial<NewIncident> = {}): NewIncident {
  return {
    asset_id,
    last_upload_timestamp: START,
    created_time: START,
    severity: 'HIGH',
    impact: 'LOW',
    description: 'Drift',
    alert_policy_id: 'SCHEMA_DRIFTS',
    alert_policy_name: 'Schema drifts',
    tags: ['gold', 'core'],
    metrics: [METRIC],
    history: { timestamp: START, state: 'NEW', alert_refs: [{ metric_time: START, violation_name: 'FEATURE.1' }] },
    ...change,
  };
}

/** Starts a job and takes it; nothing else may wait in the queue. */
export async function runningJob(metadata: Metadata, tenant: TenantMetadata, assetId: string): Promise<JobLease> {
  const job = await tenant.jobs.enqueue({ asset_id: assetId, request: {}, whenBusy: 'refuse' });
  const claimed = await metadata.platform.jobs.claimNext({ worker: 'worker', leaseMs: 60_000 });
  if (claimed?.job.id !== job.id) throw new Error('another job was in the queue');
  return { job_id: job.id, lease: claimed.lease };
}

/** Takes what a tenant has to send now. */
export async function claimOf(metadata: Metadata, { tenantId }: TenantMetadata): Promise<readonly ClaimedDelivery[]> {
  const claimed = await metadata.platform.deliveries.claim({ limit: 1000, perTarget: 1000, busy: [], leaseMs: 1000 });
  return claimed.filter(({ tenant_id }) => tenant_id === tenantId);
}
