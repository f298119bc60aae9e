// SPDX-License-Identifier: Apache-2.0
/** The score of each scan, and the outbox of scan reports. */
import type { Migration } from '../migration.ts';

export const scores: Migration = [
  `create table dq_scores (
    tenant_id text not null,
    job_id text not null,
    asset_id text not null,
    metric_ms bigint not null,
    score double precision,
    parts text not null,
    primary key (tenant_id, job_id),
    foreign key (tenant_id, job_id) references jobs (tenant_id, id) on delete cascade
  )`,
  'create index dq_scores_by_time on dq_scores (tenant_id, asset_id, metric_ms)',
  // A report outlives its asset, as a record of what happened.
  `create table scan_reports (
    tenant_id text not null references tenants (id),
    job_id text not null,
    report text not null,
    attempts integer not null,
    created_ms bigint not null,
    next_attempt_ms bigint not null,
    last_error text,
    primary key (tenant_id, job_id)
  )`,
  'create index scan_reports_by_attempt on scan_reports (next_attempt_ms)',
];
