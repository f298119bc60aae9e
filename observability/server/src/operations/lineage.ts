// SPDX-License-Identifier: Apache-2.0
import { ApiError, type Attribute, type ColumnSources, type OpenLineageEvent } from '@sextant/contracts-observability';
import type { TenantMetadata } from '@sextant/observability-metadata';
import { attributesIn, writtenAs } from '../sources/asset-attributes.ts';
import { assetsByDataset } from '../sources/lineage-datasets.ts';
import { type ReportedLineage, storeReportedLineage } from '../sources/reported-lineage.ts';
import { operation } from './operation.ts';

export const getLineage = operation('get_lineage', ({ tenant }, { params }) => tenant.lineage.get(params.asset_id));

export const putLineage = operation('put_lineage', async ({ tenant }, { params, body }) => {
  await tenant.lineage.replace(params.asset_id, { parents: [...new Set(body.parents)] });
  return tenant.lineage.get(params.asset_id);
});

export const getColumnLineage = operation('get_column_lineage', async ({ tenant }, { params }) => ({
  columns: await tenant.columnLineage.list(params.asset_id),
}));

export const putColumnLineage = operation('put_column_lineage', async ({ tenant }, { params, body }) => {
  const { id } = await tenant.assets.get(params.asset_id);
  const attributesOf = attributesIn(tenant);
  for (const [index, { attribute, sources }] of body.columns.entries()) {
    requireAttribute(`columns[${index}].attribute`, id, attribute, await attributesOf(id));
    for (const [place, source] of sources.entries()) {
      const known = await attributesOf((await tenant.assets.get(source.asset_id)).id);
      requireAttribute(`columns[${index}].sources[${place}].attribute`, source.asset_id, source.attribute, known);
    }
  }
  await tenant.columnLineage.replace(id, body.columns);
  return { columns: await tenant.columnLineage.list(id) };
});

export const postOpenLineage = operation('post_openlineage', async ({ tenant }, { body }) => {
  const [assets, connections] = [await tenant.assets.list(), await tenant.connections.list()];
  const assetOf = assetsByDataset(assets, connections);
  const unknown = new Map<string, Dataset>();
  const found = (dataset: Dataset) => {
    const asset = assetOf(dataset);
    if (asset === undefined) unknown.set(`${dataset.namespace} ${dataset.name}`, { namespace: dataset.namespace, name: dataset.name });
    return asset;
  };
  const reported = new Map<string, ReportedLineage>();
  for (const output of body.outputs ?? []) {
    const id = found(output)?.id;
    if (id === undefined) continue;
    const fields = fieldsOf(output);
    const sources = [...(body.inputs ?? []), ...fields.flatMap(([, { inputFields }]) => inputFields)];
    const parents = new Set(sources.flatMap((source) => found(source)?.id ?? []).filter((parent) => parent !== id));
    const columns = await columnsOf(tenant, { id, fields, assetIdOf: (source) => assetOf(source)?.id });
    if (parents.size > 0 || columns.length > 0) reported.set(id, { parents: [...parents], columns, origin: 'OPENLINEAGE' });
  }
  await storeReportedLineage(tenant, reported);
  return { assets: [...reported.keys()], unknown: [...unknown.values()] };
});

type Dataset = { readonly namespace: string; readonly name: string };
type Output = NonNullable<OpenLineageEvent['outputs']>[number];
type Fields = NonNullable<NonNullable<Output['facets']>['columnLineage']>['fields'];

function fieldsOf({ facets }: Output): readonly (readonly [string, Fields[string]])[] {
  return Object.entries(facets?.columnLineage?.fields ?? {});
}

type EventFacts = {
  readonly id: string;
  readonly fields: ReturnType<typeof fieldsOf>;
  readonly assetIdOf: (dataset: Dataset) => string | undefined;
};

/** With names as the assets write them. A column with a source that no asset has is unknown, since a fault may come from there. */
async function columnsOf(tenant: TenantMetadata, { id, fields, assetIdOf }: EventFacts): Promise<readonly ColumnSources[]> {
  const attributesOf = attributesIn(tenant);
  const columns: ColumnSources[] = [];
  for (const [field, { inputFields }] of fields) {
    const sources = [];
    for (const input of inputFields) {
      const source = assetIdOf(input);
      const attribute = source === undefined ? undefined : writtenAs(input.field, await attributesOf(source));
      // A table that is written from itself passes its faults on to itself, which is no lineage.
      if (source !== id) sources.push(source === undefined || attribute === undefined ? undefined : { asset_id: source, attribute });
    }
    const attribute = writtenAs(field, await attributesOf(id));
    const known = sources.filter((source) => source !== undefined);
    if (attribute !== undefined && known.length === sources.length) columns.push({ attribute, sources: known });
  }
  return columns;
}

function requireAttribute(at: string, assetId: string, attribute: string, known: readonly Attribute[]): void {
  if (known.length === 0 || known.some(({ name }) => name === attribute)) return;
  throw new ApiError('bad_request', { reason: `${at}: asset ${assetId} has no attribute ${JSON.stringify(attribute)}` });
}
