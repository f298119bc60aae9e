// SPDX-License-Identifier: Apache-2.0
import type { Asset } from '@sextant/contracts-observability';
import { assetId } from '../database/ids.ts';
import type { Schema } from '../database/schema.ts';
import type { Queries, TenantScope } from '../database/scope.ts';
import { caseless, definedOnly, fromJson, toJson, toTime } from '../database/values.ts';
import { MetadataConflict, MetadataMissing } from '../errors.ts';
import { hasActiveJob } from './active-jobs.ts';
import { attributesByAsset } from './attributes.ts';
import { lineageEdges } from './lineage.ts';
import { insertPrebuiltMonitors } from './prebuilt-monitors.ts';
import { getRow, requireConnection, requireProject } from './references.ts';
import { schedulesByAsset } from './schedules.ts';

export type NewAsset = Pick<
  Asset,
  | 'project_id'
  | 'name'
  | 'description'
  | 'type'
  | 'options'
  | 'payload'
  | 'connection_id'
  | 'db_type'
  | 'tags'
  | 'webhook_url'
  | 'created_by'
>;

/** What is left out stays as it is; `options` and `payload` are whole: merging is the caller's. */
export type AssetChange = Partial<
  Pick<Asset, 'name' | 'description' | 'type' | 'options' | 'payload' | 'connection_id' | 'db_type' | 'tags' | 'webhook_url'>
>;

export type AssetParts = {
  readonly with_attributes?: boolean;
  readonly with_schedules?: boolean;
  readonly with_lineage?: boolean;
};

export type AssetMove = {
  readonly source_project_id: number;
  readonly target_project_id: number;
  readonly asset_ids: readonly string[];
  readonly target_connection_id?: number;
};

export type AssetStore = {
  /** Makes the asset with its pre-built monitors. @throws MetadataMissing for an unknown project or connection */
  readonly create: (asset: NewAsset) => Promise<Asset>;
  readonly list: (filter?: AssetParts & { readonly project_id?: number }) => Promise<readonly Asset[]>;
  /** @throws MetadataMissing */
  readonly get: (id: string, parts?: AssetParts) => Promise<Asset>;
  /** @throws MetadataMissing for an unknown asset or connection */
  readonly update: (id: string, change: AssetChange) => Promise<Asset>;
  /** All or none. @throws MetadataMissing for an asset that is not in the source project */
  readonly move: (move: AssetMove) => Promise<void>;
  /** Removes the asset and all that belongs to it. @throws MetadataMissing; MetadataConflict while a job runs on it */
  readonly delete: (id: string) => Promise<void>;
};

export function assetStore({ tenantId, db, write, clock, randomBytes, own }: TenantScope): AssetStore {
  const rowOf = (queries: Queries, id: string) => getRow(queries, tenantId, { table: 'assets', id });
  const updateRow = (queries: Queries, id: string, change: Partial<Schema['assets']>) =>
    own(queries).updateTable('assets').set(change).where('id', '=', id).execute();

  return {
    create: (asset) =>
      write(async (transaction) => {
        await requireProject(transaction, tenantId, asset.project_id);
        if (asset.connection_id !== null) await requireConnection(transaction, tenantId, asset.connection_id);
        const { project_id, created_by } = asset;
        const row = {
          ...toRow(asset),
          tenant_id: tenantId,
          id: assetId(randomBytes),
          project_id,
          created_by,
          created_ms: clock.nowMs(),
        };
        await transaction.insertInto('assets').values(row).execute();
        await insertPrebuiltMonitors(transaction, row);
        return toAsset(row);
      }),
    list: async ({ project_id, ...parts } = {}) => {
      let query = own(db).selectFrom('assets').selectAll();
      if (project_id !== undefined) query = query.where('project_id', '=', project_id);
      const rows = await query.orderBy('created_ms').orderBy('id').execute();
      return withParts(db, tenantId, rows.map(toAsset), parts);
    },
    get: async (id, parts = {}) => {
      const asset = toAsset(await rowOf(db, id));
      const [whole] = await withParts(db, tenantId, [asset], parts, id);
      return whole ?? asset;
    },
    update: (id, change) =>
      write(async (transaction) => {
        const row = await rowOf(transaction, id);
        if (typeof change.connection_id === 'number') await requireConnection(transaction, tenantId, change.connection_id);
        const changed = toRow({ ...toAsset(row), ...definedOnly(change) });
        await updateRow(transaction, id, changed);
        return toAsset({ ...row, ...changed });
      }),
    move: ({ source_project_id, target_project_id, asset_ids, target_connection_id }) =>
      write(async (transaction) => {
        await requireProject(transaction, tenantId, target_project_id);
        if (target_connection_id !== undefined) await requireConnection(transaction, tenantId, target_connection_id);
        for (const id of asset_ids) {
          const row = await rowOf(transaction, id);
          if (row.project_id !== source_project_id) throw new MetadataMissing('asset', id);
          const connection = target_connection_id === undefined ? {} : { connection_id: target_connection_id };
          await updateRow(transaction, id, { project_id: target_project_id, ...connection });
          await own(transaction).updateTable('incidents').set({ project_id: target_project_id }).where('asset_id', '=', id).execute();
        }
      }),
    delete: (id) =>
      write(async (transaction) => {
        await rowOf(transaction, id);
        if (await hasActiveJob(transaction, tenantId, id))
          throw new MetadataConflict('asset', `A job of asset ${id} is waiting or running.`);
        await own(transaction).deleteFrom('assets').where('id', '=', id).execute();
      }),
  };
}

/** Adds what was asked for; one query per part, whatever the number of assets. `only` narrows it to one asset. */
async function withParts(
  db: Queries,
  tenantId: string,
  assets: readonly Asset[],
  { with_attributes, with_schedules, with_lineage }: AssetParts,
  only?: string,
): Promise<readonly Asset[]> {
  const attributes = with_attributes ? await attributesByAsset(db, tenantId, only) : undefined;
  const schedules = with_schedules ? await schedulesByAsset(db, tenantId, only) : undefined;
  const edges = with_lineage ? await lineageEdges(db, tenantId, only) : undefined;
  const children = edges && Map.groupBy(edges, (edge) => edge.parent_id);
  const parents = edges && Map.groupBy(edges, (edge) => edge.child_id);
  return assets.map((asset) => ({
    ...asset,
    ...(attributes && { attributes: attributes.get(asset.id) ?? [] }),
    ...(schedules && { scheduled_upload: schedules.get(asset.id) ?? null }),
    ...(parents && { parents: (parents.get(asset.id) ?? []).map((edge) => edge.parent_id) }),
    ...(children && { children: (children.get(asset.id) ?? []).map((edge) => edge.child_id) }),
  }));
}

function toRow({ name, description, type, options, payload, connection_id, db_type, tags, webhook_url }: NewAsset) {
  return {
    name,
    name_key: caseless(name),
    description,
    type,
    connection_id,
    db_type,
    webhook_url,
    options: toJson(options),
    payload: toJson(payload),
    tags: toJson(tags),
  };
}

function toAsset(row: Schema['assets']): Asset {
  const { id, project_id, name, description, connection_id, db_type, webhook_url, created_by } = row;
  return {
    id,
    project_id,
    name,
    description,
    connection_id,
    db_type,
    webhook_url,
    created_by,
    created_at: toTime(row.created_ms),
    // The store wrote it from an `Asset`.
    type: row.type as Asset['type'],
    options: fromJson(row.options),
    payload: fromJson(row.payload),
    tags: fromJson(row.tags),
  };
}
