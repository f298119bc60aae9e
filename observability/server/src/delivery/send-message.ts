// SPDX-License-Identifier: Apache-2.0
/** A message to one address of a channel, by the channel's kind. */
import type { NotificationChannel } from '@sextant/contracts-observability';
import {
  type IncidentMessage,
  incidentMail,
  sendSlack,
  sendTeams,
  sendWebhook,
  type Wire,
  webhookBody,
} from '@sextant/observability-delivery';
import type { TenantMetadata } from '@sextant/observability-metadata';
import type { DeliveryMeans } from './attempt.ts';
import { validSecrets } from './channel-secret.ts';

export type ChannelMessage = {
  readonly channel: NotificationChannel;
  readonly address: string;
  /** The same at each attempt. */
  readonly id: string;
  readonly message: IncidentMessage;
};

/** Where from, and by what means. */
export type Sender = { readonly tenant: TenantMetadata; readonly means: DeliveryMeans; readonly wire: Wire };

/** @throws DeliveryFailure */
export async function sendMessage({ tenant, means, wire }: Sender, { channel, address, id, message }: ChannelMessage): Promise<void> {
  switch (channel.type) {
    case 'EMAIL':
      return means.mailer.send({ to: address, id, ...incidentMail(message) }, wire.signal);
    case 'SLACK':
      return sendSlack(wire, { url: address, message });
    case 'TEAMS':
      return sendTeams(wire, { url: address, message });
    case 'WEBHOOK': {
      const secrets = validSecrets(await tenant.channels.secret(channel.name), wire.clock.nowMs());
      return sendWebhook(wire, { url: address, id, body: webhookBody(message), secrets });
    }
  }
}
