// SPDX-License-Identifier: Apache-2.0
/** What a view of PostgreSQL says of its columns, kept with each scan of it. */
import type { Asset, ColumnSources } from '@sextant/contracts-observability';
import type { Description } from '@sextant/observability-connectors';
import { MetadataConflict, type TenantMetadata } from '@sextant/observability-metadata';
import { columnsOfView, type ViewColumnSources } from '@sextant/observability-scan';
import { storeReportedLineage } from './reported-lineage.ts';

/** Views are the same in most scans, and parsing one takes a process. */
const VIEWS_MAX = 200;

type ReadColumns = typeof columnsOfView;

/** The same, which remembers the views that it read last. */
export function rememberedColumns(read: ReadColumns = columnsOfView): ReadColumns {
  const known = new Map<string, Awaited<ReturnType<ReadColumns>>>();
  return async (sql, options) => {
    const columns = known.has(sql) ? known.get(sql) : await read(sql, options);
    known.delete(sql);
    known.set(sql, columns);
    const oldest = known.keys().next();
    if (known.size > VIEWS_MAX && oldest.done !== true) known.delete(oldest.value);
    return columns;
  };
}

export type FoundView = {
  readonly columns: Description['columns'];
  /** In the order of these columns. */
  readonly sources: readonly ViewColumnSources[];
};

/** A column of which one source is no column of an asset of the same connection stays unknown, since a fault may come from there. */
export async function storeViewLineage(tenant: TenantMetadata, asset: Asset, { columns, sources }: FoundView): Promise<void> {
  if (sources.length !== columns.length) return;
  const assetIds = new Map<string, string | undefined>();
  for (const { id, connection_id, payload } of await tenant.assets.list()) {
    if (connection_id !== asset.connection_id || typeof payload.table !== 'string' || (payload.query ?? null) !== null) continue;
    const key = keyOf({ schema: typeof payload.schema === 'string' ? payload.schema : 'public', table: payload.table });
    // Of two assets of one table, nobody knows which is meant.
    assetIds.set(key, assetIds.has(key) ? undefined : id);
  }
  const known = columns.flatMap(({ name }, index): readonly ColumnSources[] => {
    const found = sources[index]?.map((source) => ({ asset_id: assetIds.get(keyOf(source)), attribute: source.column }));
    const named = found?.flatMap(({ asset_id, attribute }) => (asset_id === undefined ? [] : [{ asset_id, attribute }]));
    return named === undefined || named.length !== found?.length ? [] : [{ attribute: name, sources: named }];
  });
  const parents = known.flatMap((column) => column.sources.map(({ asset_id }) => asset_id));
  try {
    await storeReportedLineage(tenant, new Map([[asset.id, { parents: parents, columns: known, origin: 'VIEW' }]]));
  } catch (error) {
    // Where people said the contrary of what the view says, their word counts.
    if (!(error instanceof MetadataConflict)) throw error;
  }
}

function keyOf({ schema, table }: { readonly schema: string; readonly table: string }): string {
  return JSON.stringify([schema, table]);
}
