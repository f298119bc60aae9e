// SPDX-License-Identifier: Apache-2.0
/** Queues what goes to the tracker: a ticket for an incident, and comments in it. */
import type { IncidentMessage } from '@sextant/observability-delivery';
import type { NewDelivery, TenantMetadata } from '@sextant/observability-metadata';
import type { TicketCommentPayload, TicketPayload } from './payloads.ts';

/**
 * Undefined when one was asked for before with the same key. A second one of an incident that has its ticket by then does nothing: they
 * stand in one lane.
 */
export async function requestTicket(
  tenant: TenantMetadata,
  { incidentId, dedupKey }: { readonly incidentId: number; readonly dedupKey: string | null },
  payload: TicketPayload,
) {
  return tenant.deliveries.enqueue({ ...(await towardsTracker(tenant, incidentId)), kind: 'TICKET', dedup_key: dedupKey, payload });
}

/** Where the incident has a ticket, or will have one: what waits in the same lane goes first. */
export async function commentInTicket(tenant: TenantMetadata, message: Omit<IncidentMessage, 'link'>, step: number): Promise<void> {
  const { id, ticket_id } = message.incident;
  const isAskedFor = ticket_id !== 0 || (await tenant.deliveries.list({ incident_id: id, kind: 'TICKET', status: 'PENDING' })).length > 0;
  if (!isAskedFor) return;
  const payload: TicketCommentPayload = { text: commentText(message) };
  await tenant.deliveries.enqueue({
    ...(await towardsTracker(tenant, id)),
    kind: 'TICKET_COMMENT',
    dedup_key: `comment ${id} ${step}`,
    payload,
  });
}

function commentText({ event, incident, actor, occurred_at }: Omit<IncidentMessage, 'link'>): string {
  const by = actor === 'system' ? '' : ` by ${actor}`;
  switch (event) {
    case 'resolved':
      return `Incident ${incident.id} was resolved${by} at ${occurred_at}.`;
    case 'reopened':
      return `Incident ${incident.id} was reopened${by} at ${occurred_at}. ${incident.description}`.trim();
    case 'severity_raised':
      return `Incident ${incident.id} became more severe: ${incident.severity}. ${incident.description}`.trim();
    case 'still_open':
      return `Incident ${incident.id} is still open at ${occurred_at}. ${incident.description}`.trim();
    case 'opened':
    case 'test':
      return `Incident ${incident.id} began at ${occurred_at}.`;
  }
}

async function towardsTracker(
  tenant: TenantMetadata,
  incidentId: number,
): Promise<Pick<NewDelivery, 'lane' | 'target' | 'recipient' | 'incident_id' | 'channel'>> {
  const connection = await tenant.trackerConnection.find();
  const host = URL.parse(connection?.base_url ?? '')?.host ?? 'tracker';
  return { lane: `ticket ${incidentId}`, target: host, recipient: host, incident_id: incidentId, channel: null };
}
