// SPDX-License-Identifier: Apache-2.0
/** What each monitor came to in a scan, and incidents of monitors that cannot be evaluated. */
import type { Migration } from '../migration.ts';

export const checks: Migration = [
  // How many monitors came to which state, as JSON; null before there were any counts.
  'alter table jobs add column checks text',
  `create table checks (
    tenant_id text not null,
    job_id text not null,
    position bigint not null,
    asset_id text not null,
    metric_ms bigint not null,
    monitor_id text not null,
    monitor_name text not null,
    state text not null,
    reason text,
    primary key (tenant_id, job_id, position),
    foreign key (tenant_id, job_id) references jobs (tenant_id, id) on delete cascade
  )`,
  'create index checks_by_time on checks (tenant_id, metric_ms)',
  // It was on and compared nothing.
  "update monitors set is_enabled = 0 where id = 'DATA_DIFFERENCE' and is_prebuilt = 1",
  "alter table incidents add column kind text not null default 'VIOLATION'",
];
