// SPDX-License-Identifier: Apache-2.0
/** What people do about incidents, why incidents are there and which have one cause, and who did what. */
import { OF_INCIDENT, OF_TENANT, table } from './table.ts';

export const INCIDENT_CARE = {
  incident_comments: table(['primary key (tenant_id, incident_id, id)', OF_INCIDENT], {
    tenant_id: 'text',
    incident_id: 'bigint',
    id: 'bigint',
    author: 'text',
    created_ms: 'bigint',
    text: 'text',
  }),
  incident_stories: table(['primary key (tenant_id, incident_id)', OF_INCIDENT], {
    tenant_id: 'text',
    incident_id: 'bigint',
    job_id: 'text?',
    // The incident that is the cause, of any asset; it may be gone.
    root_id: 'bigint?',
    reason: 'text?',
    // JSON, as `why`.
    evidence: 'text',
    why: 'text',
  }),
  // The latest that somebody said; the audit trail has what was said before.
  incident_handling: table(['primary key (tenant_id, incident_id)', OF_INCIDENT], {
    tenant_id: 'text',
    incident_id: 'bigint',
    state: 'text',
    actor: 'text',
    event_ms: 'bigint',
    until_ms: 'bigint?',
    note: 'text?',
  }),
  audit: table(['primary key (tenant_id, id)', OF_TENANT], {
    tenant_id: 'text',
    id: 'bigint',
    event_ms: 'bigint',
    actor: 'text',
    action: 'text',
    subject_type: 'text',
    subject_id: 'text',
    details: 'text',
  }),
};

export const INCIDENT_CARE_INDEXES = [
  'create index incident_stories_by_root on incident_stories (tenant_id, root_id)',
  'create index audit_by_subject on audit (tenant_id, subject_type, subject_id, id)',
  'create index audit_by_time on audit (tenant_id, event_ms)',
];
