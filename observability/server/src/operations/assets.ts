// SPDX-License-Identifier: Apache-2.0
/** Assets: what is watched, and where it is. */
import { ApiError, type Asset, type AssetOptions, type BodyOf, type Connection } from '@sextant/contracts-observability';
import { mayDo } from '../auth/roles.ts';
import { describeSource, storeDescription } from '../sources/describe-source.ts';
import { requireFollowable } from './asset-options.ts';
import { operation, type TenantContext } from './operation.ts';
import { isTrue, numericId } from './parameters.ts';
import { shownAsset } from './webhook-addresses.ts';

const ALL_PARTS = { with_attributes: true, with_schedules: true, with_lineage: true } as const;

export const listAssets = operation('list_assets', async ({ tenant, member }, { query }) =>
  (await tenant.assets.list(partsOf(query))).map((asset) => shownAsset(asset, member)),
);

export const listProjectAssets = operation('list_project_assets', async ({ tenant, member }, { params, query }) => {
  const { id } = await tenant.projects.get(numericId('Project', params.project_id));
  return (await tenant.assets.list({ ...partsOf(query), project_id: id })).map((asset) => shownAsset(asset, member));
});

export const getAsset = operation('get_asset', async (context, { params }) =>
  shownAsset(await assetOfProject(context, params), context.member),
);

export const createAsset = operation('create_asset', async (context, { params, body, signal }) => {
  const { tenant, member, sources } = context;
  const { id: project_id } = await tenant.projects.get(numericId('Project', params.project_id));
  const { name, type, payload, connection_id = null } = body;
  const connection = await connectionFor(context, connection_id, project_id);
  sources.validateAsset({ type, payload, connection_id }, connection);
  const options = body.options ?? {};
  const found = await describeSource(context, { type, payload, connection_id, options }, signal);
  requireFollowable({ type, payload, options }, found?.columns);
  const created = await tenant.assets.create({
    project_id,
    name,
    description: body.description ?? null,
    type,
    options,
    payload,
    connection_id,
    db_type: connection?.db_type ?? null,
    tags: body.tags ?? [],
    webhook_url: body.webhook_url ?? null,
    created_by: member.name,
  });
  if (found !== undefined) await storeDescription(tenant, created, { description: found, monitorNew: false });
  return tenant.assets.get(created.id, ALL_PARTS);
});

export const updateAsset = operation('update_asset', async (context, { params, body, signal }) => {
  const { tenant, sources } = context;
  const asset = await assetOfProject(context, params);
  const { options, description, webhook_url, connection_id, ...rest } = body;
  const changed = {
    ...asset,
    type: body.type ?? asset.type,
    payload: body.payload ?? asset.payload,
    connection_id: connection_id === undefined ? asset.connection_id : connection_id,
  };
  const connection = await connectionFor(context, changed.connection_id, asset.project_id);
  sources.validateAsset(changed, connection);
  const next = {
    ...changed,
    options: options === undefined ? asset.options : mergedOptions(asset.options, withReading(asset.options, options)),
  };
  const isElsewhere = body.type !== undefined || body.payload !== undefined || connection_id !== undefined;
  const isReadOtherwise = options?.reading !== undefined || options?.separator !== undefined;
  // What says where the data are or how they are read has to be right; anything else may change while they cannot be reached.
  const found =
    isElsewhere || isReadOtherwise
      ? await describeSource(context, next, signal)
      : options && (await describeSource(context, next, signal).catch(() => undefined));
  if (options !== undefined) requireFollowable(next, found?.columns);
  const updated = await tenant.assets.update(asset.id, {
    ...rest,
    connection_id: changed.connection_id,
    db_type: connection?.db_type ?? null,
    ...(options === undefined ? {} : { options: next.options }),
    ...(description === undefined ? {} : { description }),
    ...(webhook_url === undefined ? {} : { webhook_url }),
  });
  // A column of the next version is watched as one is that a scan finds: else one that is renamed and comes back would drop out unseen.
  const monitorNew = asset.attributes?.some(({ monitored }) => monitored) === true;
  if (found !== undefined) await storeDescription(tenant, updated, { description: found, monitorNew });
  return tenant.assets.get(asset.id, ALL_PARTS);
});

export const deleteAsset = operation('delete_asset', async (context, { params }) => {
  const { id } = await assetOfProject(context, params);
  await context.tenant.assets.delete(id);
  return { message: `Asset ${id} was deleted.` };
});

export const moveAssets = operation('move_assets', async (context, { params, body }) => {
  const { tenant, member } = context;
  const { id: target_project_id } = await tenant.projects.get(numericId('Project', params.project_id));
  const { source_project_id, source_asset_ids, target_connection_id = null } = body;
  if (!mayDo(member, 'editor', source_project_id)) throw new ApiError('role_too_small', { needed: 'editor', role: member.role });
  const connection = await connectionFor(context, target_connection_id, target_project_id);
  for (const assetId of source_asset_ids) await checkMove(context, assetId, target_project_id, connection);
  await tenant.assets.move({
    source_project_id,
    target_project_id,
    asset_ids: source_asset_ids,
    ...(connection === undefined ? {} : { target_connection_id: connection.id }),
  });
  return { message: `${source_asset_ids.length} assets were moved to project ${target_project_id}.` };
});

export const listAttributes = operation('list_attributes', async ({ tenant }, { params }) => {
  const { id } = await tenant.assets.get(params.asset_id);
  return tenant.attributes.list(id);
});

export const putAttributes = operation('put_attributes', async ({ tenant }, { params, body }) => {
  const { id } = await tenant.assets.get(params.asset_id);
  const attributes = await tenant.attributes.list(id);
  const unknown = body.monitored?.find((name) => !attributes.some((attribute) => attribute.name === name));
  if (unknown !== undefined)
    throw new ApiError('bad_request', { reason: `monitored: the asset has no attribute ${JSON.stringify(unknown)}` });
  const chosen = attributes.map(({ name }) => [name, body.all ?? body.monitored?.includes(name) ?? false] as const);
  return tenant.attributes.setMonitored(id, Object.fromEntries(chosen));
});

/** The asset of a path, which is there only below its own project: a role in one project reaches nothing of another. */
export async function assetOfProject(
  { tenant }: TenantContext,
  params: { readonly project_id: string; readonly asset_id: string },
): Promise<Asset> {
  const asset = await tenant.assets.get(params.asset_id, ALL_PARTS);
  if (asset.project_id === numericId('Project', params.project_id)) return asset;
  throw new ApiError('not_found', { what: `Asset of project ${params.project_id}`, id: params.asset_id });
}

/** A connection that assets of a project may use: a global one, or one of that project. */
async function connectionFor({ tenant }: TenantContext, id: number | null, projectId: number): Promise<Connection | undefined> {
  if (id === null) return undefined;
  const connection = await tenant.connections.get(id);
  if (connection.scope === 'GLOBAL' || connection.project_id === projectId) return connection;
  throw new ApiError('bad_request', { reason: `connection_id: connection ${id} belongs to another project` });
}

async function checkMove(context: TenantContext, assetId: string, targetProjectId: number, target: Connection | undefined): Promise<void> {
  const asset = await context.tenant.assets.get(assetId);
  if (target !== undefined && target.type !== asset.type) {
    throw new ApiError('bad_request', { reason: `target_connection_id: expected a connection of type ${asset.type}, got ${target.type}` });
  }
  if (target === undefined) await connectionFor(context, asset.connection_id, targetProjectId);
}

type OptionsChange = NonNullable<BodyOf<'update_asset'>['options']>;

/** Key by key; null removes a key. */
function mergedOptions(options: AssetOptions, change: OptionsChange): AssetOptions {
  return Object.fromEntries(Object.entries({ ...options, ...change }).filter(([, value]) => value !== null && value !== undefined));
}

/** A separator that is given or taken away ends what was found with another one; types that people chose stay. */
function withReading({ reading }: AssetOptions, change: OptionsChange): OptionsChange {
  if (change.separator === undefined || change.reading !== undefined || reading === undefined) return change;
  return { ...change, reading: reading.types === undefined ? null : { types: reading.types } };
}

type PartsQuery = { readonly with_attributes?: string; readonly with_schedules?: string; readonly with_lineage?: string };

function partsOf({ with_attributes, with_schedules, with_lineage }: PartsQuery) {
  return { with_attributes: isTrue(with_attributes), with_schedules: isTrue(with_schedules), with_lineage: isTrue(with_lineage) };
}
