/** A step of an incident as the message that people get. */
import type { IncidentEventName, IncidentMessage } from '@sextant/observability-delivery';
import type { IncidentEvent } from './announce.ts';

/** A receiver of webhooks takes small bodies; who wants all alerts asks for them. */
const ALERTS_MAX = 20;

export function incidentMessage(tenant: string, event: IncidentEventName, step: IncidentEvent): Omit<IncidentMessage, 'link'> {
  const { alerts, actor, asset } = step;
  const { metrics: _metrics, history, ...incident } = step.incident;
  return {
    event,
    occurred_at: history.at(-1)?.timestamp ?? incident.created_time,
    tenant,
    actor,
    incident,
    asset: { id: asset.id, name: asset.name, type: asset.type },
    policy: { id: incident.alert_policy_id, name: incident.alert_policy_name },
    alerts: alerts
      .slice(0, ALERTS_MAX)
      .map(({ attribute, segment, priority, violation_name, metric_value, metric_time, description, job_id }) => ({
        attribute,
        segment,
        priority,
        violation_name,
        metric_value,
        metric_time,
        description,
        job_id,
      })),
    alert_count: alerts.length,
  };
}
