// SPDX-License-Identifier: Apache-2.0
/** One message to each address that any of a cause's incidents is announced to. */
import { createHash } from 'node:crypto';
import type { Monitor, NotificationChannel } from '@sextant/contracts-observability';
import type { IncidentEventName } from '@sextant/observability-delivery';
import type { TenantMetadata } from '@sextant/observability-metadata';
import { heardBefore } from './heard-before.ts';
import { type IncidentEvent, rootOf } from './incident-event.ts';
import { incidentMessage } from './incident-message.ts';
import type { NotificationPayload } from './payloads.ts';

/** The first event is the one that the message is about; to the others the same happened for the same cause. */
export async function notifyOfGroup(tenant: TenantMetadata, name: IncidentEventName, events: readonly IncidentEvent[]): Promise<void> {
  const [first, ...others] = events;
  const wanted = events.filter(({ monitor }) => monitor?.notification?.send_notifications === true);
  if (first === undefined || wanted.length === 0) return;
  const channels = new Map((await tenant.channels.list()).map((channel) => [channel.name, channel]));
  const { incident } = first;
  const message = await incidentMessage(tenant, name, events);
  const metric_times = [...new Set(events.flatMap(({ alerts }) => alerts.map((alert) => alert.metric_time)))];
  const step = { source: incident.asset_id, metric_times, incident_ids: events.map((event) => event.incident.id) };
  const isHeard = await heardBefore(tenant, name, [first, ...others]);
  const notified = new Set<string>();
  for (const { monitor, incident: own } of wanted) {
    for (const channelName of monitor?.notification?.notification_channel_names ?? []) {
      if (notified.has(channelName)) continue;
      notified.add(channelName);
      const channel = channels.get(channelName);
      if (channel === undefined) {
        if (monitor !== undefined) await reportMissingChannel(tenant, { channelName, incidentId: own.id, monitor });
        continue;
      }
      for (const address of new Set(channel.addresses)) {
        if (isHeard(channelName, address)) continue;
        const payload: NotificationPayload = { address, message, step };
        // Addresses may be longer than an entry of an index.
        const place = createHash('sha256')
          .update(JSON.stringify([channelName, address]))
          .digest('hex')
          .slice(0, 32);
        await tenant.deliveries.enqueue({
          kind: 'NOTIFICATION',
          dedup_key: `notification ${incident.id} ${incident.history.length} ${place}`,
          lane: `incident ${rootOf(first)} ${place}`,
          ...receiverOf(channel, address),
          incident_id: incident.id,
          channel: channelName,
          payload,
        });
      }
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
  const message = `${where} notifies the channel ${JSON.stringify(channelName)}, which no longer exists; incident ${incidentId} was not announced there.`;
  return tenant.backgroundErrors.append({ error_class: 'NOTIFICATION', message, exception_type: 'ChannelMissing', stack_trace: '' });
}
