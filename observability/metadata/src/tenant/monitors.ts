// SPDX-License-Identifier: Apache-2.0
import type { Monitor } from '@sextant/contracts-observability';
import type { Schema } from '../database/schema.ts';
import { type Queries, type TenantScope, takeNumbers } from '../database/scope.ts';
import { definedOnly, fromJson, fromJsonOrNull, toFlag, toJson, toTime } from '../database/values.ts';
import { MetadataConflict, MetadataMissing } from '../errors.ts';
import { bounded, type Page } from '../page.ts';
import { PREBUILT_COUNT } from './prebuilt-monitors.ts';
import { requireAsset, requireTicketTemplate } from './references.ts';

export type NewMonitor = Pick<
  Monitor,
  'type' | 'name' | 'enabled' | 'description' | 'impact' | 'tags' | 'monitor' | 'threshold' | 'notification' | 'ticketing' | 'created_by'
>;

export type MonitorChange = Partial<Omit<NewMonitor, 'type' | 'created_by'>> & { readonly modified_by: string };

/** What of the monitors of a tenant is asked for; each member that is given must hold. */
export type MonitorSelection = {
  readonly channel?: string | undefined;
  readonly ticketTemplateId?: number | undefined;
  readonly isPrebuilt?: boolean | undefined;
};

export type MonitorStore = {
  /** @throws MetadataMissing for an unknown asset or ticket template; MetadataConflict when the asset has one of that name */
  readonly create: (assetId: string, monitor: NewMonitor) => Promise<Monitor>;
  /** The pre-built ones first. @throws MetadataMissing for an unknown asset */
  readonly list: (assetId: string) => Promise<readonly Monitor[]>;
  /** Of all assets, those that people made first. */
  readonly select: (selection?: MonitorSelection, page?: Page) => Promise<readonly Monitor[]>;
  /** @throws MetadataMissing */
  readonly get: (assetId: string, id: string) => Promise<Monitor>;
  /** @throws MetadataMissing; MetadataConflict when the name is taken */
  readonly update: (assetId: string, id: string, change: MonitorChange) => Promise<Monitor>;
  /** Also removes the alerts that it raised. @throws MetadataMissing; MetadataConflict for a pre-built one */
  readonly delete: (assetId: string, id: string) => Promise<void>;
};

export function monitorStore({ tenantId, db, write, clock, database, own }: TenantScope): MonitorStore {
  const rowsOf = (queries: Queries, assetId: string) => own(queries).selectFrom('monitors').selectAll().where('asset_id', '=', assetId);
  const getRow = async (queries: Queries, assetId: string, id: string) => {
    await requireAsset(queries, tenantId, assetId);
    const row = await rowsOf(queries, assetId).where('id', '=', id).executeTakeFirst();
    if (row === undefined) throw new MetadataMissing('monitor', id);
    return row;
  };
  const refuse = async (queries: Queries, assetId: string, monitor: Pick<Monitor, 'name' | 'ticketing'>, owner?: string) => {
    const named = await rowsOf(queries, assetId).where('name', '=', monitor.name).executeTakeFirst();
    if (named !== undefined && named.id !== owner) {
      throw new MetadataConflict('monitor', `Asset ${assetId} already has a monitor ${JSON.stringify(monitor.name)}.`);
    }
    const template = monitor.ticketing?.ticket_template_id ?? null;
    if (template !== null) await requireTicketTemplate(queries, tenantId, template);
  };

  return {
    create: (assetId, monitor) =>
      write(async (transaction) => {
        await requireAsset(transaction, tenantId, assetId);
        await refuse(transaction, assetId, monitor);
        const number = await takeNumbers(transaction, tenantId, 'monitor');
        const created_ms = clock.nowMs();
        const row: Schema['monitors'] = {
          tenant_id: tenantId,
          asset_id: assetId,
          id: String(number),
          position: PREBUILT_COUNT + number,
          is_prebuilt: 0,
          type: monitor.type,
          created_by: monitor.created_by,
          created_ms,
          ...changeableColumns(monitor),
          modified_by: monitor.created_by,
          modified_ms: created_ms,
        };
        await transaction.insertInto('monitors').values(row).execute();
        return toMonitor(row);
      }),
    list: async (assetId) => {
      await requireAsset(db, tenantId, assetId);
      return (await rowsOf(db, assetId).orderBy('position').execute()).map(toMonitor);
    },
    select: async ({ channel, ticketTemplateId, isPrebuilt } = {}, page) => {
      const { limit, offset } = bounded(page);
      let chosen = own(db).selectFrom('monitors').selectAll();
      if (ticketTemplateId !== undefined) chosen = chosen.where('ticket_template_id', '=', ticketTemplateId);
      if (isPrebuilt !== undefined) chosen = chosen.where('is_prebuilt', '=', toFlag(isPrebuilt));
      const ordered = chosen.orderBy('is_prebuilt').orderBy('asset_id').orderBy('position');
      if (channel === undefined) return (await ordered.limit(limit).offset(offset).execute()).map(toMonitor);
      // The stored text may hold the name as something else too, so the few that are found are read.
      const rows = await ordered.where(database.contains('notification', toJson(channel))).execute();
      return rows
        .map(toMonitor)
        .filter(({ notification }) => notification?.notification_channel_names?.includes(channel) === true)
        .slice(offset, offset + limit);
    },
    get: async (assetId, id) => toMonitor(await getRow(db, assetId, id)),
    update: (assetId, id, { modified_by, ...change }) =>
      write(async (transaction) => {
        const row = await getRow(transaction, assetId, id);
        const monitor = { ...toMonitor(row), ...definedOnly(change) };
        await refuse(transaction, assetId, monitor, id);
        const columns = { ...changeableColumns(monitor), modified_by, modified_ms: clock.nowMs() };
        await own(transaction).updateTable('monitors').set(columns).where('asset_id', '=', assetId).where('id', '=', id).execute();
        return toMonitor({ ...row, ...columns });
      }),
    delete: (assetId, id) =>
      write(async (transaction) => {
        const { is_prebuilt, name } = await getRow(transaction, assetId, id);
        if (is_prebuilt === 1) throw new MetadataConflict('monitor', `${name} is pre-built: it can be disabled, not deleted.`);
        await own(transaction).deleteFrom('alerts').where('source', '=', assetId).where('monitor_id', '=', id).execute();
        await own(transaction).deleteFrom('monitors').where('asset_id', '=', assetId).where('id', '=', id).execute();
      }),
  };
}

function changeableColumns(monitor: Omit<NewMonitor, 'type' | 'created_by'>) {
  const { name, enabled, description, impact, tags, threshold, notification, ticketing } = monitor;
  return {
    name,
    is_enabled: toFlag(enabled),
    description,
    impact,
    tags: tags && toJson(tags),
    definition: toJson(monitor.monitor),
    threshold: toJson(threshold),
    notification: notification && toJson(notification),
    ticketing: ticketing && toJson(ticketing),
    ticket_template_id: ticketing?.ticket_template_id ?? null,
  };
}

function toMonitor(row: Schema['monitors']): Monitor {
  const { id, asset_id, name, description, created_by, modified_by } = row;
  return {
    id,
    asset_id,
    name,
    description,
    enabled: row.is_enabled === 1,
    // The store wrote both from a `Monitor`.
    type: row.type as Monitor['type'],
    impact: row.impact as Monitor['impact'],
    tags: fromJsonOrNull(row.tags),
    created_by,
    created_at: toTime(row.created_ms),
    modified_by,
    modified_at: toTime(row.modified_ms),
    monitor: fromJson(row.definition),
    threshold: fromJson(row.threshold),
    notification: fromJsonOrNull(row.notification),
    ticketing: fromJsonOrNull(row.ticketing),
  };
}
