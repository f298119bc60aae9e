// SPDX-License-Identifier: Apache-2.0
/** Assets, their lineage, schedules, and uploaded files. */
import Type from 'typebox';
import {
  assetSchema,
  attributeSchema,
  createAssetSchema,
  moveAssetsSchema,
  putAttributesSchema,
  putScheduleSchema,
  scheduleSchema,
  updateAssetSchema,
  uploadSchema,
} from '../asset-schemas.ts';
import { dbtLineageSchema, dbtManifestSchema } from '../dbt-schemas.ts';
import {
  columnLineageSchema,
  lineageSchema,
  openLineageEventSchema,
  openLineageResultSchema,
  putColumnLineageSchema,
  putLineageSchema,
} from '../lineage-schemas.ts';
import { assetQuerySchema, uploadQuerySchema } from '../query-schemas.ts';
import { messageSchema } from '../value-schemas.ts';
import { type Endpoint, needs, read, removal } from './endpoint.ts';
import { backend, data } from './paths.ts';

const ALL_ASSETS = '/{tenant}/configuration/assets';
const ANY_ASSET = `${ALL_ASSETS}/{asset_id}` as const;
const ASSETS = '/{tenant}/configuration/projects/{project_id}/assets';
const ASSET = `${ASSETS}/{asset_id}` as const;
const assets = { tag: 'Assets' } as const;
const projectAssets = { ...assets, ...backend(ASSETS), needs: needs.projectEditor } as const;
const asset = { ...assets, ...backend(ASSET), needs: needs.projectEditor } as const;
const attributes = { ...assets, ...backend(`${ANY_ASSET}/attributes`), needs: needs.assetEditor } as const;
const lineage = { ...assets, ...backend(`${ANY_ASSET}/lineage`), needs: needs.assetEditor } as const;
const columnLineage = { ...assets, ...backend(`${ANY_ASSET}/lineage/columns`), needs: needs.assetEditor } as const;
const schedule = { tag: 'Schedules', ...backend(`${ASSET}/schedule`), needs: needs.projectOperator } as const;
const uploads = { tag: 'Uploads', ...data('/{tenant}/uploads'), needs: needs.operator } as const;

export const assetEndpoints = {
  list_assets: {
    ...assets,
    ...backend(ALL_ASSETS),
    ...read,
    summary: 'List the assets of the tenant',
    query: assetQuerySchema,
    result: Type.Array(assetSchema),
  },
  list_project_assets: {
    ...projectAssets,
    ...read,
    summary: 'List the assets of a project',
    query: assetQuerySchema,
    result: Type.Array(assetSchema),
  },
  create_asset: {
    ...projectAssets,
    method: 'POST',
    summary: 'Register an asset and read its schema; no attribute is monitored until it is chosen',
    body: createAssetSchema,
    result: assetSchema,
    errors: ['source_refused', 'conflict'],
  },
  get_asset: {
    ...asset,
    ...read,
    summary: 'Read one asset with its attributes, schedule and lineage',
    result: assetSchema,
  },
  update_asset: {
    ...asset,
    method: 'PUT',
    summary: 'Change the given members of an asset',
    body: updateAssetSchema,
    result: assetSchema,
    errors: ['source_refused', 'conflict'],
  },
  delete_asset: {
    ...asset,
    ...removal,
    summary: 'Delete an asset and all its measurements',
    errors: ['conflict'],
  },
  move_assets: {
    ...assets,
    ...backend(`${ASSETS}/move`),
    method: 'POST',
    summary: 'Move assets to the project of the path; needs the role editor in both projects',
    needs: needs.projectEditor,
    body: moveAssetsSchema,
    result: messageSchema,
    errors: ['conflict'],
  },
  list_attributes: {
    ...attributes,
    ...read,
    summary: 'List the attributes of an asset',
    result: Type.Array(attributeSchema),
  },
  put_attributes: {
    ...attributes,
    method: 'PUT',
    summary: 'Set the monitored attributes; all others are not monitored',
    body: putAttributesSchema,
    result: Type.Array(attributeSchema),
  },
  get_lineage: {
    ...lineage,
    ...read,
    summary: 'Read the parent and child assets of an asset',
    result: lineageSchema,
  },
  put_lineage: {
    ...lineage,
    method: 'PUT',
    summary: 'Set the parent assets of an asset; cycles are refused',
    body: putLineageSchema,
    result: lineageSchema,
    errors: ['conflict'],
  },
  get_column_lineage: {
    ...columnLineage,
    ...read,
    summary: 'Read the known source columns of each column of an asset',
    result: columnLineageSchema,
  },
  put_column_lineage: {
    ...columnLineage,
    method: 'PUT',
    summary: 'Set the source columns, in parent assets, of each column of an asset',
    body: putColumnLineageSchema,
    result: columnLineageSchema,
    errors: ['conflict'],
  },
  post_openlineage: {
    ...assets,
    ...backend('/{tenant}/lineage/openlineage'),
    method: 'POST',
    summary: 'Import the lineage of assets and columns from an OpenLineage event',
    needs: needs.editor,
    body: openLineageEventSchema,
    result: openLineageResultSchema,
    errors: ['conflict'],
  },
  post_dbt_manifest: {
    ...assets,
    ...backend('/{tenant}/lineage/dbt'),
    method: 'POST',
    summary: 'Import the lineage of assets and columns from a dbt manifest',
    needs: needs.editor,
    body: dbtManifestSchema,
    result: dbtLineageSchema,
    errors: ['conflict', 'overloaded'],
  },
  get_schedule: {
    ...schedule,
    ...read,
    summary: 'Read the schedule of an asset',
    result: scheduleSchema,
  },
  put_schedule: {
    ...schedule,
    method: 'PUT',
    summary: 'Set the schedule of an asset',
    body: putScheduleSchema,
    result: scheduleSchema,
  },
  delete_schedule: {
    ...schedule,
    ...removal,
    summary: 'Remove the schedule of an asset',
  },
  list_uploads: {
    ...uploads,
    ...read,
    summary: 'List the uploaded files',
    result: Type.Array(uploadSchema),
  },
  create_upload: {
    ...uploads,
    method: 'POST',
    summary: 'Upload a file: its bytes as the body, its name in the query string',
    bodyKind: 'stream',
    query: uploadQuerySchema,
    result: uploadSchema,
    errors: ['body_too_large', 'overloaded', 'uploads_unavailable'],
  },
  delete_upload: {
    ...uploads,
    ...data('/{tenant}/uploads/{upload_id}'),
    ...removal,
    summary: 'Delete an uploaded file that no asset uses',
    errors: ['in_use'],
  },
} as const satisfies { readonly [operation: string]: Endpoint };
