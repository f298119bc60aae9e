import type { Asset, Attribute } from '@sextant/contracts-observability';

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

export type LineageStore = {
  /** @throws MetadataMissing for an unknown asset */
  readonly get: (assetId: string) => Promise<{ readonly parents: readonly string[]; readonly children: readonly string[] }>;
  /** Replaces the sides that are given. @throws MetadataMissing for an unknown asset; MetadataConflict when a cycle would arise */
  readonly replace: (
    assetId: string,
    edges: { readonly parents?: readonly string[]; readonly children?: readonly string[] },
  ) => Promise<void>;
};
