// SPDX-License-Identifier: Apache-2.0
/** A step of an incident as the message that people get. */

import { assert } from '@sextant/foundation-std';
import type { IncidentEventName, IncidentMessage } from '@sextant/observability-delivery';
import type { TenantMetadata } from '@sextant/observability-metadata';
import type { IncidentEvent } from './incident-event.ts';

/** A receiver of webhooks takes small bodies; who wants all alerts asks for them. */
const ALERTS_MAX = 20;
const RELATED_MAX = 20;

/** About the first of the events; the others happened for the same cause. */
export async function incidentMessage(
  tenant: TenantMetadata,
  event: IncidentEventName,
  events: readonly IncidentEvent[],
): Promise<Omit<IncidentMessage, 'link'>> {
  const [first] = events;
  assert(first !== undefined, 'a message is about an incident');
  const { alerts, actor, asset } = first;
  const { metrics: _metrics, history, ...incident } = first.incident;
  const ids = new Set(events.map((each) => each.incident.id));
  const related = (await tenant.incidentStories.related(incident.id)).filter(
    ({ incident_id, role }) => incident_id !== incident.id && (role === 'CAUSE' || ids.has(incident_id)),
  );
  return {
    event,
    occurred_at: history.at(-1)?.timestamp ?? incident.created_time,
    tenant: tenant.tenantId,
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
    why: event === 'resolved' ? [] : ((await tenant.incidentStories.find(incident.id))?.why ?? []),
    related: related.slice(0, RELATED_MAX),
  };
}
