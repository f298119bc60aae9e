// SPDX-License-Identifier: Apache-2.0
import type { ColumnLineage, ColumnSources } from '@sextant/contracts-observability';
import type { Schema } from '../database/schema.ts';
import type { TenantScope } from '../database/scope.ts';
import { insertAll } from '../database/scope.ts';
import { MetadataConflict } from '../errors.ts';
import { requireAsset } from './references.ts';

type Row = Schema['column_lineage'];

export type ColumnLineageStore = {
  /** The columns whose sources are known, by name. @throws MetadataMissing for an unknown asset */
  readonly list: (assetId: string) => Promise<readonly ColumnLineage[]>;
  /**
   * Replaces what is known of all columns. A column that is the same as before keeps its origin, so that what reports it may go on; the others are a person's. @throws MetadataMissing for an unknown asset; MetadataConflict for a source whose asset is no
   * parent of this one
   */
  readonly replace: (assetId: string, columns: readonly ColumnSources[]) => Promise<void>;
  /** Replaces what a program reported of these columns, and leaves what a person set. @throws as `replace` does */
  readonly report: (assetId: string, columns: readonly ColumnSources[], origin: Exclude<Row['origin'], 'PERSON'>) => Promise<void>;
};

export function columnLineageStore({ tenantId, db, write, own }: TenantScope): ColumnLineageStore {
  const read = async (queries: typeof db, assetId: string) =>
    own(queries)
      .selectFrom('column_lineage')
      .selectAll()
      .where('asset_id', '=', assetId)
      .orderBy('attribute')
      .orderBy('position')
      .execute();

  const put = (assetId: string, origin: Row['origin'], columns: readonly ColumnSources[]) =>
    write(async (transaction) => {
      await requireAsset(transaction, tenantId, assetId);
      const edges = await own(transaction).selectFrom('lineage_edges').select('parent_id').where('child_id', '=', assetId).execute();
      const parents = new Set(edges.map(({ parent_id }) => parent_id));
      for (const { attribute, sources } of columns) {
        const stranger = sources.find(({ asset_id }) => !parents.has(asset_id));
        if (stranger === undefined) continue;
        const why = `Column ${JSON.stringify(attribute)} cannot come from asset ${stranger.asset_id}: asset ${assetId} does not come from it.`;
        throw new MetadataConflict('asset', why);
      }
      const before = await read(transaction, assetId);
      const said = before.filter((row) => row.origin === 'PERSON').map(({ attribute }) => attribute);
      const kept = origin === 'PERSON' ? sameColumns(before, columns) : new Set(said);
      const changed = columns.filter(({ attribute }) => !kept.has(attribute));
      const old = own(transaction).deleteFrom('column_lineage').where('asset_id', '=', assetId);
      if (origin === 'PERSON') await (kept.size === 0 ? old : old.where('attribute', 'not in', [...kept])).execute();
      // A view and a model tell of all their columns: one that they do not name any more is unknown.
      if (origin === 'VIEW' || origin === 'DBT') await old.where('origin', '=', origin).execute();
      if (origin !== 'PERSON') for (const { attribute } of changed) await old.where('attribute', '=', attribute).execute();
      const rows = changed.flatMap(({ attribute, sources }) =>
        rowsOf({ tenant_id: tenantId, asset_id: assetId, attribute, origin }, sources),
      );
      await insertAll(transaction, 'column_lineage', rows);
    });

  return {
    list: async (assetId) => {
      await requireAsset(db, tenantId, assetId);
      const columns = Map.groupBy(await read(db, assetId), ({ attribute }) => attribute);
      return [...columns].map(([attribute, rows]) => ({ attribute, origin: rows[0]?.origin ?? 'PERSON', sources: rows.flatMap(sourceOf) }));
    },
    replace: (assetId, columns) => put(assetId, 'PERSON', columns),
    report: (assetId, columns, origin) => put(assetId, origin, columns),
  };
}

/** Those whose sources are the ones that are known, in whatever order. */
function sameColumns(before: readonly Row[], columns: readonly ColumnSources[]): ReadonlySet<string> {
  const textOf = (sources: ColumnSources['sources']) =>
    [...new Set(sources.map(({ asset_id, attribute }) => JSON.stringify([asset_id, attribute])))].toSorted().join();
  const known = new Map(
    [...Map.groupBy(before, ({ attribute }) => attribute)].map(([attribute, rows]) => [attribute, textOf(rows.flatMap(sourceOf))]),
  );
  return new Set(columns.filter(({ attribute, sources }) => known.get(attribute) === textOf(sources)).map(({ attribute }) => attribute));
}

/** One row for each source, or one without a source. */
function rowsOf(column: Pick<Row, 'tenant_id' | 'asset_id' | 'attribute' | 'origin'>, sources: ColumnSources['sources']): readonly Row[] {
  if (sources.length === 0) return [{ ...column, position: 0, source_id: null, source_attribute: null }];
  const distinct = new Map(sources.map((source) => [JSON.stringify([source.asset_id, source.attribute]), source]));
  return [...distinct.values()].map(({ asset_id: source_id, attribute: source_attribute }, position) => ({
    ...column,
    position,
    source_id,
    source_attribute,
  }));
}

function sourceOf({ source_id, source_attribute }: Row): ColumnSources['sources'] {
  return source_id === null || source_attribute === null ? [] : [{ asset_id: source_id, attribute: source_attribute }];
}
