// SPDX-License-Identifier: Apache-2.0
/** Schemas of deliveries, tickets and the connection to the tracker. */
import { jsonObject, maybe, oneOf, type Static, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import { putTicketTemplateSchema } from './configuration-schemas.ts';
import { answer, email, mapOf, name, nullable, queryInteger, text, timestamp, webAddress } from './value-schemas.ts';

const kind = oneOf('JOB_WEBHOOK', 'NOTIFICATION', 'TICKET', 'TICKET_COMMENT');
/** A change of a job to an asset's webhook, an incident to a channel, a new ticket, a comment in a ticket. */
export type DeliveryKind = Static<typeof kind>;
const status = oneOf('PENDING', 'DELIVERED', 'FAILED');
/** FAILED was given up. */
export type DeliveryStatus = Static<typeof status>;

export const deliverySchema = answer('Delivery', {
  id: Type.String(),
  kind,
  incident_id: nullable(Type.Integer()),
  channel: nullable(Type.String()),
  recipient: Type.String({ description: 'The e-mail address, or the host of the web address.' }),
  status,
  /** Attempts that were begun. */
  attempts: Type.Integer(),
  last_error: nullable(Type.String()),
  created_at: timestamp,
  last_attempt_at: nullable(timestamp),
  /** Null once it has ended. */
  next_attempt_at: nullable(timestamp),
  ended_at: nullable(timestamp),
});
export type Delivery = Static<typeof deliverySchema>;

export const deliveryQuerySchema = strict(
  {
    incident_id: Type.Optional(queryInteger),
    channel: Type.Optional(name),
    status: Type.Optional(status),
    kind: Type.Optional(kind),
    limit: Type.Optional(queryInteger),
    offset: Type.Optional(queryInteger),
  },
  { title: 'DeliveryQuery' },
);

/** A target that cannot be reached is an answer, not an error: that is what the test tests. */
export const testResultSchema = answer('TestResult', { success: Type.Boolean(), message: Type.String() });

/** The same of a channel, with what each of its addresses said. */
export const channelTestSchema = answer('ChannelTest', {
  success: Type.Boolean({ description: 'Whether the message arrived at every address.' }),
  message: Type.String(),
  addresses: Type.Array(
    answer('AddressTest', {
      address: Type.String(),
      success: Type.Boolean(),
      message: Type.String({ description: 'Confirms that the message arrived, or says why it did not.' }),
    }),
    { description: 'One result per address, in the order of the channel.' },
  ),
});

export const writtenChannelSchema = answer('WrittenChannel', {
  name: Type.String(),
  type: oneOf('EMAIL', 'SLACK', 'TEAMS', 'WEBHOOK'),
  addresses: Type.Array(Type.String()),
  secret: Type.Optional(
    Type.String({ description: 'The secret that signs the messages of a WEBHOOK channel; shown only when it is created.' }),
  ),
});
export const channelSecretSchema = answer('ChannelSecret', { secret: Type.String({ description: 'Not shown again.' }) });

const POLL_SECONDS_MAX = 86_400;

export const putTrackerConnectionSchema = strict(
  {
    base_url: webAddress,
    email: maybe(email),
    api_token: Type.Optional(Type.String({ minLength: 1, maxLength: 8192, description: 'If absent, the stored token is kept.' })),
    poll_interval_seconds: Type.Optional(Type.Integer({ minimum: 10, maximum: POLL_SECONDS_MAX, description: 'The default is 60.' })),
  },
  { title: 'PutTrackerConnection' },
);
export const trackerConnectionSchema = answer('TrackerConnection', {
  base_url: Type.String(),
  /** With an e-mail address the token is a password (Basic), without one a bearer token. */
  email: nullable(Type.String()),
  poll_interval_seconds: Type.Integer(),
});
/** The token stays inside. */
export type TrackerConnection = Static<typeof trackerConnectionSchema>;

export const storedTrackerConnectionSchema = Type.Union([
  trackerConnectionSchema,
  Type.Object({}, { description: 'Returned if no connection was saved.' }),
]);

export const ticketSchema = answer('Ticket', {
  id: Type.Integer({ description: 'The `ticket_id` of the incident.' }),
  incident_id: Type.Integer(),
  /** What the tracker calls it. */
  key: Type.String(),
  url: Type.String(),
  /** The tracker's word; null until it has been read. */
  status: nullable(Type.String()),
  template_id: nullable(Type.Integer()),
  created_at: timestamp,
  synced_at: timestamp,
  /** Why the status could not be read the last time. */
  last_error: nullable(Type.String()),
});
export type Ticket = Static<typeof ticketSchema>;

const templateId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export const createTicketSchema = strict(
  {
    template_id: templateId,
    custom_fields: maybe(jsonObject),
  },
  { title: 'CreateTicket' },
);
export const ticketRequestedSchema = answer('TicketRequested', {
  message: Type.String(),
  delivery_id: Type.String({ description: 'Id of the delivery that creates the ticket.' }),
});

const VALUES_MAX = 100;

export const previewTicketSchema = Type.Refine(
  strict(
    {
      template_id: Type.Optional(templateId),
      props: Type.Optional(putTicketTemplateSchema.properties.props),
      incident_id: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
      values: Type.Optional(mapOf(text, VALUES_MAX)),
    },
    { title: 'PreviewTicket' },
  ),
  ({ template_id, props }) => (template_id === undefined) !== (props === undefined),
  () => 'give either `template_id` or `props`',
);
export const ticketPreviewSchema = answer('TicketPreview', {
  fields: Type.Unsafe<{ readonly [field: string]: unknown }>(
    Type.Object({}, { description: 'The fields as they would be sent to the tracker.' }),
  ),
  warnings: Type.Array(Type.String()),
});
