// SPDX-License-Identifier: Apache-2.0
/** What tenants and assets configure, and the log of background errors. */
import type { Migration } from '../migration.ts';

export const configurations: Migration = [
  `create table spark_configs (
    tenant_id text primary key references tenants (id),
    config text not null
  )`,
  `create table dq_score_configs (
    tenant_id text not null,
    asset_id text not null,
    config text not null,
    primary key (tenant_id, asset_id),
    foreign key (tenant_id, asset_id) references assets (tenant_id, id) on delete cascade
  )`,
  `create table dq_reporting_configs (
    tenant_id text primary key references tenants (id),
    is_enabled integer not null,
    path text not null,
    connection_id bigint not null,
    foreign key (tenant_id, connection_id) references connections (tenant_id, id)
  )`,
  `create table background_errors (
    tenant_id text not null references tenants (id),
    number bigint not null,
    event_ms bigint not null,
    error_class text not null,
    message text not null,
    exception_type text not null,
    stack_trace text not null,
    primary key (tenant_id, number)
  )`,
];
