/** Monitors of an asset. */
import { ApiError, type BodyOf, monitorDefinitionSchema, validate } from '@sextant/contracts-observability';
import { definitionProblem, requireMeasurable } from './monitor-check.ts';
import { completeDefinition, completeNotification, completeThreshold, completeTicketing } from './monitor-input.ts';
import { operation, type TenantContext } from './operation.ts';

export const listMonitors = operation('list_monitors', ({ tenant }, { params }) => tenant.monitors.list(params.asset_id));

export const getMonitor = operation('get_monitor', ({ tenant }, { params }) => tenant.monitors.get(params.asset_id, params.monitor_id));

export const createMonitor = operation('create_monitor', async (context, { params, body }) => {
  const { tenant, member } = context;
  const { id } = await tenant.assets.get(params.asset_id);
  const monitor = completeDefinition(body.type, body.monitor);
  requireMeasurable(body.type, monitor);
  await requireChannels(context, body.notification);
  return tenant.monitors.create(id, { type: body.type, ...commonMembers(body), monitor, created_by: member.name });
});

export const updateMonitor = operation('update_monitor', async (context, { params, body }) => {
  const { tenant, member } = context;
  const { type } = await tenant.monitors.get(params.asset_id, params.monitor_id);
  validate(monitorDefinitionSchema(type), body.monitor, 'monitor');
  const monitor = completeDefinition(type, body.monitor);
  requireMeasurable(type, monitor);
  await requireChannels(context, body.notification);
  return tenant.monitors.update(params.asset_id, params.monitor_id, { ...commonMembers(body), monitor, modified_by: member.name });
});

export const deleteMonitor = operation('delete_monitor', async ({ tenant }, { params }) => {
  await tenant.monitors.delete(params.asset_id, params.monitor_id);
  return { message: `Monitor ${params.monitor_id} was deleted.` };
});

export const previewMonitor = operation('preview_monitor', async ({ tenant }, { params, body }) => {
  await tenant.assets.get(params.asset_id);
  const problem = definitionProblem(body.type, completeDefinition(body.type, body.monitor));
  if (problem === undefined) return { valid: true, message: 'The expression is valid.', line: null, column: null };
  return { valid: false, message: problem.reason, line: problem.line, column: problem.column };
});

function commonMembers(body: BodyOf<'update_monitor'> | BodyOf<'create_monitor'>) {
  return {
    name: body.name,
    enabled: body.enabled,
    description: body.description ?? null,
    impact: body.impact ?? null,
    tags: body.tags ?? null,
    threshold: completeThreshold(body.threshold),
    notification: completeNotification(body.notification),
    ticketing: completeTicketing(body.ticketing),
  };
}

type Notification = { readonly notification_channel_names?: readonly string[] | null } | null | undefined;

async function requireChannels({ tenant }: TenantContext, notification: Notification): Promise<void> {
  const wanted = notification?.notification_channel_names ?? [];
  if (wanted.length === 0) return;
  const known = new Set((await tenant.channels.list()).map(({ name }) => name));
  const index = wanted.findIndex((name) => !known.has(name));
  if (index === -1) return;
  const place = `notification.notification_channel_names[${index}]`;
  throw new ApiError('bad_request', { reason: `${place}: there is no notification channel ${JSON.stringify(wanted[index])}` });
}
