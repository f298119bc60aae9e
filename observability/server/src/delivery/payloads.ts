// SPDX-License-Identifier: Apache-2.0
/** What waits in the outbox, by the kind of delivery. */
import type { IncidentMessage } from '@sextant/observability-delivery';
import type { ClaimedDelivery } from '@sextant/observability-metadata';

export type JobWebhookPayload = { readonly url: string; readonly body: unknown };

/** The step as it was; the link is added when it is sent. */
export type NotificationPayload = {
  readonly address: string;
  readonly message: Omit<IncidentMessage, 'link'>;
  /** The alerts of the step, which count as notified once this is delivered. Of the message's incident where no others are named. */
  readonly step: { readonly source: string; readonly metric_times: readonly string[]; readonly incident_ids?: readonly number[] };
};

/** What it says is read when it is sent, so that a template that was put right holds for a replay too. */
export type TicketPayload = {
  readonly template_id: number;
  /** Members of `custom_fields` that stand in for the template's. */
  readonly custom_fields: { readonly [field: string]: unknown };
  /** Who asked for it: a person's e-mail address, the name of an API key, or `system`. */
  readonly actor: string;
};

export type TicketCommentPayload = { readonly text: string };

/** The payload of a delivery whose kind has been looked at. */
export function payloadOf<Payload>({ payload }: ClaimedDelivery): Payload {
  // `announce`, `requestTicket` and the store of jobs wrote it as the kind's payload.
  return payload as Payload;
}
