// SPDX-License-Identifier: Apache-2.0
/** What people do about incidents and with points, who did what, and what connects alerts with their incidents and points. */
import type { Migration } from '../migration.ts';

export const incidentCare: Migration = [
  // series names the measured point of the job, metric is what the incident says of it, both as JSON.
  "alter table alerts add column series text not null default 'null'",
  "alter table alerts add column metric text not null default '{}'",
  'alter table alerts add column incident_id bigint',
  'create index alerts_stray on alerts (tenant_id, source, metric_ms) where incident_id is null',
  "alter table incident_history add column actor text not null default 'system'",
  'alter table incidents add column assignee_id text',
  `create table incident_comments (
    tenant_id text not null,
    incident_id bigint not null,
    id bigint not null,
    author text not null,
    created_ms bigint not null,
    text text not null,
    primary key (tenant_id, incident_id, id),
    foreign key (tenant_id, incident_id) references incidents (tenant_id, id) on delete cascade
  )`,
  'alter table metric_points add column excluded_by text',
  'alter table metric_points add column excluded_ms bigint',
  'alter table metric_points add column exclusion_comment text',
  'create index metric_points_excluded on metric_points (tenant_id, asset_id, metric_ms) where is_excluded = 1',
  `create table audit (
    tenant_id text not null references tenants (id),
    id bigint not null,
    event_ms bigint not null,
    actor text not null,
    action text not null,
    subject_type text not null,
    subject_id text not null,
    details text not null,
    primary key (tenant_id, id)
  )`,
  'create index audit_by_subject on audit (tenant_id, subject_type, subject_id, id)',
  'create index audit_by_time on audit (tenant_id, event_ms)',
];
