// SPDX-License-Identifier: Apache-2.0
/** Jobs, what they measured and found, and the outbox of webhooks. */
import type { Migration } from '../migration.ts';

export const jobs: Migration = [
  // number is the order of arrival within a tenant.
  `create table jobs (
    tenant_id text not null,
    id text not null,
    asset_id text not null,
    number bigint not null,
    status text not null,
    details text not null,
    request text not null,
    created_ms bigint not null,
    start_ms bigint,
    end_ms bigint,
    phase text not null,
    rows_read bigint not null,
    fraction double precision,
    attempts integer not null,
    worker text,
    lease text,
    lease_end_ms bigint,
    cancelled_by text,
    primary key (tenant_id, id),
    foreign key (tenant_id, asset_id) references assets (tenant_id, id) on delete cascade
  )`,
  'create index jobs_by_asset on jobs (tenant_id, asset_id, number)',
  'create index jobs_by_number on jobs (tenant_id, number)',
  'create index jobs_by_status on jobs (status, created_ms)',
  `create table scan_memory (
    tenant_id text not null,
    asset_id text not null,
    memory text not null,
    primary key (tenant_id, asset_id),
    foreign key (tenant_id, asset_id) references assets (tenant_id, id) on delete cascade
  )`,
  `create table metric_points (
    tenant_id text not null,
    job_id text not null,
    position bigint not null,
    asset_id text not null,
    metric_ms bigint not null,
    metric_name text not null,
    metric_aggregation text not null,
    attribute text,
    segment text,
    monitor_id text,
    value double precision,
    lower_bound double precision,
    upper_bound double precision,
    is_violation integer not null,
    is_excluded integer not null,
    primary key (tenant_id, job_id, position),
    foreign key (tenant_id, job_id) references jobs (tenant_id, id) on delete cascade
  )`,
  'create index metric_points_by_time on metric_points (tenant_id, asset_id, metric_ms)',
  'create index metric_points_by_name on metric_points (tenant_id, asset_id, metric_name, metric_ms)',
  `create table schema_changes (
    tenant_id text not null,
    job_id text not null,
    position bigint not null,
    kind text not null,
    attribute text not null,
    type_before text,
    type_after text,
    primary key (tenant_id, job_id, position),
    foreign key (tenant_id, job_id) references jobs (tenant_id, id) on delete cascade
  )`,
  `create table row_samples (
    tenant_id text not null,
    job_id text not null,
    position bigint not null,
    monitor_id text,
    reason text not null,
    record_id text,
    sample text not null,
    primary key (tenant_id, job_id, position),
    foreign key (tenant_id, job_id) references jobs (tenant_id, id) on delete cascade
  )`,
  `create table webhook_deliveries (
    tenant_id text not null references tenants (id),
    id text not null,
    url text not null,
    body text not null,
    attempts integer not null,
    created_ms bigint not null,
    next_attempt_ms bigint not null,
    last_error text,
    primary key (tenant_id, id)
  )`,
  'create index webhook_deliveries_by_attempt on webhook_deliveries (next_attempt_ms)',
];
