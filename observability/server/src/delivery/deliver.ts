/** One attempt at one delivery, by its kind. */
import type { OutboundGuard } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import { type Mailer, sendJobWebhook, type Wire } from '@sextant/observability-delivery';
import type { ClaimedDelivery, TenantMetadata } from '@sextant/observability-metadata';
import { deliverNotification } from './deliver-notification.ts';
import { deliverTicket } from './deliver-ticket.ts';
import { deliverTicketComment } from './deliver-ticket-comment.ts';
import type { Aftermath } from './outbox.ts';
import { type JobWebhookPayload, payloadOf } from './payloads.ts';

/** What leads out of the service. */
export type DeliveryMeans = {
  readonly guard: OutboundGuard;
  readonly clock: Clock;
  readonly mailer: Mailer;
  /** Of the service, as people reach it; undefined where the operator has not said. */
  readonly publicUrl: string | undefined;
};

export type Attempt = {
  readonly claim: ClaimedDelivery;
  readonly tenant: TenantMetadata;
  readonly means: DeliveryMeans;
  readonly wire: Wire;
};

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

/** Where the incident is read. */
export function incidentLink(publicUrl: string | undefined, tenantId: string, incidentId: number): string | null {
  return publicUrl === undefined ? null : `${publicUrl.replace(/\/+$/, '')}/api/backend/${tenantId}/incidents/${incidentId}`;
}
