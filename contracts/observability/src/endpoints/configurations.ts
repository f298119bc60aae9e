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
import { type Endpoint, needs } from './endpoint.ts';
import { backend, configuration } from './paths.ts';

const templates = { tag: 'Ticket templates', ...configuration('/{tenant}/configuration/integrations/tickets/template') } as const;
const template = {
  tag: 'Ticket templates',
  ...configuration('/{tenant}/configuration/integrations/tickets/template/{template_id}'),
} as const;
const spark = {
  tag: 'Spark job configuration',
  ...configuration('/configuration/tenants/{tenant}/spark-job-config'),
  needs: needs.admin,
} as const;
const score = { tag: 'DQ score', ...backend('/{tenant}/configuration/assets/{asset_id}/dq_score') } as const;
const reporting = { tag: 'DQ reporting', ...configuration('/{tenant}/configuration/dq_reporting'), needs: needs.admin } as const;
const channels = { tag: 'Notification channels', ...backend('/{tenant}/configuration/alert_channels') } as const;
const channel = { tag: 'Notification channels', ...backend('/{tenant}/configuration/alert_channels/{channel_name}') } as const;

export const ticketEndpoints = {
  list_ticket_templates: {
    ...templates,
    method: 'GET',
    summary: 'List the ticket templates, newest first',
    needs: needs.viewer,
    result: Type.Array(ticketTemplateSchema),
    errors: [],
  },
  create_ticket_template: {
    ...templates,
    method: 'POST',
    summary: 'Create a ticket template',
    needs: needs.editor,
    body: putTicketTemplateSchema,
    result: ticketTemplateSchema,
    errors: ['conflict'],
  },
  get_ticket_template: {
    ...template,
    method: 'GET',
    summary: 'Read one ticket template',
    needs: needs.viewer,
    result: ticketTemplateSchema,
    errors: ['not_found'],
  },
  update_ticket_template: {
    ...template,
    method: 'PUT',
    summary: 'Replace a ticket template',
    needs: needs.editor,
    body: putTicketTemplateSchema,
    result: ticketTemplateSchema,
    errors: ['not_found', 'conflict'],
  },
  delete_ticket_template: {
    ...template,
    method: 'DELETE',
    summary: 'Delete a ticket template that no monitor uses',
    needs: needs.editor,
    result: messageSchema,
    errors: ['not_found', 'in_use'],
  },
} as const satisfies { readonly [operation: string]: Endpoint };

export const configurationEndpoints = {
  get_spark_job_config: {
    ...spark,
    method: 'GET',
    summary: 'Read the configuration; `{}` if none was saved',
    result: sparkJobConfigSchema,
    errors: [],
  },
  put_spark_job_config: {
    ...spark,
    method: 'PUT',
    summary: 'Replace the given blocks; null clears a block',
    body: putSparkJobConfigSchema,
    result: sparkJobConfigSchema,
    errors: [],
  },
  delete_spark_job_config: { ...spark, method: 'DELETE', summary: 'Remove the configuration', result: messageSchema, errors: [] },
  get_dq_score: {
    ...score,
    method: 'GET',
    summary: 'Read the weights of the score of an asset',
    needs: needs.viewer,
    result: dqScoreSchema,
    errors: ['not_found'],
  },
  put_dq_score: {
    ...score,
    method: 'PUT',
    summary: 'Set the weights of the score of an asset',
    needs: needs.assetEditor,
    body: putDqScoreSchema,
    result: dqScoreSchema,
    errors: ['not_found'],
  },
  delete_dq_score: {
    ...score,
    method: 'DELETE',
    summary: 'Go back to the default weights',
    needs: needs.assetEditor,
    result: dqScoreDeletedSchema,
    errors: ['not_found'],
  },
  get_dq_reporting: {
    ...reporting,
    method: 'GET',
    summary: 'Read the configuration; `{}` if none was saved',
    result: storedDqReportingSchema,
    errors: [],
  },
  put_dq_reporting: {
    ...reporting,
    method: 'PUT',
    summary: 'Set where the reports of monitor scans are written',
    body: putDqReportingSchema,
    result: dqReportingSchema,
    errors: ['not_found', 'source_refused'],
  },
  delete_dq_reporting: { ...reporting, method: 'DELETE', summary: 'Remove the configuration', result: messageSchema, errors: [] },
  list_channels: {
    ...channels,
    method: 'GET',
    summary: 'List the notification channels',
    needs: needs.viewer,
    result: Type.Array(channelSchema),
    errors: [],
  },
  create_channel: {
    ...channels,
    method: 'POST',
    summary: 'Create a notification channel; of a WEBHOOK channel, the answer holds the secret that signs its messages',
    needs: needs.editor,
    body: createChannelSchema,
    result: writtenChannelSchema,
    errors: ['conflict'],
  },
  get_channel: {
    ...channel,
    method: 'GET',
    summary: 'Read one notification channel',
    needs: needs.viewer,
    result: channelSchema,
    errors: ['not_found'],
  },
  update_channel: {
    ...channel,
    method: 'PUT',
    summary: 'Replace a notification channel',
    needs: needs.editor,
    body: updateChannelSchema,
    result: writtenChannelSchema,
    errors: ['not_found'],
  },
  delete_channel: {
    ...channel,
    method: 'DELETE',
    summary: 'Delete a notification channel that no monitor uses',
    needs: needs.editor,
    result: messageSchema,
    errors: ['not_found', 'in_use'],
  },
  list_background_errors: {
    ...configuration('/{tenant}/errors'),
    method: 'GET',
    tag: 'Background errors',
    summary: 'List errors of background work, newest first; `limit` defaults to 100',
    needs: needs.admin,
    query: errorsQuerySchema,
    result: backgroundErrorsSchema,
    errors: [],
  },
} as const satisfies { readonly [operation: string]: Endpoint };
