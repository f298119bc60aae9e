// SPDX-License-Identifier: Apache-2.0
/** Monitors of an asset. */
import { isDeepStrictEqual } from 'node:util';
import { ApiError, type BodyOf, type Monitor, type MonitorType, monitorDefinitionSchema, validate } from '@sextant/contracts-observability';
import type { NewAuditEntry } from '@sextant/observability-metadata';
import { closeOfMonitor } from '../incident-care/closing.ts';
import { audited } from './audited.ts';
import { requireMeasurable } from './monitor-check.ts';
import { completeDefinition, completeNotification, completeThreshold, completeTicketing } from './monitor-input.ts';
import { operation, type TenantContext } from './operation.ts';
import { isTrue, optionalNumber, pageOf } from './parameters.ts';

export const listMonitors = operation('list_monitors', ({ tenant }, { params }) => tenant.monitors.list(params.asset_id));

export const listTenantMonitors = operation('list_tenant_monitors', ({ tenant }, { query }) => {
  const { channel, prebuilt } = query;
  const isPrebuilt = prebuilt === undefined ? undefined : isTrue(prebuilt);
  return tenant.monitors.select({ channel, ticketTemplateId: optionalNumber(query.ticket_template_id), isPrebuilt }, pageOf(query));
});

export const getMonitor = operation('get_monitor', ({ tenant }, { params }) => tenant.monitors.get(params.asset_id, params.monitor_id));

export const createMonitor = operation('create_monitor', (context, { params, body, signal }) =>
  createMonitorOf(context, { assetId: params.asset_id, body, signal }),
);

type NewMonitor = { readonly assetId: string; readonly body: BodyOf<'create_monitor'>; readonly signal: AbortSignal };

/** Checks the monitor, creates it, and records that. */
export async function createMonitorOf(context: TenantContext, { assetId, body, signal }: NewMonitor): Promise<Monitor> {
  const { tenant, member } = context;
  const asset = await tenant.assets.get(assetId);
  const { id } = asset;
  const monitor = completeDefinition(body.type, body.monitor);
  await requireMeasurable(context, { asset, type: body.type, definition: monitor, signal });
  await requireChannels(context, body.notification);
  return audited(
    context,
    (own) => own.monitors.create(id, { type: body.type, ...commonMembers(body.type, body), monitor, created_by: member.name }),
    (created) => entryOf(created, 'CREATED', { name: created.name, type: created.type }),
  );
}

export const updateMonitor = operation('update_monitor', async (context, { params, body, signal }) => {
  const { tenant, member, clock, onAnnounced } = context;
  const asset = await tenant.assets.get(params.asset_id);
  const stored = await tenant.monitors.get(asset.id, params.monitor_id);
  const { type } = stored;
  validate(monitorDefinitionSchema(type), body.monitor, 'monitor');
  const monitor = completeDefinition(type, body.monitor);
  // One whose column has gone can still be renamed and turned off.
  const isSame = isDeepStrictEqual(monitor, stored.monitor) && (stored.enabled || !body.enabled);
  if (!isSame) await requireMeasurable(context, { asset, type, definition: monitor, signal });
  await requireChannels(context, body.notification);
  const { after } = await audited(
    context,
    async (own) => {
      const before = await own.monitors.get(params.asset_id, params.monitor_id);
      const change = { ...commonMembers(type, body), monitor, modified_by: member.name };
      const after = await own.monitors.update(params.asset_id, params.monitor_id, change);
      if (!after.enabled) await closeOfMonitor(own, after, { actor: member.name, nowMs: clock.nowMs() });
      return { before, after };
    },
    ({ before, after }) => entryOf(after, 'UPDATED', { name: after.name, changed: changedMembers(before, after) }),
  );
  onAnnounced();
  return after;
});

export const deleteMonitor = operation('delete_monitor', async (context, { params }) => {
  const { member, clock, onAnnounced } = context;
  await audited(
    context,
    async (own) => {
      const monitor = await own.monitors.get(params.asset_id, params.monitor_id);
      await own.monitors.delete(params.asset_id, params.monitor_id);
      await closeOfMonitor(own, monitor, { actor: member.name, nowMs: clock.nowMs() });
      return monitor;
    },
    (monitor) => entryOf(monitor, 'DELETED', { name: monitor.name }),
  );
  onAnnounced();
  return { message: `Monitor ${params.monitor_id} was deleted.` };
});

function entryOf(
  { asset_id, id }: Pick<Monitor, 'asset_id' | 'id'>,
  action: 'CREATED' | 'UPDATED' | 'DELETED',
  details: NonNullable<NewAuditEntry['details']>,
) {
  return { action, subject_type: 'MONITOR', subject_id: `${asset_id}/${id}`, details } as const;
}

/** Names of the members that are no longer what they were. */
function changedMembers(before: Monitor, after: Monitor): readonly string[] {
  const names = ['name', 'enabled', 'description', 'impact', 'tags', 'monitor', 'threshold', 'notification', 'ticketing'] as const;
  return names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
}

function commonMembers(type: MonitorType, body: Omit<BodyOf<'update_monitor'> | BodyOf<'create_monitor'>, 'monitor' | 'type'>) {
  return {
    name: body.name,
    enabled: body.enabled,
    description: body.description ?? null,
    impact: body.impact ?? null,
    tags: body.tags ?? null,
    threshold: completeThreshold(type, body.threshold),
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
