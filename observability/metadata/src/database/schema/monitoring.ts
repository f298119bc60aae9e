// SPDX-License-Identifier: Apache-2.0
/** Monitors, alerts and incidents as queries see them: names and types follow the migrations; a flag is 0 or 1, `_ms` is milliseconds since 1970. */

export type MonitoringSchema = {
  ticket_templates: {
    tenant_id: string;
    id: number;
    name: string;
    description: string | null;
    type: string;
    props: string;
  };
  monitors: {
    tenant_id: string;
    asset_id: string;
    id: string;
    position: number;
    is_prebuilt: number;
    type: string;
    name: string;
    is_enabled: number;
    description: string | null;
    impact: string | null;
    tags: string | null;
    definition: string;
    threshold: string;
    notification: string | null;
    ticketing: string | null;
    ticket_template_id: number | null;
    created_by: string;
    created_ms: number;
    modified_by: string;
    modified_ms: number;
  };
  channels: {
    tenant_id: string;
    name: string;
    type: string;
    addresses: string;
    created_ms: number;
    secret: string | null;
    secret_key_id: string | null;
  };
  alerts: {
    tenant_id: string;
    id: number;
    source: string;
    monitor_id: string;
    type: string;
    attribute: string;
    job_id: string;
    create_ms: number;
    save_ms: number;
    violation_data: string;
    violation_name: string;
    notification_channels: string;
    is_notification_enabled: number;
    metric_ms: number;
    is_notified: number;
    metric_value: number;
    policy_name: string;
    segment: string;
    priority: string;
    description: string;
    source_name: string;
    source_type: string;
    project_name: string;
    tags: string;
    series: string;
    metric: string;
    incident_id: number | null;
  };
  incidents: {
    tenant_id: string;
    id: number;
    project_id: number;
    asset_id: string;
    last_upload_ms: number;
    created_ms: number;
    created_day: number;
    closed_ms: number | null;
    severity: string;
    impact: string | null;
    status: string;
    ticket_id: number | null;
    alert_policy_id: string;
    alert_policy_name: string;
    policy_key: string;
    description: string;
    tags: string;
    metrics: string;
    assignee_id: string | null;
    kind: string;
  };
  incident_history: {
    tenant_id: string;
    incident_id: number;
    position: number;
    event_ms: number;
    state: string;
    alert_refs: string;
    actor: string;
  };
  incident_tags: {
    tenant_id: string;
    incident_id: number;
    tag: string;
    status: string;
  };
};
