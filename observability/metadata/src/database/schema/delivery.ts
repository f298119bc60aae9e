// SPDX-License-Identifier: Apache-2.0
/** The outbox of everything that goes out, tickets in the tracker, and how to reach it. */
import { OF_INCIDENT, OF_TENANT, table } from './table.ts';

export const DELIVERY = {
  deliveries: table(['primary key (tenant_id, id)', OF_TENANT], {
    tenant_id: 'text',
    id: 'text',
    // The order of arrival within a tenant; of one lane, a later delivery waits until the earlier ones have ended.
    number: 'bigint',
    kind: 'text',
    dedup_key: 'text?',
    lane: 'text',
    target: 'text',
    recipient: 'text',
    incident_id: 'bigint?',
    channel: 'text?',
    payload: 'text',
    status: 'text',
    attempts: 'integer',
    lease: 'text?',
    created_ms: 'bigint',
    first_attempt_ms: 'bigint?',
    last_attempt_ms: 'bigint?',
    next_attempt_ms: 'bigint',
    ended_ms: 'bigint?',
    last_error: 'text?',
  }),
  tickets: table(['primary key (tenant_id, id)', OF_INCIDENT], {
    tenant_id: 'text',
    id: 'bigint',
    incident_id: 'bigint',
    tracker_key: 'text',
    url: 'text',
    status: 'text?',
    template_id: 'bigint?',
    created_ms: 'bigint',
    synced_ms: 'bigint',
    last_error: 'text?',
  }),
  tracker_connections: table(['primary key (tenant_id)', OF_TENANT], {
    tenant_id: 'text',
    base_url: 'text',
    email: 'text?',
    token: 'text',
    token_key_id: 'text',
    poll_interval_seconds: 'bigint',
  }),
};

export const DELIVERY_INDEXES = [
  'create unique index deliveries_by_key on deliveries (tenant_id, dedup_key)',
  'create index deliveries_by_number on deliveries (tenant_id, number)',
  'create index deliveries_by_incident on deliveries (tenant_id, incident_id, number)',
  "create index deliveries_due on deliveries (next_attempt_ms) where status = 'PENDING'",
  "create index deliveries_waiting on deliveries (tenant_id, lane, number) where status = 'PENDING'",
  'create index deliveries_by_end on deliveries (tenant_id, ended_ms)',
  'create unique index tickets_by_incident on tickets (tenant_id, incident_id)',
];
