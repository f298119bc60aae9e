// SPDX-License-Identifier: Apache-2.0
import { DeliveryFailure } from '@sextant/observability-delivery';
import type { Aftermath, Attempt } from './attempt.ts';
import { incidentLink } from './incident-link.ts';
import { type NotificationPayload, payloadOf } from './payloads.ts';
import { sendMessage } from './send-message.ts';

/** Notifies one address of a channel, as the channel is now: an address that was removed is not notified any more. */
export async function deliverNotification({ claim, tenant, means, wire }: Attempt): Promise<Aftermath> {
  const { address, message, step } = payloadOf<NotificationPayload>(claim);
  const { id, channel: name } = claim.delivery;
  const channel = (await tenant.channels.list()).find((each) => each.name === name);
  if (channel === undefined) throw new DeliveryFailure('the channel no longer exists', { isPermanent: true });
  if (!channel.addresses.includes(address)) {
    throw new DeliveryFailure('the channel no longer has this address', { isPermanent: true });
  }
  const link = incidentLink(means.publicUrl, message.incident.id);
  await sendMessage({ tenant, means, wire }, { channel, address, id, message: { ...message, link } });
  const { source, metric_times, incident_ids = [message.incident.id] } = step;
  return async ({ alerts }) => {
    for (const metric_time of metric_times) {
      for (const incident_id of incident_ids) await alerts.markNotified({ source, incident_id, metric_time });
    }
  };
}
