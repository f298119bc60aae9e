// SPDX-License-Identifier: Apache-2.0
/** The outbox of everything that goes out, tickets in the tracker, how to reach it, and the secrets that webhooks are signed with. */
import type { Migration } from '../migration.ts';

export const delivery: Migration = [
  // number is the order of arrival within a tenant; of one lane, a later delivery waits until the earlier ones have ended.
  `create table deliveries (
    tenant_id text not null references tenants (id),
    id text not null,
    number bigint not null,
    kind text not null,
    dedup_key text,
    lane text not null,
    target text not null,
    recipient text not null,
    incident_id bigint,
    channel text,
    payload text not null,
    status text not null,
    attempts integer not null,
    lease text,
    created_ms bigint not null,
    first_attempt_ms bigint,
    last_attempt_ms bigint,
    next_attempt_ms bigint not null,
    ended_ms bigint,
    last_error text,
    primary key (tenant_id, id)
  )`,
  'create unique index deliveries_by_key on deliveries (tenant_id, dedup_key)',
  'create index deliveries_by_number on deliveries (tenant_id, number)',
  'create index deliveries_by_incident on deliveries (tenant_id, incident_id, number)',
  "create index deliveries_due on deliveries (next_attempt_ms) where status = 'PENDING'",
  "create index deliveries_waiting on deliveries (tenant_id, lane, number) where status = 'PENDING'",
  'create index deliveries_by_end on deliveries (tenant_id, ended_ms)',
  // A web address has no character that JSON escapes but these two.
  `insert into deliveries
    select tenant_id, id, row_number() over (partition by tenant_id order by created_ms, id), 'JOB_WEBHOOK', null, id, 'webhook', 'webhook', null, null,
      '{"url":"' || replace(replace(url, '\\', '\\\\'), '"', '\\"') || '","body":' || body || '}',
      'PENDING', attempts, null, created_ms, null, null, next_attempt_ms, null, last_error
    from webhook_deliveries`,
  `insert into counters (tenant_id, kind, next)
    select tenant_id, 'delivery', count(*) + 1 from webhook_deliveries group by tenant_id`,
  'drop table webhook_deliveries',
  `create table tickets (
    tenant_id text not null,
    id bigint not null,
    incident_id bigint not null,
    tracker_key text not null,
    url text not null,
    status text,
    template_id bigint,
    created_ms bigint not null,
    synced_ms bigint not null,
    last_error text,
    primary key (tenant_id, id),
    foreign key (tenant_id, incident_id) references incidents (tenant_id, id) on delete cascade
  )`,
  'create unique index tickets_by_incident on tickets (tenant_id, incident_id)',
  `create table tracker_connections (
    tenant_id text primary key references tenants (id),
    base_url text not null,
    email text,
    token text not null,
    token_key_id text not null,
    poll_interval_seconds bigint not null
  )`,
  'alter table channels add column secret text',
  'alter table channels add column secret_key_id text',
];
