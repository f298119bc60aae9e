// SPDX-License-Identifier: Apache-2.0
import type { Attribute } from '@sextant/contracts-observability';
import { hexId } from '../database/ids.ts';
import type { Schema } from '../database/schema.ts';
import { insertAll, ownRows, type Queries, type TenantScope } from '../database/scope.ts';
import { toFlag } from '../database/values.ts';
import { requireAsset } from './references.ts';

/** A column as a connector or a scan sees it. */
export type FoundColumn = Pick<Attribute, 'name' | 'source_type' | 'data_type'>;

export type AttributeStore = {
  readonly list: (assetId: string) => Promise<readonly Attribute[]>;
  /**
   * Makes the attributes those of the columns, in their order: known names keep their id and whether they are monitored.
   * @throws MetadataMissing for an unknown asset
   */
  readonly replace: (
    assetId: string,
    columns: readonly FoundColumn[],
    options: { readonly monitorNew: boolean },
  ) => Promise<readonly Attribute[]>;
  /** By name; unknown names are ignored. @throws MetadataMissing for an unknown asset */
  readonly setMonitored: (assetId: string, monitored: { readonly [name: string]: boolean }) => Promise<readonly Attribute[]>;
};

export function attributeStore({ tenantId, db, write, randomBytes, own }: TenantScope): AttributeStore {
  const list = async (queries: Queries, assetId: string) => {
    await requireAsset(queries, tenantId, assetId);
    return (await attributesByAsset(queries, tenantId, assetId)).get(assetId) ?? [];
  };
  const store = async (queries: Queries, assetId: string, attributes: readonly Attribute[]) => {
    await own(queries).deleteFrom('attributes').where('asset_id', '=', assetId).execute();
    const rows = attributes.map(({ id, name, source_type, data_type, monitored }, position) => ({
      tenant_id: tenantId,
      asset_id: assetId,
      id,
      position,
      name,
      source_type,
      data_type,
      is_monitored: toFlag(monitored),
    }));
    await insertAll(queries, 'attributes', rows);
    return attributes;
  };

  return {
    list: (assetId) => list(db, assetId),
    replace: (assetId, columns, { monitorNew }) =>
      write(async (transaction) => {
        const known = new Map((await list(transaction, assetId)).map((attribute) => [attribute.name, attribute]));
        const attributes = columns.map(({ name, source_type, data_type }) => {
          const { id, monitored } = known.get(name) ?? { id: hexId(randomBytes, 'c'), monitored: monitorNew };
          return { id, name, source_type, data_type, monitored };
        });
        return store(transaction, assetId, attributes);
      }),
    setMonitored: (assetId, monitored) =>
      write(async (transaction) => {
        const attributes = await list(transaction, assetId);
        const changed = attributes.map((attribute) => {
          const chosen = Object.hasOwn(monitored, attribute.name) ? monitored[attribute.name] : undefined;
          return { ...attribute, monitored: chosen ?? attribute.monitored };
        });
        return store(transaction, assetId, changed);
      }),
  };
}

/** In the order of the columns. */
export async function attributesByAsset(db: Queries, tenantId: string, only?: string): Promise<Map<string, readonly Attribute[]>> {
  let query = ownRows(db, tenantId).selectFrom('attributes').selectAll();
  if (only !== undefined) query = query.where('asset_id', '=', only);
  const rows = await query.orderBy('position').execute();
  return new Map([...Map.groupBy(rows, ({ asset_id }) => asset_id)].map(([assetId, own]) => [assetId, own.map(toAttribute)]));
}

function toAttribute({ id, name, source_type, data_type, is_monitored }: Schema['attributes']): Attribute {
  // The store wrote the type from an `Attribute`.
  return { id, name, source_type, data_type: data_type as Attribute['data_type'], monitored: is_monitored === 1 };
}
