// SPDX-License-Identifier: Apache-2.0
/**
 * What every kind of source can do. A connector never computes a metric: it says what is there, proves that it can be reached, and opens data
 * in a form that a scan engine reads.
 */
import type { Connection, ConnectionKind, Credential, DataType, Reading, SparkJobConfig } from '@sextant/contracts-observability';

/** A connection with its secrets, as only the code that connects sees it. */
export type OpenConnection = Pick<Connection, 'id' | 'type' | 'payload'> & {
  readonly credential: Credential | null;
  /** Of a Spark: whose it is, and how that tenant wants it. */
  readonly spark?: { readonly tenant: string; readonly config: SparkJobConfig };
};

/** What of a connection an asset is about: the asset's payload and the options that concern reading. */
export type AssetLocation = {
  readonly payload: { readonly [field: string]: unknown };
  /** The option `separator`. */
  readonly separator?: string;
  /** The option `reading`. */
  readonly reading?: Reading;
  /** The option `resolve_wildcards_to_folders`: one `*` of the path stands for any text without a slash. */
  readonly resolveWildcards?: boolean;
};

export type ListedItem = {
  /** The payload that an asset of this item would have. */
  readonly payload: { readonly [field: string]: unknown };
  readonly name: string;
  readonly bytes: number | null;
  readonly modified_at: string | null;
};

export type Column = { readonly name: string; readonly source_type: string; readonly data_type: DataType };

export type Description = {
  readonly columns: readonly Column[];
  /** When the data last changed, ISO 8601, where the source knows. */
  readonly modified_at: string | null;
  readonly bytes: number | null;
  /** The SELECT behind a view, with every table under its schema. */
  readonly definition?: string;
  /** How text files are read, all of it; undefined for other sources. */
  readonly reading?: Reading;
  /** Of files, why no other engine would read them as this service does; undefined where Spark does. */
  readonly onlyHere?: string;
};

/** Opened data. Disposing it removes temporary files and closes connections. */
export type OpenedSource = AsyncDisposable & {
  readonly description: Description;
  readonly data:
    | {
        readonly kind: 'files';
        /** Of one format, not compressed. Text is UTF-8, with or without a byte order mark. A path may have no telling extension (`/proc/7/fd/20`). */
        readonly files: readonly FileToScan[];
        readonly format: FileFormat;
        /** Of rows that are points with vectors. */
        readonly vectors?: VectorColumns;
      }
    | { readonly kind: 'postgresql'; readonly connect: PostgresAccess; readonly relation: PostgresRelation }
    | {
        readonly kind: 'spark';
        readonly connect: SparkAccess /** Name of a view in the session, with all columns of the asset. */;
        readonly view: string;
      }
    | { readonly kind: 'vectors'; readonly collection: VectorCollectionAccess };
  /** Throws a `SourceError` where the data changed under the reader; called after the last read. */
  readonly confirmUnchanged: () => Promise<void>;
};

/** Which columns of a file hold vectors. */
export type VectorColumns = {
  readonly names: readonly string[];
  /** What tells points apart; the number of the row by default. */
  readonly id?: string;
};

/** The columns of text are those of its beginning, in their order; their types are only likely. */
export type FileToScan = {
  readonly path: string;
  /** Where people find it: its path below the directory of the connection, or its key. */
  readonly name: string;
  readonly columns: readonly FoundColumn[];
};

export type FoundColumn = Column & {
  /** The beginning of the file has no value of it. */
  readonly isEmpty?: boolean;
};

/** How delimited text is read; all that a reader must know. */
export type DelimitedReading = Required<Omit<Reading, 'records_path' | 'sheet' | 'types'>>;

export type FileFormat =
  | { readonly kind: 'delimited'; readonly reading: DelimitedReading }
  | { readonly kind: 'ndjson' }
  /** Records one after the other, in an array, or in the array that the members of the path lead to. */
  | { readonly kind: 'json'; readonly recordsPath: string }
  | { readonly kind: 'parquet' };

/**
 * Runs one read-only statement with a time limit; rows as arrays of text, number (int2, int4, float4, float8), bigint (int8), boolean or null.
 * All statements of one opened source see the same snapshot, and one that fails does not spoil the next.
 */
export type PostgresAccess = {
  readonly query: (
    sql: string,
    options?: { readonly signal?: AbortSignal /** Where it is less than that of the source. */; readonly timeoutMs?: number },
  ) => Promise<readonly (readonly unknown[])[]>;
};

/**
 * Runs one statement of Spark SQL with a time limit, in ANSI mode and UTC, names with their case; rows as arrays of text, number (int, double), bigint
 * (also of whole decimals), boolean or null. One that fails does not spoil the next.
 */
export type SparkAccess = {
  readonly query: (
    sql: string,
    options?: {
      readonly signal?: AbortSignal | undefined;
      /** Where it is less than that of the source. */
      readonly timeoutMs?: number;
      /** Of what the statement answers, these columns alone, as texts: for commands, which no SELECT can read from. */
      readonly columns?: readonly string[];
    },
  ) => Promise<readonly (readonly (string | number | bigint | boolean | null)[])[]>;
};

/** Of the statement that runs. */
export type SparkProgress = {
  readonly stages: number;
  readonly tasks: number;
  readonly tasksDone: number;
  readonly bytesRead: number;
};

/** The state is the word of the cluster's provider. */
export type ClusterState = { readonly name: string; readonly state: string };

export type PostgresRelation =
  | { readonly kind: 'table'; readonly schema: string; readonly table: string }
  | { readonly kind: 'query'; readonly sql: string };

/** Points with vectors: a collection of the vector service, read over its public API, or what can be read as one. */
export type VectorCollectionAccess = {
  readonly info: () => Promise<{
    /** As far as is known before they are read. */
    readonly points: number;
    /** Undefined where there is no index. */
    readonly indexed: number | undefined;
    readonly dimensions: { readonly [vector: string]: number };
  }>;
  /** Pages of points with payload and vectors, in the order of their ids. */
  readonly points: (options: { readonly signal?: AbortSignal }) => AsyncIterable<readonly VectorPoint[]>;
  /** The nearest points to points of the collection, which are not among their own, in the order of the searches; undefined where there is no index to ask. */
  readonly nearest?: (
    searches: readonly NearestSearch[],
    options: { readonly signal?: AbortSignal },
  ) => Promise<readonly (readonly NearestPoint[])[]>;
  /** How many searches one call had better carry, where exact ones read all points anyway. */
  readonly searchesAtOnce?: number;
  /** Of the vectors that are normalised when they are written, their lengths before that, by name, over all writes; undefined where nobody counts them. */
  readonly inputNorms?: (options: {
    readonly signal?: AbortSignal;
  }) => Promise<{ readonly [vector: string]: readonly InputNormInterval[] } | undefined>;
};

/** How many vectors came with lengths from `from` to below `to`. */
export type InputNormInterval = { readonly from: number; readonly to: number; readonly written: number };

export type NearestSearch = {
  /** Of the point whose vector is searched with. */
  readonly id: string;
  /** Name of the vector. */
  readonly vector: string;
  readonly limit: number;
  /** Whether every point is compared, instead of asking the index. */
  readonly isExact: boolean;
  /** Only points with this value in their payload. */
  readonly where?: { readonly member: string; readonly value: string | number | bigint | boolean };
};

/** The nearest has the best score: the highest of similarities, the lowest of distances. */
export type NearestPoint = { readonly id: string; readonly score: number };

export type VectorPoint = {
  readonly id: string;
  readonly payload: { readonly [field: string]: unknown };
  /** By name; the unnamed vector has the empty name. */
  readonly vectors: { readonly [name: string]: readonly (number | null)[] };
};

export interface Connector {
  readonly kind: ConnectionKind;
  /** Throws a `SourceError` that names the member and what would be right; both of those that validate do. */
  validateConnection(payload: { readonly [field: string]: unknown }, credential: Credential | null): void | Promise<void>;
  validateAsset(payload: { readonly [field: string]: unknown }): void;
  /** Reaches the source with the credential; throws a `SourceError` with the reason. */
  test(connection: OpenConnection, signal: AbortSignal): Promise<void>;
  list(connection: OpenConnection, options: { readonly limit: number; readonly signal: AbortSignal }): Promise<readonly ListedItem[]>;
  describe(connection: OpenConnection, location: AssetLocation, signal: AbortSignal): Promise<Description>;
  open(connection: OpenConnection, location: AssetLocation, options: OpenOptions): Promise<OpenedSource>;
}

export type OpenOptions = {
  readonly signal: AbortSignal;
  /** Where temporary files may be put; the source removes its own. */
  readonly temporaryDirectory: string;
  readonly onProgress?: (bytesRead: number, bytesTotal: number | null) => void;
  /** How far the statement is that Spark runs, every few seconds. */
  readonly onSparkProgress?: ((progress: SparkProgress) => void) | undefined;
  /** What asks: an attempt at a job. Where it leaves something running, the next attempt ends that. */
  readonly run?: { readonly id: string; readonly attempt: number };
  /** In which state the cluster is that Spark is to run on, while it is waited for. */
  readonly onClusterState?: ((state: ClusterState) => void) | undefined;
};

/** A source that cannot be read as it is configured; the message is for the person who configured it. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  /** The member of the connection or asset that is at fault, such as `payload.path`. */
  readonly member: string | undefined;
  /** With which a source answered over HTTP that does not do what it was asked. */
  readonly status: number | undefined;

  constructor(message: string, options: ErrorOptions & { readonly member?: string; readonly status?: number } = {}) {
    super(message, options);
    this.member = options.member;
    this.status = options.status;
  }
}
