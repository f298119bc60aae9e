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
import { messageSchema } from '../value-schemas.ts';
import { type Endpoint, needs } from './endpoint.ts';
import { backend, configuration } from './paths.ts';

const channels = { tag: 'Notification channels', needs: needs.editor, method: 'POST' } as const;
const CHANNEL = '/{tenant}/configuration/alert_channels/{channel_name}';
const deliveries = { tag: 'Deliveries' } as const;
const DELIVERIES = '/{tenant}/configuration/deliveries';
const TICKETS = '/{tenant}/configuration/integrations/tickets';
const connection = { tag: 'Tickets', ...configuration(`${TICKETS}/connection`), needs: needs.admin } as const;
const ticket = { tag: 'Tickets', ...backend('/{tenant}/incidents/{incident_id}/ticket') } as const;

export const deliveryEndpoints = {
  test_channel: {
    ...channels,
    ...backend(`${CHANNEL}/test`),
    summary: 'Send a message to every address of a channel now',
    result: channelTestSchema,
    errors: ['not_found'],
  },
  rotate_channel_secret: {
    ...channels,
    ...backend(`${CHANNEL}/rotate_secret`),
    summary: 'Give a WEBHOOK channel a new secret; for 24 hours, messages carry the signatures of both',
    result: channelSecretSchema,
    errors: ['not_found', 'bad_request'],
  },
  list_deliveries: {
    ...deliveries,
    ...configuration(DELIVERIES),
    method: 'GET',
    summary: 'What was sent or waits to be, newest first; kept for 30 days',
    needs: needs.viewer,
    query: deliveryQuerySchema,
    result: Type.Array(deliverySchema),
    errors: [],
  },
  replay_delivery: {
    ...deliveries,
    ...configuration(`${DELIVERIES}/{delivery_id}/replay`),
    method: 'POST',
    summary: 'Send a delivery that has ended once more, as the same message',
    needs: needs.editor,
    result: deliverySchema,
    errors: ['not_found', 'conflict'],
  },
  get_tracker_connection: {
    ...connection,
    method: 'GET',
    summary: 'Read how the tracker is reached, `{}` when none is connected; the token stays inside',
    result: storedTrackerConnectionSchema,
    errors: [],
  },
  put_tracker_connection: {
    ...connection,
    method: 'PUT',
    summary: 'Set how the tracker is reached',
    body: putTrackerConnectionSchema,
    result: trackerConnectionSchema,
    errors: [],
  },
  delete_tracker_connection: {
    ...connection,
    method: 'DELETE',
    summary: 'Forget the tracker; its tickets stay linked and are no longer read',
    result: messageSchema,
    errors: ['not_found'],
  },
  test_tracker_connection: {
    ...connection,
    ...configuration(`${TICKETS}/connection/test`),
    method: 'POST',
    summary: 'Ask the tracker who the credential belongs to',
    result: testResultSchema,
    errors: ['not_found'],
  },
  preview_ticket: {
    tag: 'Tickets',
    ...configuration(`${TICKETS}/template/preview`),
    method: 'POST',
    summary: 'The fields of the ticket that a template would make, for an incident or for sample values',
    needs: needs.editor,
    body: previewTicketSchema,
    result: ticketPreviewSchema,
    errors: ['not_found'],
  },
  get_ticket: {
    ...ticket,
    method: 'GET',
    summary: 'Read the ticket of an incident',
    needs: needs.viewer,
    result: ticketSchema,
    errors: ['not_found'],
  },
  create_ticket: {
    ...ticket,
    method: 'POST',
    summary: 'Have a ticket made for an incident',
    needs: needs.incidentOperator,
    body: createTicketSchema,
    result: ticketRequestedSchema,
    errors: ['not_found', 'conflict'],
  },
  unlink_ticket: {
    ...ticket,
    method: 'DELETE',
    summary: 'Take the ticket from its incident; the tracker keeps it',
    needs: needs.incidentOperator,
    result: messageSchema,
    errors: ['not_found'],
  },
} as const satisfies { readonly [operation: string]: Endpoint };
