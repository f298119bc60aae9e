// SPDX-License-Identifier: Apache-2.0
/**
 * Creates the ticket of an incident, once. A process may die, or an answer get lost, between the tracker's creating the ticket and our noting
 * it. So each ticket carries a label made of its delivery's id, and every attempt asks the tracker for that label before it creates.
 * The id and not the incident's number: two installations may share a tracker, and their numbers.
 */
import { DeliveryFailure, type IssueFields, type Tracker } from '@sextant/observability-delivery';
import { MetadataMissing, type TenantMetadata } from '@sextant/observability-metadata';
import type { Aftermath, Attempt, DeliveryMeans } from './attempt.ts';
import { incidentLink } from './incident-link.ts';
import { openTracker } from './open-tracker.ts';
import { payloadOf, type TicketPayload } from './payloads.ts';
import { issueFields } from './ticket-fields.ts';
import { incidentVariables } from './ticket-variables.ts';

/** A tracker finds what is new a moment later than it has it. */
const INDEXED_AFTER_MS = 30_000;

export async function deliverTicket({ claim, tenant, means, wire }: Attempt): Promise<Aftermath | undefined> {
  const { id, incident_id } = claim.delivery;
  const payload = payloadOf<TicketPayload>(claim);
  if (incident_id === null) throw new DeliveryFailure('the ticket belongs to no incident', { isPermanent: true });
  if ((await tenant.tickets.find(incident_id)) !== undefined) return undefined;
  const tracker = await openTracker(tenant, wire);
  const mark = ticketMark(id);
  const key =
    (await tracker.findByLabel(mark)) ?? (await create(tracker, await fieldsOf(tenant, means, { ...payload, incident_id, mark })));
  const ticket = { incident_id, key, url: tracker.browseUrl(key), template_id: payload.template_id };
  return async ({ tickets }) => {
    await tickets.link(ticket, payload.actor);
  };
}

export function ticketMark(deliveryId: string): string {
  return `sextant-${deliveryId}`;
}

/** Where nobody knows whether the ticket was made, the next attempt waits until the tracker can find it. */
async function create(tracker: Tracker, fields: IssueFields): Promise<string> {
  try {
    return await tracker.create(fields);
  } catch (cause) {
    if (!(cause instanceof DeliveryFailure) || cause.isPermanent) throw cause;
    const retryAfterMs = Math.max(INDEXED_AFTER_MS, cause.retryAfterMs ?? 0);
    throw new DeliveryFailure(cause.message, { retryAfterMs, cause });
  }
}

type Wanted = Omit<TicketPayload, 'actor'> & { readonly incident_id: number; readonly mark: string };

async function fieldsOf(tenant: TenantMetadata, { publicUrl }: DeliveryMeans, wanted: Wanted): Promise<IssueFields> {
  const { incident_id, template_id, custom_fields, mark } = wanted;
  try {
    const { props } = await tenant.ticketTemplates.get(template_id);
    const link = incidentLink(publicUrl, incident_id);
    const variables = await incidentVariables(tenant, { incidentId: incident_id, link });
    const labels = ['sextant', `sextant-incident-${tenant.tenantId}-${incident_id}`, mark];
    return issueFields({ ...props, custom_fields: { ...props.custom_fields, ...custom_fields } }, { variables, labels }).fields;
  } catch (cause) {
    if (!(cause instanceof MetadataMissing)) throw cause;
    throw new DeliveryFailure(cause.message.replace(/\.$/, ''), { isPermanent: true, cause });
  }
}
