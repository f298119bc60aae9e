// SPDX-License-Identifier: Apache-2.0
import { DeliveryFailure } from '@sextant/observability-delivery';
import type { Attempt } from './attempt.ts';
import { openTracker } from './open-tracker.ts';
import { payloadOf, type TicketCommentPayload } from './payloads.ts';

/** Says in the ticket what became of its incident; the delivery's id at the end shows whether an earlier attempt did. */
export async function deliverTicketComment({ claim, tenant, wire }: Attempt): Promise<undefined> {
  const { id, incident_id } = claim.delivery;
  const { text } = payloadOf<TicketCommentPayload>(claim);
  const ticket = incident_id === null ? undefined : await tenant.tickets.find(incident_id);
  if (ticket === undefined) throw new DeliveryFailure('the incident has no ticket', { isPermanent: true });
  const tracker = await openTracker(tenant, wire);
  if (await tracker.hasComment(ticket.key, id)) return;
  await tracker.comment(ticket.key, `${text}\n\nSextant ${id}`);
}
