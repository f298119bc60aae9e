// SPDX-License-Identifier: Apache-2.0
/** All connectors of the service, by kind. */
import type { ConnectionKind, UnservedKind } from '@sextant/contracts-observability';
import { createOutboundGuard, type OutboundGuard } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import { type Connector, SourceError } from './connector.ts';
import { createFileConnector } from './files/file-connector.ts';
import { createLanceConnector } from './lancedb/lance-connector.ts';
import { createMilvusConnector } from './milvus/milvus-connector.ts';
import { objectStoreKinds } from './object-store-kinds.ts';
import { createDeferredConnector } from './object-stores/deferred-connector.ts';
import type { ObjectStoreConnector } from './object-stores/object-store-connector.ts';
import { openObjectStore } from './open-object-store.ts';
import { createPgvectorConnector } from './pgvector/pgvector-connector.ts';
import { createPostgresqlConnector } from './postgresql/postgresql-connector.ts';
import { clusterLaunchers } from './spark/clusters/cluster-kinds.ts';
import { type LocalSparkSettings, localLauncher, remoteLauncher } from './spark/launcher.ts';
import { createSparkConnector } from './spark/spark-connector.ts';
import type { StoreLocation } from './store-location.ts';
import { openFolderArea } from './uploads/folder-area.ts';
import { openObjectArea } from './uploads/object-area.ts';
import type { UploadArea } from './uploads/upload-area.ts';
import { createUploadConnector } from './uploads/upload-connector.ts';
import { createVectorConnector } from './vectors/vector-connector.ts';

export type ConnectorsOptions = {
  /** Where uploads lie; a folder is created where it is missing. */
  readonly uploads: { readonly directory: string } | StoreLocation;
  /** Directories of this machine that FILE connections may name; none by default. */
  readonly allowedDirectories?: readonly string[];
  /** Guards all connections that leave the machine. */
  readonly outbound: OutboundGuard;
  /** What one asset may bring to this machine, unpacked, in bytes. */
  readonly assetBytesMax?: number;
  /** Limit of one statement that runs in a source. */
  readonly statementTimeoutMs?: number;
  readonly clock: Clock;
  /** Spark on this machine; none is started by default. */
  readonly localSpark?: Omit<LocalSparkSettings, 'clock'>;
};

/** Disposing them ends what they started. */
export type Connectors = AsyncDisposable & {
  /** Throws a `SourceError` for a kind that is known by name only, or not at all. */
  readonly connectorOf: (kind: string) => Connector;
  /** The connector of an object store, which alone can be written to. Throws a `SourceError` for every other kind. */
  readonly objectStoreOf: (kind: string) => ObjectStoreConnector;
  readonly uploads: UploadArea;
};

const ASSET_BYTES_MAX = 16 * 1024 ** 3;
const STATEMENT_TIMEOUT_MS = 300_000;
const NO_LOCAL_SPARK = { memoryMb: 0, threads: 1, home: undefined, environments: [], temporaryDirectory: '' };

const UNSERVED: { readonly [kind in UnservedKind]: string } = {
  BIGQUERY: 'BigQuery',
  REDSHIFT: 'Redshift',
  SNOWFLAKE: 'Snowflake',
  DELTALAKE: 'Delta Lake',
  HIVE_ICEBERG: 'Iceberg tables in Hive',
  GENERIC_JDBC: 'JDBC',
};

/** Opens the upload area. */
export async function createConnectors(options: ConnectorsOptions): Promise<Connectors> {
  const {
    allowedDirectories = [],
    outbound,
    clock,
    localSpark = NO_LOCAL_SPARK,
    assetBytesMax = ASSET_BYTES_MAX,
    statementTimeoutMs = STATEMENT_TIMEOUT_MS,
  } = options;
  await using parts = new AsyncDisposableStack();
  const uploads = await openUploads(options.uploads, { outbound, clock, parts });
  const stores = { bytesMax: assetBytesMax, clock };
  const objectStores: ReadonlyMap<string, ObjectStoreConnector> = new Map(
    objectStoreKinds(outbound).map((kind) => [kind.kind, createDeferredConnector({ ...stores, ...kind })]),
  );
  const local = parts.use(localLauncher({ ...localSpark, clock }));
  const served: Partial<{ readonly [kind in ConnectionKind]: Connector }> = {
    FILE: createFileConnector({ allowedDirectories, bytesMax: assetBytesMax }),
    UPLOAD: createUploadConnector(uploads, assetBytesMax),
    POSTGRESQL: createPostgresqlConnector({ outbound, statementTimeoutMs }),
    PGVECTOR: createPgvectorConnector({ outbound, statementTimeoutMs }),
    SPARK: createSparkConnector({
      remote: remoteLauncher(outbound),
      local,
      clusters: clusterLaunchers({ outbound, clock }),
      allowedDirectories,
      statementTimeoutMs,
      clock,
    }),
    VECTOR_COLLECTION: createVectorConnector('VECTOR_COLLECTION', outbound),
    QDRANT: createVectorConnector('QDRANT', outbound),
    LANCEDB: createLanceConnector({ allowedDirectories }),
    MILVUS: createMilvusConnector(outbound),
  };
  const byKind: ReadonlyMap<string, Connector> = new Map([...Object.entries(served), ...objectStores]);
  const opened = parts.move();
  return {
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
    uploads,
    objectStoreOf: (kind) => {
      const store = objectStores.get(kind);
      if (store !== undefined) return store;
      throw new SourceError(`type ${kind} is not an object store; expected one of ${[...objectStores.keys()].join(', ')}`, {
        member: 'type',
      });
    },
    connectorOf: (kind) => {
      const connector = byKind.get(kind);
      if (connector !== undefined) return connector;
      throw new SourceError(refusal(kind, [...byKind.keys()]), { member: 'type' });
    },
  };
}

type UploadParts = Pick<ConnectorsOptions, 'outbound' | 'clock'> & { readonly parts: AsyncDisposableStack };

async function openUploads(place: ConnectorsOptions['uploads'], { outbound, clock, parts }: UploadParts): Promise<UploadArea> {
  if ('directory' in place) return openFolderArea(place.directory);
  const { address, prefix } = place;
  // The operator says where the store is, which may be near. The SDK of Google keeps one guard for the process, which is that of the tenants' stores.
  const guard = address.type === 'GCS' ? outbound : createOutboundGuard({ allowPrivateNetworks: true });
  if (guard !== outbound) parts.defer(() => guard.close());
  return openObjectArea(parts.use(await openObjectStore(address, guard, clock)), { prefix });
}

function refusal(kind: string, served: readonly string[]): string {
  const known: { readonly [name: string]: string | undefined } = UNSERVED;
  const expected = `expected one of ${served.join(', ')}`;
  const name = Object.hasOwn(known, kind) ? known[kind] : undefined;
  return name === undefined
    ? `type ${kind} is unknown; ${expected}`
    : `type ${kind} (${name}) can be stored but is not supported for scans; ${expected}`;
}
