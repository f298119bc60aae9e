// SPDX-License-Identifier: Apache-2.0
/** What goes out: deliveries and their tests, the tracker and the tickets in it. */
import Type from 'typebox';
import {
  channelSecretSchema,
  channelTestSchema,
  createTicketSchema,
  deliveryQuerySchema,
  deliverySchema,
  previewTicketSchema,
  putTrackerConnectionSchema,
  storedTrackerConnectionSchema,
  testResultSchema,
  ticketPreviewSchema,
  ticketRequestedSchema,
  ticketSchema,
  trackerConnectionSchema,
} from '../delivery-schemas.ts';
import { type Endpoint, needs, read, removal } from './endpoint.ts';
import { backend, configuration } from './paths.ts';

const channels = { tag: 'Notification channels', needs: needs.editor, method: 'POST' } as const;
const CHANNEL = '/{tenant}/configuration/alert_channels/{channel_name}';
const deliveries = { tag: 'Deliveries' } as const;
const DELIVERIES = '/{tenant}/configuration/deliveries';
const TICKETS = '/{tenant}/configuration/integrations/tickets';
const connection = { tag: 'Tickets', ...configuration(`${TICKETS}/connection`), needs: needs.admin } as const;
const ticket = { tag: 'Tickets', ...backend('/{tenant}/incidents/{incident_id}/ticket'), needs: needs.incidentOperator } as const;

export const deliveryEndpoints = {
  test_channel: {
    ...channels,
    ...backend(`${CHANNEL}/test`),
    summary: 'Send a message to every address of a channel now',
    result: channelTestSchema,
  },
  rotate_channel_secret: {
    ...channels,
    ...backend(`${CHANNEL}/rotate_secret`),
    summary: 'Rotate the secret of a WEBHOOK channel; for 24 hours, messages carry signatures made with both secrets',
    result: channelSecretSchema,
    errors: ['bad_request'],
  },
  list_deliveries: {
    ...deliveries,
    ...configuration(DELIVERIES),
    ...read,
    summary: 'List sent and pending deliveries, newest first; kept for 30 days',
    query: deliveryQuerySchema,
    result: Type.Array(deliverySchema),
  },
  replay_delivery: {
    ...deliveries,
    ...configuration(`${DELIVERIES}/{delivery_id}/replay`),
    method: 'POST',
    summary: 'Send a finished delivery again, as the same message',
    needs: needs.editor,
    result: deliverySchema,
    errors: ['conflict'],
  },
  get_tracker_connection: {
    ...connection,
    method: 'GET',
    summary: 'Read the tracker connection, `{}` if none is connected; the token is never returned',
    result: storedTrackerConnectionSchema,
  },
  put_tracker_connection: {
    ...connection,
    method: 'PUT',
    summary: 'Set the tracker connection',
    body: putTrackerConnectionSchema,
    result: trackerConnectionSchema,
  },
  delete_tracker_connection: {
    ...connection,
    ...removal,
    summary: 'Disconnect the tracker; its tickets stay linked, but their status is no longer read',
    errors: ['not_found'],
  },
  test_tracker_connection: {
    ...connection,
    ...configuration(`${TICKETS}/connection/test`),
    method: 'POST',
    summary: 'Test the tracker connection: read the user to whom the credential belongs',
    result: testResultSchema,
    errors: ['not_found'],
  },
  preview_ticket: {
    tag: 'Tickets',
    ...configuration(`${TICKETS}/template/preview`),
    method: 'POST',
    summary: 'Preview the fields of the ticket that a template would create, for an incident or sample values',
    needs: needs.editor,
    body: previewTicketSchema,
    result: ticketPreviewSchema,
    errors: ['not_found'],
  },
  get_ticket: {
    ...ticket,
    ...read,
    summary: 'Read the ticket of an incident',
    result: ticketSchema,
  },
  create_ticket: {
    ...ticket,
    method: 'POST',
    summary: 'Create a ticket for an incident',
    body: createTicketSchema,
    result: ticketRequestedSchema,
    errors: ['conflict'],
  },
  unlink_ticket: {
    ...ticket,
    ...removal,
    summary: 'Detach the ticket from its incident; the ticket stays in the tracker',
  },
} as const satisfies { readonly [operation: string]: Endpoint };
