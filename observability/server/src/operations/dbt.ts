// SPDX-License-Identifier: Apache-2.0
import type { ColumnSources } from '@sextant/contracts-observability';
import { attributesIn, writtenAs } from '../sources/asset-attributes.ts';
import { type DbtModel, dbtModels, tableKey } from '../sources/dbt-manifest.ts';
import { type ReportedLineage, storeReportedLineage } from '../sources/reported-lineage.ts';
import { operation } from './operation.ts';

export const postDbtManifest = operation('post_dbt_manifest', async ({ tenant, columnsOfSelects }, { body, signal }) => {
  const { models, unknown } = dbtModels(body, await tenant.assets.list(), await tenant.connections.list());
  const attributesOf = attributesIn(tenant);
  const names = new Map<string, readonly string[]>();
  for (const id of new Set(models.flatMap(({ parents }) => parents))) {
    const attributes = await attributesOf(id);
    if (attributes.length > 0)
      names.set(
        id,
        attributes.map(({ name }) => name),
      );
  }
  const selects = models.map(({ sql, tables }) => ({
    sql: sql ?? '',
    columnsOfTable: (table: Parameters<typeof tableKey>[0]) => names.get(tables.get(tableKey(table)) ?? ''),
  }));
  const outputs = await columnsOfSelects(selects, signal);
  const reported = new Map<string, ReportedLineage>();
  for (const [index, model] of models.entries()) {
    const columns: ColumnSources[] = [];
    for (const { name, sources } of outputs[index] ?? []) {
      const attribute = writtenAs(name, await attributesOf(model.assetId));
      const known = await sourcesIn(model, sources ?? [], attributesOf);
      if (attribute !== undefined && sources !== undefined && known.length === sources.length) columns.push({ attribute, sources: known });
    }
    if (model.parents.length === 0 && columns.length === 0) continue;
    reported.set(model.assetId, { parents: model.parents, columns: distinct(columns), origin: 'DBT' });
  }
  await storeReportedLineage(tenant, reported);
  return { assets: [...reported.keys()], unknown };
});

type TableColumn = { readonly schema: string; readonly table: string; readonly column: string };

/** Those that are columns of assets; a column that is made of another one as well stays unknown, since a fault may come from there. */
async function sourcesIn(
  { tables }: DbtModel,
  sources: readonly TableColumn[],
  attributesOf: ReturnType<typeof attributesIn>,
): Promise<ColumnSources['sources']> {
  const known = [];
  for (const source of sources) {
    const assetId = tables.get(tableKey(source));
    const attribute = assetId === undefined ? undefined : writtenAs(source.column, await attributesOf(assetId));
    if (assetId !== undefined && attribute !== undefined) known.push({ asset_id: assetId, attribute });
  }
  return known;
}

/** A column that a SELECT has twice could be either. */
function distinct(columns: readonly ColumnSources[]): readonly ColumnSources[] {
  const byName = Map.groupBy(columns, ({ attribute }) => attribute);
  return [...byName.values()].flatMap((same) => (same.length === 1 ? same : []));
}
