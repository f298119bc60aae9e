// SPDX-License-Identifier: Apache-2.0
/** Care for incidents and the audit trail as queries see them: names and types follow the migrations; `_ms` is milliseconds since 1970. */

export type IncidentCareSchema = {
  incident_comments: {
    tenant_id: string;
    incident_id: number;
    id: number;
    author: string;
    created_ms: number;
    text: string;
  };
  incident_stories: {
    tenant_id: string;
    incident_id: number;
    job_id: string | null;
    root_id: number | null;
    reason: string | null;
    evidence: string;
    why: string;
  };
  incident_handling: {
    tenant_id: string;
    incident_id: number;
    state: string;
    actor: string;
    event_ms: number;
    until_ms: number | null;
    note: string | null;
  };
  audit: {
    tenant_id: string;
    id: number;
    event_ms: number;
    actor: string;
    action: string;
    subject_type: string;
    subject_id: string;
    details: string;
  };
};
