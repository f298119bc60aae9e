/** Monitors of an asset. */
import { isDeepStrictEqual } from 'node:util';
import { ApiError, type BodyOf, type Monitor, monitorDefinitionSchema, validate } from '@sextant/contracts-observability';
import type { NewAuditEntry } from '@sextant/observability-metadata';
import { closeOfMonitor } from '../incident-care/closing.ts';
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
  return tenant.atomically(async (own) => {
    const created = await own.monitors.create(id, { type: body.type, ...commonMembers(body), monitor, created_by: member.name });
    await own.audit.append(
      entryOf(created, { actor: member.name, action: 'CREATED', details: { name: created.name, type: created.type } }),
    );
    return created;
  });
});

export const updateMonitor = operation('update_monitor', async (context, { params, body }) => {
  const { tenant, member, clock } = context;
  const { type } = await tenant.monitors.get(params.asset_id, params.monitor_id);
  validate(monitorDefinitionSchema(type), body.monitor, 'monitor');
  const monitor = completeDefinition(type, body.monitor);
  requireMeasurable(type, monitor);
  await requireChannels(context, body.notification);
  return tenant.atomically(async (own) => {
    const before = await own.monitors.get(params.asset_id, params.monitor_id);
    const change = { ...commonMembers(body), monitor, modified_by: member.name };
    const updated = await own.monitors.update(params.asset_id, params.monitor_id, change);
    const details = { name: updated.name, changed: changedMembers(before, updated) };
    await own.audit.append(entryOf(updated, { actor: member.name, action: 'UPDATED', details }));
    if (!updated.enabled) await closeOfMonitor(own, updated, { actor: member.name, nowMs: clock.nowMs() });
    return updated;
  });
});

export const deleteMonitor = operation('delete_monitor', async ({ tenant, member, clock }, { params }) => {
  await tenant.atomically(async (own) => {
    const monitor = await own.monitors.get(params.asset_id, params.monitor_id);
    await own.monitors.delete(params.asset_id, params.monitor_id);
    await own.audit.append(entryOf(monitor, { actor: member.name, action: 'DELETED', details: { name: monitor.name } }));
    await closeOfMonitor(own, monitor, { actor: member.name, nowMs: clock.nowMs() });
  });
  return { message: `Monitor ${params.monitor_id} was deleted.` };
});

export const previewMonitor = operation('preview_monitor', async ({ tenant }, { params, body }) => {
  await tenant.assets.get(params.asset_id);
  const problem = definitionProblem(body.type, completeDefinition(body.type, body.monitor));
  if (problem === undefined) return { valid: true, message: 'The expression is valid.', line: null, column: null };
  return { valid: false, message: problem.reason, line: problem.line, column: problem.column };
});

function entryOf(
  { asset_id, id }: Pick<Monitor, 'asset_id' | 'id'>,
  entry: Pick<NewAuditEntry, 'actor' | 'action' | 'details'>,
): NewAuditEntry {
  return { ...entry, subject_type: 'MONITOR', subject_id: `${asset_id}/${id}` };
}

/** Names of the members that are no longer what they were. */
function changedMembers(before: Monitor, after: Monitor): readonly string[] {
  const names = ['name', 'enabled', 'description', 'impact', 'tags', 'monitor', 'threshold', 'notification', 'ticketing'] as const;
  return names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
}

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
