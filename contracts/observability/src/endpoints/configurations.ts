// SPDX-License-Identifier: Apache-2.0
/** What a tenant or an asset can configure. */
import Type from 'typebox';
import {
  channelSchema,
  createChannelSchema,
  dqReportingSchema,
  dqScoreDeletedSchema,
  dqScoreSchema,
  putDqReportingSchema,
  putDqScoreSchema,
  putTicketTemplateSchema,
  storedDqReportingSchema,
  ticketTemplateSchema,
  updateChannelSchema,
} from '../configuration-schemas.ts';
import { writtenChannelSchema } from '../delivery-schemas.ts';
import { errorsQuerySchema } from '../query-schemas.ts';
import { putSparkJobConfigSchema, sparkJobConfigSchema } from '../spark-schemas.ts';
import { backgroundErrorsSchema } from '../tenancy-schemas.ts';
import { messageSchema } from '../value-schemas.ts';
import { type Endpoint, needs, read, removal } from './endpoint.ts';
import { backend, configuration } from './paths.ts';

const TEMPLATES = '/{tenant}/configuration/integrations/tickets/template';
const CHANNELS = '/{tenant}/configuration/alert_channels';
const templates = { tag: 'Ticket templates', ...configuration(TEMPLATES), needs: needs.editor } as const;
const template = { ...templates, ...configuration(`${TEMPLATES}/{template_id}`) } as const;
const spark = {
  tag: 'Spark job configuration',
  ...configuration('/configuration/tenants/{tenant}/spark-job-config'),
  needs: needs.admin,
} as const;
const score = { tag: 'DQ score', ...backend('/{tenant}/configuration/assets/{asset_id}/dq_score'), needs: needs.assetEditor } as const;
const reporting = { tag: 'DQ reporting', ...configuration('/{tenant}/configuration/dq_reporting'), needs: needs.admin } as const;
const channels = { tag: 'Notification channels', ...backend(CHANNELS), needs: needs.editor } as const;
const channel = { ...channels, ...backend(`${CHANNELS}/{channel_name}`) } as const;

export const ticketEndpoints = {
  list_ticket_templates: {
    ...templates,
    ...read,
    summary: 'List the ticket templates, newest first',
    result: Type.Array(ticketTemplateSchema),
  },
  create_ticket_template: {
    ...templates,
    method: 'POST',
    summary: 'Create a ticket template',
    body: putTicketTemplateSchema,
    result: ticketTemplateSchema,
    errors: ['conflict'],
  },
  get_ticket_template: {
    ...template,
    ...read,
    summary: 'Read one ticket template',
    result: ticketTemplateSchema,
  },
  update_ticket_template: {
    ...template,
    method: 'PUT',
    summary: 'Replace a ticket template',
    body: putTicketTemplateSchema,
    result: ticketTemplateSchema,
    errors: ['conflict'],
  },
  delete_ticket_template: {
    ...template,
    ...removal,
    summary: 'Delete a ticket template that no monitor uses',
    errors: ['in_use'],
  },
} as const satisfies { readonly [operation: string]: Endpoint };

export const configurationEndpoints = {
  get_spark_job_config: {
    ...spark,
    method: 'GET',
    summary: 'Read the configuration; `{}` if none was saved',
    result: sparkJobConfigSchema,
  },
  put_spark_job_config: {
    ...spark,
    method: 'PUT',
    summary: 'Replace the given blocks; null clears a block',
    body: putSparkJobConfigSchema,
    result: sparkJobConfigSchema,
  },
  delete_spark_job_config: { ...spark, method: 'DELETE', summary: 'Remove the configuration', result: messageSchema },
  get_dq_score: {
    ...score,
    ...read,
    summary: 'Read the weights of the score of an asset',
    result: dqScoreSchema,
  },
  put_dq_score: {
    ...score,
    method: 'PUT',
    summary: 'Set the weights of the score of an asset',
    body: putDqScoreSchema,
    result: dqScoreSchema,
  },
  delete_dq_score: {
    ...score,
    method: 'DELETE',
    summary: 'Go back to the default weights',
    result: dqScoreDeletedSchema,
  },
  get_dq_reporting: {
    ...reporting,
    method: 'GET',
    summary: 'Read the configuration; `{}` if none was saved',
    result: storedDqReportingSchema,
  },
  put_dq_reporting: {
    ...reporting,
    method: 'PUT',
    summary: 'Set where the reports of monitor scans are written',
    body: putDqReportingSchema,
    result: dqReportingSchema,
    errors: ['not_found', 'source_refused'],
  },
  delete_dq_reporting: { ...reporting, method: 'DELETE', summary: 'Remove the configuration', result: messageSchema },
  list_channels: {
    ...channels,
    ...read,
    summary: 'List the notification channels',
    result: Type.Array(channelSchema),
  },
  create_channel: {
    ...channels,
    method: 'POST',
    summary: 'Create a notification channel; of a WEBHOOK channel, the answer holds the secret that signs its messages',
    body: createChannelSchema,
    result: writtenChannelSchema,
    errors: ['conflict'],
  },
  get_channel: {
    ...channel,
    ...read,
    summary: 'Read one notification channel',
    result: channelSchema,
  },
  update_channel: {
    ...channel,
    method: 'PUT',
    summary: 'Replace a notification channel',
    body: updateChannelSchema,
    result: writtenChannelSchema,
  },
  delete_channel: {
    ...channel,
    ...removal,
    summary: 'Delete a notification channel that no monitor uses',
    errors: ['in_use'],
  },
  list_background_errors: {
    ...configuration('/{tenant}/errors'),
    method: 'GET',
    tag: 'Background errors',
    summary: 'List errors of background work, newest first; `limit` defaults to 100',
    needs: needs.admin,
    query: errorsQuerySchema,
    result: backgroundErrorsSchema,
  },
} as const satisfies { readonly [operation: string]: Endpoint };
