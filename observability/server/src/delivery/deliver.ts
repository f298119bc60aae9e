// SPDX-License-Identifier: Apache-2.0
/** One attempt at one delivery, by its kind. */
import { sendJobWebhook } from '@sextant/observability-delivery';
import type { Aftermath, Attempt } from './attempt.ts';
import { deliverNotification } from './deliver-notification.ts';
import { deliverTicket } from './deliver-ticket.ts';
import { deliverTicketComment } from './deliver-ticket-comment.ts';
import { type JobWebhookPayload, payloadOf } from './payloads.ts';

/** @throws DeliveryFailure */
export async function deliver(attempt: Attempt): Promise<Aftermath | undefined> {
  const { claim, wire } = attempt;
  switch (claim.delivery.kind) {
    case 'JOB_WEBHOOK':
      await sendJobWebhook(wire, { id: claim.delivery.id, ...payloadOf<JobWebhookPayload>(claim) });
      return undefined;
    case 'NOTIFICATION':
      return deliverNotification(attempt);
    case 'TICKET':
      return deliverTicket(attempt);
    case 'TICKET_COMMENT':
      return deliverTicketComment(attempt);
  }
}
