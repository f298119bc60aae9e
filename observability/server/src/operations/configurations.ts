// SPDX-License-Identifier: Apache-2.0
/** What a tenant or an asset can configure: spark jobs, the DQ score, reporting, tickets; and what went wrong in the background. */
import { ApiError, type BodyOf, type TicketTemplate } from '@sextant/contracts-observability';
import type { NewAuditEntry } from '@sextant/observability-metadata';
import { DEFAULT_DQ_SCORE } from '@sextant/observability-monitors';
import { audited } from './audited.ts';
import { operation } from './operation.ts';
import { numericId, optionalNumber } from './parameters.ts';
import { requireFittingMemory } from './spark-memory.ts';

const ERRORS_DEFAULT = 100;

export const getSparkJobConfig = operation('get_spark_job_config', ({ tenant }) => tenant.sparkConfig.get());

export const putSparkJobConfig = operation('put_spark_job_config', (context, { body }) =>
  audited(
    context,
    async (own) => {
      const config = await own.sparkConfig.change(body);
      requireFittingMemory(config);
      return config;
    },
    () => configurationEntry('UPDATED', 'spark_job_config', { changed: Object.keys(body) }),
  ),
);

export const deleteSparkJobConfig = operation('delete_spark_job_config', async (context) => {
  await audited(
    context,
    (own) => own.sparkConfig.delete(),
    () => configurationEntry('DELETED', 'spark_job_config'),
  );
  return { message: 'The spark job configuration was deleted.' };
});

export const getDqScore = operation('get_dq_score', async ({ tenant }, { params }) => ({
  dq_score_config: (await tenant.dqScoreConfig.find(params.asset_id)) ?? DEFAULT_DQ_SCORE,
}));

export const putDqScore = operation('put_dq_score', async (context, { params, body: { enabled, weights } }) => ({
  dq_score_config: await audited(
    context,
    (own) => own.dqScoreConfig.put(params.asset_id, { enabled, weights }),
    (config) => configurationEntry('UPDATED', `dq_score/${params.asset_id}`, config),
  ),
}));

export const deleteDqScore = operation('delete_dq_score', async (context, { params }) => {
  await audited(
    context,
    (own) => own.dqScoreConfig.delete(params.asset_id),
    () => configurationEntry('DELETED', `dq_score/${params.asset_id}`),
  );
  return { success: true, message: 'The DQ score configuration was deleted; the asset has the default settings.' };
});

export const getDqReporting = operation('get_dq_reporting', async ({ tenant }) => (await tenant.dqReportingConfig.find()) ?? {});

export const putDqReporting = operation('put_dq_reporting', async (context, { body, signal }) => {
  const { tenant, sources } = context;
  const connection = await tenant.connections.get(body.connection_id);
  if (connection.scope !== 'GLOBAL') {
    throw new ApiError('bad_request', { reason: 'connection_id: expected a global connection, got one of a project' });
  }
  await sources.testWrite(tenant, connection, body.path, signal);
  return audited(
    context,
    (own) => own.dqReportingConfig.put(body),
    (config) => configurationEntry('UPDATED', 'dq_reporting', config),
  );
});

export const deleteDqReporting = operation('delete_dq_reporting', async (context) => {
  await audited(
    context,
    (own) => own.dqReportingConfig.delete(),
    () => configurationEntry('DELETED', 'dq_reporting'),
  );
  return { message: 'The DQ reporting configuration was deleted.' };
});

export const listTicketTemplates = operation('list_ticket_templates', ({ tenant }) => tenant.ticketTemplates.list());

export const createTicketTemplate = operation('create_ticket_template', (context, { body }) =>
  audited(
    context,
    (own) => own.ticketTemplates.create(completeTemplate(body)),
    (template) => templateEntry('CREATED', template),
  ),
);

export const getTicketTemplate = operation('get_ticket_template', ({ tenant }, { params }) =>
  tenant.ticketTemplates.get(numericId('Ticket template', params.template_id)),
);

export const updateTicketTemplate = operation('update_ticket_template', (context, { params, body }) =>
  audited(
    context,
    (own) => own.ticketTemplates.replace(numericId('Ticket template', params.template_id), completeTemplate(body)),
    (template) => templateEntry('UPDATED', template),
  ),
);

export const deleteTicketTemplate = operation('delete_ticket_template', async (context, { params }) => {
  const id = numericId('Ticket template', params.template_id);
  await audited(
    context,
    async (own) => {
      const template = await own.ticketTemplates.get(id);
      await own.ticketTemplates.delete(id);
      return template;
    },
    (template) => templateEntry('DELETED', template),
  );
  return { message: `Ticket template ${params.template_id} was deleted.` };
});

export const listBackgroundErrors = operation('list_background_errors', ({ tenant }, { query }) =>
  tenant.backgroundErrors.list(optionalNumber(query.limit) ?? ERRORS_DEFAULT),
);

type Change = 'CREATED' | 'UPDATED' | 'DELETED';

function templateEntry(action: Change, { id, name }: TicketTemplate) {
  return { action, subject_type: 'TICKET_TEMPLATE', subject_id: String(id), details: { name } } as const;
}

function configurationEntry(action: Change, subject_id: string, details: NonNullable<NewAuditEntry['details']> = {}) {
  return { action, subject_type: 'CONFIGURATION', subject_id, details } as const;
}

function completeTemplate({ name, description, type, props }: BodyOf<'create_ticket_template'>): Omit<TicketTemplate, 'id'> {
  return { name, description: description ?? null, type, props: { ...props, custom_fields: props.custom_fields ?? {} } };
}
