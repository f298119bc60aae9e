// SPDX-License-Identifier: Apache-2.0
/** Why incidents are there, which of them have one cause, and how people handle them. */
import type { Migration } from '../migration.ts';

export const incidentStories: Migration = [
  // root_id is the incident that is the cause, of any asset; it may be gone. evidence and why are JSON.
  `create table incident_stories (
    tenant_id text not null,
    incident_id bigint not null,
    job_id text,
    root_id bigint,
    reason text,
    evidence text not null,
    why text not null,
    primary key (tenant_id, incident_id),
    foreign key (tenant_id, incident_id) references incidents (tenant_id, id) on delete cascade
  )`,
  'create index incident_stories_by_root on incident_stories (tenant_id, root_id)',
  // The latest that somebody said; the audit trail has what was said before.
  `create table incident_handling (
    tenant_id text not null,
    incident_id bigint not null,
    state text not null,
    actor text not null,
    event_ms bigint not null,
    until_ms bigint,
    note text,
    primary key (tenant_id, incident_id),
    foreign key (tenant_id, incident_id) references incidents (tenant_id, id) on delete cascade
  )`,
];
