// SPDX-License-Identifier: Apache-2.0
/** Puts what steps of incidents announce into the outbox, in the transaction of the steps. */
import type { IncidentDetail } from '@sextant/contracts-observability';
import type { IncidentEventName } from '@sextant/observability-delivery';
import type { TenantMetadata } from '@sextant/observability-metadata';
import { type IncidentEvent, rankOfSeverity, rootOf } from './incident-event.ts';
import { incidentMessage } from './incident-message.ts';
import { notifyOfGroup } from './notify-group.ts';
import type { NotificationPayload } from './payloads.ts';
import { commentInTicket, requestTicket } from './request-ticket.ts';

/**
 * Notifies of the start of an incident, of its end, and of its becoming more severe than announced; asks for a ticket once, and
 * says the same in the ticket. Incidents of one cause to which the same happens are one message and one ticket. All is queued here and sent by the outbox.
 */
export async function announceAll(tenant: TenantMetadata, events: readonly IncidentEvent[]): Promise<void> {
  const groups = new Map<string, { readonly name: IncidentEventName; readonly events: IncidentEvent[] }>();
  for (const event of events) {
    const name = await toldName(tenant, event);
    if (name === undefined) continue;
    const key = `${name} ${rootOf(event)}`;
    const group = groups.get(key) ?? { name, events: [] };
    groups.set(key, group);
    if (event.incident.id === rootOf(event)) group.events.unshift(event);
    else group.events.push(event);
  }
  // Whether an effect is announced depends on what was announced of its cause.
  const ordered = [...groups.values()].toSorted((one, other) => Number(hasCause(other.events)) - Number(hasCause(one.events)));
  for (const { name, events: ofOne } of ordered) {
    await notifyOfGroup(tenant, name, ofOne);
    if (name === 'opened' || name === 'reopened') await requestTickets(tenant, ofOne);
    if (name === 'opened') continue;
    for (const event of ofOne) await commentInTicket(tenant, await incidentMessage(tenant, name, [event]), event.incident.history.length);
  }
}

function hasCause(events: readonly IncidentEvent[]): boolean {
  return events.some((event) => event.incident.id === rootOf(event));
}

/** For each template one, of the first incident whose monitor wants it; none beside that of a cause which was announced before. */
async function requestTickets(tenant: TenantMetadata, events: readonly IncidentEvent[]): Promise<void> {
  const asked = new Set<number>();
  for (const event of events) {
    const { incident, monitor } = event;
    const template_id = monitor?.ticketing?.create_ticket === true ? monitor.ticketing.ticket_template_id : null;
    if (template_id === null || incident.ticket_id !== 0 || asked.has(template_id)) continue;
    if (rootOf(event) !== incident.id && (await tenant.tickets.find(rootOf(event))) !== undefined) continue;
    asked.add(template_id);
    const wanted = { template_id, custom_fields: {}, actor: 'system' };
    await requestTicket(tenant, { incidentId: incident.id, dedupKey: `ticket ${incident.id}` }, wanted);
  }
}

/** What is announced of it, as far as people want to hear of it now. */
async function toldName(tenant: TenantMetadata, event: IncidentEvent): Promise<IncidentEventName | undefined> {
  const handling = event.state === 'NEW' ? undefined : await tenant.incidentCare.handling(event.incident.id);
  switch (handling?.state) {
    case 'SNOOZED': {
      const { until } = handling;
      const at = event.incident.history.at(-1)?.timestamp ?? '';
      if (until !== null && at < until) return undefined;
      const wasAnnounced = await wasToldSince(tenant, event, until ?? at);
      return event.state === 'ONGOING' && !wasAnnounced ? 'still_open' : eventName(tenant, event);
    }
    case 'EXPECTED': {
      // A learned band reaches as far as what was expected, so that this is beyond it. What has no such band goes on; after a scan in between it is news.
      if (event.state !== 'REOPENED' || hasLearnedBand(event)) return eventName(tenant, event);
      const scans = await tenant.metricPoints.scans(event.asset.id, handling.timestamp);
      return scans.length <= 1 ? undefined : eventName(tenant, event);
    }
    case 'ACKNOWLEDGED':
    case 'FALSE_POSITIVE':
    case undefined:
      return eventName(tenant, event);
  }
}

function hasLearnedBand({ monitor, alerts }: IncidentEvent): boolean {
  return monitor?.threshold.threshold_type === 'ML' && alerts.some(({ series }) => series !== null);
}

async function wasToldSince(tenant: TenantMetadata, { incident }: IncidentEvent, since: string): Promise<boolean> {
  // `notifyOfGroup` wrote it.
  const last = (await tenant.deliveries.lastNotification(incident.id)) as NotificationPayload | undefined;
  return last === undefined || last.message.occurred_at >= since;
}

/** An ongoing incident is no news: it was announced when it began. */
async function eventName(tenant: TenantMetadata, event: IncidentEvent): Promise<IncidentEventName | undefined> {
  switch (event.state) {
    case 'NEW':
      return 'opened';
    case 'REOPENED':
      return 'reopened';
    case 'RESOLVED':
      return 'resolved';
    case 'ONGOING': {
      const announced = await announcedSeverity(tenant, event);
      // Where nothing was announced there is nothing to correct.
      return announced !== undefined && rankOfSeverity(event.incident.severity) > rankOfSeverity(announced) ? 'severity_raised' : undefined;
    }
  }
}

/** By its own last message, or by that of its cause. */
async function announcedSeverity(tenant: TenantMetadata, event: IncidentEvent): Promise<IncidentDetail['severity'] | undefined> {
  const { id } = event.incident;
  for (const of of new Set([id, rootOf(event)])) {
    // `notifyOfGroup` wrote it.
    const announced = (await tenant.deliveries.lastNotification(of)) as NotificationPayload | undefined;
    if (announced === undefined) continue;
    const { incident, related } = announced.message;
    const severity = incident.id === id ? incident.severity : related?.find(({ incident_id }) => incident_id === id)?.severity;
    if (severity !== undefined) return severity;
    // Who heard of the cause alone heard that it is as severe.
    if (of !== id) return incident.severity;
  }
  return undefined;
}
