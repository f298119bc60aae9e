/** What a tenant or an asset can configure: spark jobs, the DQ score, reporting, tickets; and what went wrong in the background. */
import { ApiError, type BodyOf, type TicketTemplate } from '@sextant/contracts-observability';
import { DEFAULT_DQ_SCORE } from '@sextant/observability-monitors';
import { operation } from './operation.ts';
import { numericId, optionalNumber } from './parameters.ts';

const ERRORS_DEFAULT = 100;

export const getSparkJobConfig = operation('get_spark_job_config', ({ tenant }) => tenant.sparkConfig.get());

export const putSparkJobConfig = operation('put_spark_job_config', ({ tenant }, { body }) => tenant.sparkConfig.change(body));

export const deleteSparkJobConfig = operation('delete_spark_job_config', async ({ tenant }) => {
  await tenant.sparkConfig.delete();
  return { message: 'The spark job configuration was deleted.' };
});

export const getDqScore = operation('get_dq_score', async ({ tenant }, { params }) => ({
  dq_score_config: (await tenant.dqScoreConfig.find(params.asset_id)) ?? DEFAULT_DQ_SCORE,
}));

export const putDqScore = operation('put_dq_score', async ({ tenant }, { params, body: { enabled, weights } }) => ({
  dq_score_config: await tenant.dqScoreConfig.put(params.asset_id, { enabled, weights }),
}));

export const deleteDqScore = operation('delete_dq_score', async ({ tenant }, { params }) => {
  await tenant.dqScoreConfig.delete(params.asset_id);
  return { success: true, message: 'The DQ score configuration was deleted; the asset has the default settings.' };
});

export const getDqReporting = operation('get_dq_reporting', async ({ tenant }) => (await tenant.dqReportingConfig.find()) ?? {});

export const putDqReporting = operation('put_dq_reporting', async ({ tenant, sources }, { body, signal }) => {
  const connection = await tenant.connections.get(body.connection_id);
  if (connection.scope !== 'GLOBAL') {
    throw new ApiError('bad_request', { reason: 'connection_id: expected a global connection, got one of a project' });
  }
  await sources.testWrite(tenant, connection, body.path, signal);
  return tenant.dqReportingConfig.put(body);
});

export const deleteDqReporting = operation('delete_dq_reporting', async ({ tenant }) => {
  await tenant.dqReportingConfig.delete();
  return { message: 'The DQ reporting configuration was deleted.' };
});

export const listTicketTemplates = operation('list_ticket_templates', ({ tenant }) => tenant.ticketTemplates.list());

export const createTicketTemplate = operation('create_ticket_template', ({ tenant }, { body }) =>
  tenant.ticketTemplates.create(completeTemplate(body)),
);

export const getTicketTemplate = operation('get_ticket_template', ({ tenant }, { params }) =>
  tenant.ticketTemplates.get(numericId('Ticket template', params.template_id)),
);

export const updateTicketTemplate = operation('update_ticket_template', ({ tenant }, { params, body }) =>
  tenant.ticketTemplates.replace(numericId('Ticket template', params.template_id), completeTemplate(body)),
);

export const deleteTicketTemplate = operation('delete_ticket_template', async ({ tenant }, { params }) => {
  await tenant.ticketTemplates.delete(numericId('Ticket template', params.template_id));
  return { message: `Ticket template ${params.template_id} was deleted.` };
});

export const listBackgroundErrors = operation('list_background_errors', ({ tenant }, { query }) =>
  tenant.backgroundErrors.list(optionalNumber(query.limit) ?? ERRORS_DEFAULT),
);

function completeTemplate({ name, description, type, props }: BodyOf<'create_ticket_template'>): Omit<TicketTemplate, 'id'> {
  return { name, description: description ?? null, type, props: { ...props, custom_fields: props.custom_fields ?? {} } };
}
