// SPDX-License-Identifier: Apache-2.0
/** The tracker, and the tickets in it. */
import { ApiError, type TicketTemplate } from '@sextant/contracts-observability';
import { assert } from '@sextant/foundation-std';
import { createTracker, DeliveryFailure } from '@sextant/observability-delivery';
import { incidentLink } from '../delivery/incident-link.ts';
import { requestTicket } from '../delivery/request-ticket.ts';
import { issueFields } from '../delivery/ticket-fields.ts';
import { incidentVariables, sampleVariables } from '../delivery/ticket-variables.ts';
import { audited } from './audited.ts';
import { operation, type TenantContext } from './operation.ts';
import { numericId } from './parameters.ts';

const POLL_INTERVAL_SECONDS = 60;
/** What the audit trail calls it. */
const TRACKER_CONNECTION = { subject_type: 'CONFIGURATION', subject_id: 'tracker_connection' } as const;

export const getTrackerConnection = operation(
  'get_tracker_connection',
  async ({ tenant }) => (await tenant.trackerConnection.find()) ?? {},
);

/** Who may change the address may not know the token, and must not have it sent to a place of their own. */
export const putTrackerConnection = operation('put_tracker_connection', async (context, { body }) => {
  const { tenant } = context;
  const { base_url, poll_interval_seconds = POLL_INTERVAL_SECONDS } = body;
  const stored = await tenant.trackerConnection.find();
  const isElsewhere = stored === undefined || new URL(stored.base_url).origin !== new URL(base_url).origin;
  const api_token = body.api_token ?? (isElsewhere ? undefined : await tenant.trackerConnection.token());
  if (api_token === undefined) {
    const reason = stored === undefined ? 'it is needed' : 'it is required again, because the address of the connection changes';
    throw new ApiError('bad_request', { reason: `api_token: ${reason}` });
  }
  return audited(
    context,
    (own) => own.trackerConnection.put({ base_url, email: body.email ?? null, poll_interval_seconds, api_token }),
    (connection) => ({ action: 'UPDATED', ...TRACKER_CONNECTION, details: { base_url: connection.base_url } }),
  );
});

export const deleteTrackerConnection = operation('delete_tracker_connection', async (context) => {
  await audited(
    context,
    (own) => own.trackerConnection.delete(),
    () => ({ action: 'DELETED', ...TRACKER_CONNECTION }),
  );
  return { message: 'The connection to the tracker was deleted.' };
});

export const testTrackerConnection = operation('test_tracker_connection', async ({ tenant, deliveryMeans }, { signal }) => {
  const connection = await tenant.trackerConnection.find();
  const api_token = await tenant.trackerConnection.token();
  if (connection === undefined || api_token === undefined) {
    throw new ApiError('not_found', { what: 'Tracker connection', id: tenant.tenantId });
  }
  try {
    const name = await createTracker({ ...deliveryMeans, signal }, { ...connection, api_token }).whoAmI();
    return { success: true, message: `The tracker answered; the credential belongs to ${name}.` };
  } catch (error) {
    if (!(error instanceof DeliveryFailure)) throw error;
    return { success: false, message: `${error.message}.` };
  }
});

export const previewTicket = operation('preview_ticket', async (context, { body }) => {
  const { tenant, deliveryMeans } = context;
  const props = body.props === undefined ? await templateProps(context, body.template_id) : completeProps(body.props);
  const link = incidentLink(deliveryMeans.publicUrl, body.incident_id ?? 1);
  const variables =
    body.incident_id === undefined
      ? sampleVariables(tenant.tenantId, link)
      : await incidentVariables(tenant, { incidentId: body.incident_id, link });
  const labels = ['sextant', `sextant-incident-${tenant.tenantId}-${variables['incident.id']}`];
  const { fields, unknown } = issueFields(props, { variables: { ...variables, ...body.values }, labels });
  return { fields, warnings: unknown.map((name) => `\${${name}} is not a known variable and stays unchanged`) };
});

export const getTicket = operation('get_ticket', async (context, { params }) => {
  const id = numericId('Incident', params.incident_id);
  const ticket = await context.tenant.tickets.find(id);
  if (ticket !== undefined) return ticket;
  await context.tenant.incidents.get(id);
  throw new ApiError('not_found', { what: 'Ticket of incident', id });
});

/** Queued as the automatic one is, so that it too is made once; a person may ask again once the earlier one was given up or unlinked. */
export const createTicket = operation('create_ticket', async ({ tenant, member, onAnnounced }, { params, body }) => {
  const incident = await tenant.incidents.get(numericId('Incident', params.incident_id));
  await tenant.ticketTemplates.get(body.template_id);
  const delivery = await tenant.atomically(async (own) => {
    const ticket = await own.tickets.find(incident.id);
    if (ticket !== undefined) {
      throw new ApiError('conflict', { reason: `Incident ${incident.id} already has ticket ${ticket.key}; unlink it first` });
    }
    const pending = await own.deliveries.list({ incident_id: incident.id, kind: 'TICKET', status: 'PENDING' });
    if (pending.length > 0) {
      throw new ApiError('conflict', { reason: `A ticket for incident ${incident.id} is being created` });
    }
    const payload = { template_id: body.template_id, custom_fields: body.custom_fields ?? {}, actor: member.name };
    return requestTicket(own, { incidentId: incident.id, dedupKey: null }, payload);
  });
  assert(delivery !== undefined, 'what has no key is always queued');
  onAnnounced();
  return { message: `A ticket for incident ${incident.id} is being created.`, delivery_id: delivery.id };
});

export const unlinkTicket = operation('unlink_ticket', async ({ tenant, member }, { params }) => {
  const id = numericId('Incident', params.incident_id);
  await tenant.tickets.unlink(id, member.name);
  return { message: `The ticket is detached from incident ${id}; it stays in the tracker.` };
});

async function templateProps({ tenant }: TenantContext, id: number | undefined): Promise<TicketTemplate['props']> {
  // The schema wants a template where it has no props.
  return (await tenant.ticketTemplates.get(id ?? 0)).props;
}

type WrittenProps = Omit<TicketTemplate['props'], 'custom_fields'> & {
  readonly custom_fields?: TicketTemplate['props']['custom_fields'] | null;
};

function completeProps(props: WrittenProps): TicketTemplate['props'] {
  return { ...props, custom_fields: props.custom_fields ?? {} };
}
