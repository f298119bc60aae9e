// SPDX-License-Identifier: Apache-2.0
/** From what a tenant has stored to a source that can be read: the asset's connection, its secrets, its connector. */
import type { Asset, AssetOptions, Connection, Credential } from '@sextant/contracts-observability';
import {
  type AssetLocation,
  asFile,
  type Connector,
  type Connectors,
  type Description,
  fileAddress,
  isSeenBy,
  type ListedItem,
  type OpenConnection,
  type OpenedSource,
  type OpenOptions,
  SourceError,
  validateUnserved,
} from '@sextant/observability-connectors';
import type { TenantMetadata } from '@sextant/observability-metadata';
import { chooseEngine, LAKES_ON_SPARK } from './engine-choice.ts';

export type AssetSource = Pick<Asset, 'type' | 'connection_id' | 'payload'>;

/** Files that users uploaded need no connection; every other kind has one. */
const UPLOAD = 'UPLOAD';
/** The tenant says how it is set. */
const SPARK = 'SPARK';
/** Whose files a Spark may see; uploads lie where no Spark may read. */
const FILES_ELSEWHERE: readonly string[] = ['FILE', 'S3', 'GCS', 'AZURE'];

type Opening = OpenOptions & { readonly location: AssetLocation };

export type ScanOpening = Opening & {
  /** Why only the service could measure all that is asked for; undefined where Spark can. */
  readonly onlyHere: string | undefined;
};

/** What a scan reads, and which engine reads it and why; undefined where there was no choice. */
export type SourceOfScan = { readonly source: OpenedSource; readonly reason: string | undefined };

export class SourceAccess {
  readonly #connectors: Connectors;
  readonly #sparkFromBytes: number;

  /** @param sparkFromBytes files larger than this are scanned by Spark where one sees them */
  constructor(connectors: Connectors, sparkFromBytes: number) {
    this.#connectors = connectors;
    this.#sparkFromBytes = sparkFromBytes;
  }

  /** Whether this release reads sources of a kind; the others are stored and returned. */
  isServed(kind: string): boolean {
    return this.#find(kind) !== undefined;
  }

  /** @throws SourceError that names the member which is wrong */
  async validateConnection(kind: string, payload: Connection['payload'], credential: Credential | null): Promise<void> {
    if (kind === UPLOAD)
      throw new SourceError('uploads need no connection; create an asset of type UPLOAD without one', { member: 'type' });
    validateUnserved(kind, payload, credential);
    await this.#find(kind)?.validateConnection(payload, credential);
  }

  /** @throws SourceError where the asset does not fit its kind or its connection */
  validateAsset(asset: AssetSource, connection: Pick<Connection, 'type'> | undefined): void {
    if (asset.type === UPLOAD && connection !== undefined) {
      throw new SourceError('an asset of type UPLOAD has no connection', { member: 'connection_id' });
    }
    if (asset.type !== UPLOAD && connection === undefined) {
      throw new SourceError(`an asset of type ${asset.type} needs the connection_id of a connection of that type`, {
        member: 'connection_id',
      });
    }
    if (connection !== undefined && connection.type !== asset.type) {
      throw new SourceError(`the connection is of type ${connection.type}, the asset of type ${asset.type}`, { member: 'connection_id' });
    }
    this.#find(asset.type)?.validateAsset(asset.payload);
  }

  async test(tenant: TenantMetadata, connection: Connection, signal: AbortSignal): Promise<void> {
    await this.#connectors.connectorOf(connection.type).test(await opened(tenant, connection), signal);
  }

  async list(
    tenant: TenantMetadata,
    connection: Connection,
    options: { limit: number; signal: AbortSignal },
  ): Promise<readonly ListedItem[]> {
    return this.#connectors.connectorOf(connection.type).list(await opened(tenant, connection), options);
  }

  /** Proves that reports could be written below a path. @throws SourceError, also for a kind that is no object store */
  async testWrite(tenant: TenantMetadata, connection: Connection, path: string, signal: AbortSignal): Promise<void> {
    await this.#connectors.objectStoreOf(connection.type).testWrite(await opened(tenant, connection), path, signal);
  }

  /** Writes or replaces an object of an object store. @throws SourceError */
  async writeObject(
    tenant: TenantMetadata,
    connection: Connection,
    { key, bytes, signal }: { readonly key: string; readonly bytes: Uint8Array; readonly signal: AbortSignal },
  ): Promise<void> {
    await this.#connectors.objectStoreOf(connection.type).write(await opened(tenant, connection), key, bytes, signal);
  }

  async describe(tenant: TenantMetadata, asset: AssetSource & Pick<Asset, 'options'>, signal: AbortSignal): Promise<Description> {
    const connection = await connectionOf(tenant, asset);
    return this.#connectors.connectorOf(asset.type).describe(connection, locationOf(asset.payload, asset.options), signal);
  }

  async open(tenant: TenantMetadata, asset: AssetSource, { location, ...options }: Opening): Promise<OpenedSource> {
    const connection = await connectionOf(tenant, asset);
    return this.#connectors.connectorOf(asset.type).open(connection, location, options);
  }

  /** By the engine that fits the asset. @throws SourceError */
  async openForScan(
    tenant: TenantMetadata,
    asset: AssetSource & Pick<Asset, 'project_id'>,
    { onlyHere, ...opening }: ScanOpening,
  ): Promise<SourceOfScan> {
    if (asset.type === SPARK) return { source: await this.open(tenant, asset, opening), reason: LAKES_ON_SPARK };
    const sparks = FILES_ELSEWHERE.includes(asset.type) ? await sparksOf(tenant, asset) : [];
    // To look at a file before it is opened takes time, which most tenants need not spend.
    if (sparks.length === 0) return { source: await this.open(tenant, asset, opening), reason: undefined };
    const connection = await connectionOf(tenant, asset);
    const { location, signal } = opening;
    const file = await this.#connectors.connectorOf(asset.type).describe(connection, location, signal);
    const path = fileAddress(connection, location.payload.path);
    const spark = path === undefined ? undefined : sparks.find((candidate) => isSeenBy(candidate, asset.type));
    const { engine, reason } = chooseEngine({
      bytes: file.bytes ?? 0,
      boundBytes: this.#sparkFromBytes,
      onlyHere: onlyHere ?? file.onlyHere,
      spark: spark?.name,
    });
    if (engine === 'service' || spark === undefined) return { source: await this.open(tenant, asset, opening), reason };
    const opened = await this.open(
      tenant,
      { type: SPARK, connection_id: spark.id, payload: {} },
      { ...opening, location: { payload: { path, format: 'parquet' } } },
    );
    await using held = new AsyncDisposableStack();
    held.use(opened);
    const source = asFile(opened, file);
    held.move();
    return { source, reason };
  }

  #find(kind: string): Connector | undefined {
    try {
      return this.#connectors.connectorOf(kind);
    } catch (error) {
      if (error instanceof SourceError) return undefined;
      throw error;
    }
  }
}

export function locationOf(payload: Asset['payload'], { separator, reading, resolve_wildcards_to_folders }: AssetOptions): AssetLocation {
  return {
    payload,
    ...(separator === undefined ? {} : { separator }),
    ...(reading === undefined ? {} : { reading }),
    ...(resolve_wildcards_to_folders === undefined ? {} : { resolveWildcards: resolve_wildcards_to_folders === 'true' }),
  };
}

async function connectionOf(tenant: TenantMetadata, { type, connection_id }: AssetSource): Promise<OpenConnection> {
  // The owner is the tenant, whatever the asset says: no asset leads to the upload of another tenant.
  if (type === UPLOAD) return { id: 0, type: UPLOAD, payload: { owner: tenant.tenantId }, credential: null };
  if (connection_id === null) throw new SourceError('the asset has no connection', { member: 'connection_id' });
  return opened(tenant, await tenant.connections.get(connection_id));
}

/** Those that the asset's project sees: its own first, then the global ones, the oldest first. */
async function sparksOf(tenant: TenantMetadata, { project_id }: Pick<Asset, 'project_id'>): Promise<readonly Connection[]> {
  const all = await tenant.connections.list({ project_id, with_global: true });
  const sparks = all.filter(({ type }) => type === SPARK);
  return [...sparks.filter(({ scope }) => scope === 'PROJECT'), ...sparks.filter(({ scope }) => scope === 'GLOBAL')];
}

async function opened(tenant: TenantMetadata, { id, type, payload }: Connection): Promise<OpenConnection> {
  const credential = await tenant.connections.credential(id);
  if (type !== SPARK) return { id, type, payload, credential };
  return { id, type, payload, credential, spark: { tenant: tenant.tenantId, config: await tenant.sparkConfig.get() } };
}
