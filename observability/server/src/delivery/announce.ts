/** Puts what an incident's step announces into the outbox, in the transaction of the step. */
import { createHash } from 'node:crypto';
import type { Asset, IncidentDetail, IncidentState, Monitor, NotificationChannel } from '@sextant/contracts-observability';
import type { IncidentEventName } from '@sextant/observability-delivery';
import type { NewAlert, TenantMetadata } from '@sextant/observability-metadata';
import { incidentMessage } from './incident-message.ts';
import type { NotificationPayload } from './payloads.ts';
import { commentInTicket, requestTicket } from './request-ticket.ts';

/** One step in the life of an incident. */
export type IncidentEvent = {
  readonly incident: IncidentDetail;
  readonly state: IncidentState;
  /** The alerts of this step; none when it was resolved. */
  readonly alerts: readonly NewAlert[];
  readonly asset: Asset;
  /** Undefined when the monitor has been deleted. */
  readonly monitor: Monitor | undefined;
  /** A person's e-mail address, or `system`. */
  readonly actor: string;
};

/**
 * Notifies of the start of an incident, of its end, and of its becoming more severe than announced; asks for a ticket once, and
 * says the same in the ticket. All is queued here and sent by the outbox.
 */
export async function announce(tenant: TenantMetadata, event: IncidentEvent): Promise<void> {
  const name = await eventName(tenant, event);
  if (name === undefined) return;
  await notify(tenant, name, event);
  const { incident, monitor } = event;
  const templateId = monitor?.ticketing?.create_ticket === true ? monitor.ticketing.ticket_template_id : null;
  if ((name === 'opened' || name === 'reopened') && incident.ticket_id === 0 && templateId !== null) {
    await requestTicket(
      tenant,
      { incidentId: incident.id, dedupKey: `ticket ${incident.id}` },
      { template_id: templateId, custom_fields: {}, actor: 'system' },
    );
  }
  if (name !== 'opened') await commentInTicket(tenant, incidentMessage(tenant.tenantId, name, event), incident.history.length);
}

/** An ongoing incident is no news: it was announced when it began. */
async function eventName(tenant: TenantMetadata, { state, incident }: IncidentEvent): Promise<IncidentEventName | undefined> {
  switch (state) {
    case 'NEW':
      return 'opened';
    case 'REOPENED':
      return 'reopened';
    case 'RESOLVED':
      return 'resolved';
    case 'ONGOING': {
      // `notify` wrote it; undefined where nothing was announced, and then there is nothing to correct.
      const announced = (await tenant.deliveries.lastNotification(incident.id)) as NotificationPayload | undefined;
      return announced !== undefined && rank(incident.severity) > rank(announced.message.incident.severity) ? 'severity_raised' : undefined;
    }
  }
}

function rank(severity: IncidentDetail['severity']): number {
  return ['', 'LOW', 'MEDIUM', 'HIGH'].indexOf(severity);
}

async function notify(tenant: TenantMetadata, name: IncidentEventName, event: IncidentEvent): Promise<void> {
  const { monitor, incident, alerts } = event;
  if (monitor?.notification?.send_notifications !== true) return;
  const channels = new Map((await tenant.channels.list()).map((channel) => [channel.name, channel]));
  const message = incidentMessage(tenant.tenantId, name, event);
  const metric_times = [...new Set(alerts.map((alert) => alert.metric_time))];
  const step = { source: incident.asset_id, monitor_id: incident.alert_policy_id, metric_times };
  for (const channelName of new Set(monitor.notification.notification_channel_names ?? [])) {
    const channel = channels.get(channelName);
    if (channel === undefined) {
      await reportMissingChannel(tenant, { channelName, incidentId: incident.id, monitor });
      continue;
    }
    for (const address of new Set(channel.addresses)) {
      const payload: NotificationPayload = { address, message, step };
      // Addresses may be longer than an entry of an index.
      const place = createHash('sha256')
        .update(JSON.stringify([channelName, address]))
        .digest('hex')
        .slice(0, 32);
      await tenant.deliveries.enqueue({
        kind: 'NOTIFICATION',
        dedup_key: `notification ${incident.id} ${incident.history.length} ${place}`,
        lane: `incident ${incident.id} ${place}`,
        ...receiverOf(channel, address),
        incident_id: incident.id,
        channel: channelName,
        payload,
      });
    }
  }
}

/** A web address may hold a secret, of which the log has the host alone; all mail goes to one server. */
function receiverOf({ type }: NotificationChannel, address: string): { readonly target: string; readonly recipient: string } {
  if (type === 'EMAIL') return { target: 'mail', recipient: address };
  const host = URL.parse(address)?.host ?? address;
  return { target: host, recipient: host };
}

type MissingChannel = { readonly channelName: string; readonly incidentId: number; readonly monitor: Monitor };

function reportMissingChannel(tenant: TenantMetadata, { channelName, incidentId, monitor }: MissingChannel): Promise<void> {
  const where = `The monitor ${JSON.stringify(monitor.name)} of asset ${monitor.asset_id}`;
  const message = `${where} notifies the channel ${JSON.stringify(channelName)}, which is gone; incident ${incidentId} was not announced there.`;
  return tenant.backgroundErrors.append({ error_class: 'NOTIFICATION', message, exception_type: 'ChannelMissing', stack_trace: '' });
}
