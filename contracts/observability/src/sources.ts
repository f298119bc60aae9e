/** Where data is and what of it is watched: projects, connections, assets, schedules. */

export type ConnectionKind = 'FILE' | 'UPLOAD' | 'S3' | 'GCS' | 'AZURE' | 'POSTGRESQL' | 'VECTOR_COLLECTION';
/** Kinds that are known by name, stored and returned, and refused with a clear sentence when they are scanned. */
export type UnservedKind = 'BIGQUERY' | 'REDSHIFT' | 'SNOWFLAKE' | 'DELTALAKE' | 'HIVE_ICEBERG' | 'GENERIC_JDBC';

export type Project = {
  /** 0 is the project `Default`, which every tenant has. */
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly created_by: string;
  readonly created_at: string;
};

export type Connection = {
  readonly id: number;
  /** 0 for global ones. */
  readonly project_id: number;
  readonly name: string;
  readonly scope: 'PROJECT' | 'GLOBAL';
  readonly created_by: string;
  readonly created_at: string;
  readonly type: ConnectionKind | UnservedKind;
  /** By kind; see the connectors. Never holds a secret. */
  readonly payload: { readonly [field: string]: unknown };
  readonly db_type: string | null;
};

/** Secrets of a connection; encrypted at rest, never returned. */
export type Credential = { readonly type: string; readonly payload: { readonly [field: string]: unknown } };

export type Attribute = {
  readonly id: string;
  readonly name: string;
  /** The type as the source names it, and as one of our few. */
  readonly source_type: string;
  readonly data_type: DataType;
  readonly monitored: boolean;
};

export type DataType = 'STRING' | 'INTEGER' | 'DECIMAL' | 'BOOLEAN' | 'DATE' | 'TIMESTAMP' | 'OTHER';

export type AssetOptions = {
  readonly id_attributes?: readonly string[];
  readonly timestamp_attribute?: string;
  /** `"true"` or `"false"`, as the published API writes it. */
  readonly delta_only?: string;
  /** Metrics are computed per value of each attribute, besides for the whole; null is `__null__`. */
  readonly segments?: { readonly [attribute: string]: readonly string[] };
  readonly filter?: { readonly [attribute: string]: readonly string[] };
  /** Percent. */
  readonly sample_fraction?: number;
  readonly limit?: number;
  readonly skip_investigator?: string;
  readonly only_light_scan?: string;
  readonly separator?: string;
  readonly resolve_wildcards_to_folders?: string;
  /** Values that count as empty beside null and the empty string. */
  readonly empty_values?: readonly string[];
};

export type Asset = {
  readonly id: string;
  readonly project_id: number;
  readonly name: string;
  readonly description: string | null;
  readonly type: ConnectionKind | UnservedKind;
  readonly options: AssetOptions;
  /** By kind: `{path, file_type}` for files and object stores, `{schema, table, query?}` for PostgreSQL, `{collection}` for vectors. */
  readonly payload: { readonly [field: string]: unknown };
  readonly connection_id: number | null;
  readonly db_type: string | null;
  readonly tags: readonly string[];
  readonly webhook_url: string | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly attributes?: readonly Attribute[];
  readonly scheduled_upload?: Schedule | null;
  readonly parents?: readonly string[];
  readonly children?: readonly string[];
};

export type Schedule = {
  /** Five fields of cron, UTC. */
  readonly schedule: string;
  readonly enabled: boolean;
  readonly delta_only: boolean;
  readonly sample_fraction: number | null;
  readonly skip_investigator: boolean;
  readonly timestamp_attribute: string | null;
};

/** A file that was sent to the service. */
export type Upload = {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  readonly created_by: string;
  readonly created_at: string;
  /** The payload of an asset of kind UPLOAD that is this file. */
  readonly payload: { readonly [field: string]: unknown };
};
