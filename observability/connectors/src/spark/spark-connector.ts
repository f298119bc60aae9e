// SPDX-License-Identifier: Apache-2.0
/** Files, tables and lakes of Spark; what is measured runs there, and nothing but results comes here. */
import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Credential } from '@sextant/contracts-observability';
import type { Clock } from '@sextant/foundation-std';
import { type Connector, type OpenConnection, type OpenOptions, SourceError } from '../connector.ts';
import { isInside } from '../files/local-file.ts';
import { credentialOfType, noCredential, optionalFlag, optionalInteger, optionalText, type Payload, requiredText } from '../payload.ts';
import { type ClusterKind, clusterKindOf, validateCluster } from './clusters/cluster-kinds.ts';
import type { ClusterLauncher } from './clusters/cluster-launcher.ts';
import type { AcquiredSpark, RemoteSpark, SparkLauncher } from './launcher.ts';
import { type SparkAsset, sparkAssetOf } from './spark-asset.ts';
import type { SparkLimits, SparkSession } from './spark-session.ts';

export type SparkConnectorOptions = {
  readonly remote: SparkLauncher<RemoteSpark>;
  readonly local: SparkLauncher<void>;
  readonly clusters: { readonly [kind in ClusterKind]: ClusterLauncher };
  /** Of this machine, below which a Spark that was started here may read; absolute. */
  readonly allowedDirectories: readonly string[];
  readonly statementTimeoutMs: number;
  readonly clock: Clock;
};

/** Of one answer; what is larger is to be aggregated by Spark. */
const ROWS_MAX = 1_000_000;
const BYTES_MAX = 256 * 2 ** 20;
const PORT = 15_002;
const DATABASES_MAX = 100;
/** Properties that say how statements run and not what they reach. */
const HARMLESS = /^spark\.sql\.(?:adaptive|autoBroadcastJoinThreshold|files|shuffle)\b/;

export function createSparkConnector(options: SparkConnectorOptions): Connector {
  const { statementTimeoutMs, allowedDirectories } = options;
  const limits: SparkLimits = { statementTimeoutMs, rowsMax: ROWS_MAX, bytesMax: BYTES_MAX };
  const connect = (connection: OpenConnection, opening: Partial<OpenOptions> & Pick<OpenOptions, 'signal'>) =>
    openSparkSession(connection, { ...options, limits, opening });
  const assetOf = async (connection: OpenConnection, payload: Payload): Promise<SparkAsset> => {
    const asset = sparkAssetOf(payload);
    if (isLocal(connection.payload)) await requireAllowed(asset, allowedDirectories);
    return asset;
  };
  return {
    kind: 'SPARK',
    validateConnection: (payload, credential) => {
      if (clusterKindOf(payload) === undefined) placeOf({ payload, credential });
      else validateCluster(payload, credential);
    },
    validateAsset: (payload) => {
      sparkAssetOf(payload);
    },
    test: async (connection, signal) => {
      const cluster = clusterKindOf(connection.payload);
      // A cluster takes minutes and money to start; whether the provider knows the credential is reported at once.
      if (cluster !== undefined) return await options.clusters[cluster].check(placeOfCluster(connection), signal);
      await using session = await connect(connection, { signal });
      await session.query('SELECT 1', { signal });
    },
    list: async (connection, { limit, signal }) => {
      await using session = await connect(connection, { signal });
      const databases = (await session.query('SHOW DATABASES', { signal })).slice(0, DATABASES_MAX);
      const tables: { readonly payload: Payload; readonly name: string; readonly bytes: null; readonly modified_at: null }[] = [];
      for (const [database] of databases) {
        const rows = await session.query(`SHOW TABLES IN ${quoted(String(database))}`, { signal });
        for (const [namespace, table, isTemporary] of rows) {
          if (isTemporary === true || tables.length >= limit) continue;
          const name = [namespace, table].map((part) => plainOrQuoted(String(part))).join('.');
          tables.push({ payload: { table: name }, name: `${namespace}.${table}`, bytes: null, modified_at: null });
        }
      }
      return tables;
    },
    describe: async (connection, { payload }, signal) => {
      const asset = await assetOf(connection, payload);
      await using session = await connect(connection, { signal });
      const { openSparkSource } = await import('./spark-source.ts');
      return (await openSparkSource(session, asset, signal)).description;
    },
    open: async (connection, { payload }, opening) => {
      const asset = await assetOf(connection, payload);
      const { openSparkSource, VIEW } = await import('./spark-source.ts');
      await using held = new AsyncDisposableStack();
      const session = held.use(await connect(connection, opening));
      const { description, confirmUnchanged } = await openSparkSource(session, asset, opening.signal);
      const release = held.move();
      return {
        description,
        data: { kind: 'spark', connect: session, view: VIEW },
        confirmUnchanged,
        [Symbol.asyncDispose]: () => release.disposeAsync(),
      };
    },
  };
}

type SessionParts = SparkConnectorOptions & {
  readonly limits: SparkLimits;
  readonly opening: Partial<OpenOptions> & Pick<OpenOptions, 'signal'>;
};

/** What speaks to Spark takes long to load, and most services do without. */
async function openSparkSession(connection: OpenConnection, parts: SessionParts): Promise<SparkSession> {
  const { limits, clock, opening } = parts;
  const [{ openChannel }, { endRun, openSession }] = await Promise.all([import('./connect-channel.ts'), import('./spark-session.ts')]);
  const { run = { id: randomUUID(), attempt: 1 }, onSparkProgress: onProgress, signal } = opening;
  const { spark_properties: given = {} } = connection.spark?.config ?? {};
  await using held = new AsyncDisposableStack();
  const { address, release } = await acquire(connection, { ...parts, run: run.id });
  held.defer(release);
  signal.throwIfAborted();
  // What else could be set would lead a Spark with the rights of the service elsewhere.
  const properties = isLocal(connection.payload)
    ? Object.fromEntries(Object.entries(given).filter(([name]) => HARMLESS.test(name)))
    : given;
  const channel = openChannel(address, clock);
  held.defer(() => channel.close());
  // What an attempt before left running when its process died. One that left nothing is no error.
  if (run.attempt > 1) await endRun(channel, runOf(run.id, run.attempt - 1)).catch(() => undefined);
  const session = held.use(await openSession({ channel, run: runOf(run.id, run.attempt), properties, limits, clock, onProgress }));
  const kept = held.move();
  return { query: session.query, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

function acquire(connection: OpenConnection, parts: SessionParts & { readonly run: string }): Promise<AcquiredSpark> {
  const { local, remote, clusters, opening, run } = parts;
  const { signal, onClusterState: onState } = opening;
  const cluster = clusterKindOf(connection.payload);
  if (cluster !== undefined) {
    const { tenant = '', config = {} } = connection.spark ?? {};
    return clusters[cluster].acquire({ ...placeOfCluster(connection), config, owner: `${tenant} ${connection.id}`, run, onState }, signal);
  }
  const place = placeOf(connection);
  return place === undefined ? local.acquire(undefined, signal) : remote.acquire(place, signal);
}

function placeOfCluster({ payload, credential }: OpenConnection) {
  return { place: payload, credential };
}

function runOf(id: string, attempt: number): string {
  return `${id} ${attempt}`;
}

function isLocal(payload: Payload): boolean {
  return optionalFlag(payload, 'local') === true;
}

/** Undefined for this machine. @throws SourceError that names the member */
function placeOf({ payload, credential }: { readonly payload: Payload; readonly credential: Credential | null }): RemoteSpark | undefined {
  if (isLocal(payload)) {
    noCredential(credential);
    const given = ['host', 'port', 'ssl', 'ssl_ca'].find((member) => payload[member] !== undefined && payload[member] !== null);
    if (given === undefined) return undefined;
    throw new SourceError(`payload.${given} is only for Spark at an address; leave it out, or leave out payload.local`, {
      member: `payload.${given}`,
    });
  }
  const host = requiredText(payload, 'host', 'the name or address of a server of Spark Connect');
  if (!/^[A-Za-z0-9_.:[\]-]+$/.test(host)) throw new SourceError('payload.host is not the name of a server', { member: 'payload.host' });
  const token =
    credential === null ? undefined : requiredText(credentialOfType(credential, 'TOKEN'), 'token', 'an access token', 'credential.payload');
  const tls =
    optionalFlag(payload, 'ssl') === false ? false : { certificateAuthority: optionalText(payload, 'ssl_ca', 'certificates in PEM') };
  // The client names the host in the handshake, which takes no address (RFC 6066, section 3), and Node.js refuses one.
  if (tls !== false && isIP(host.replace(/^\[|\]$/g, '')) !== 0) {
    throw new SourceError('payload.host must be a name where the connection uses TLS, because gRPC over TLS does not accept IP addresses', {
      member: 'payload.host',
    });
  }
  return { host, port: optionalInteger(payload, 'port', { min: 1, max: 65_535 }) ?? PORT, tls, token };
}

/** A Spark that the service started reads with its rights: it is confined to the folders that its own files are. */
async function requireAllowed({ data }: SparkAsset, allowedDirectories: readonly string[]): Promise<void> {
  if (data.kind === 'table') {
    if (data.name.every((part) => /^\w+$/.test(part))) return;
    throw new SourceError('payload.table must consist of letters, digits and underscores if the service starts Spark', {
      member: 'payload.table',
    });
  }
  const refused = new SourceError('payload.path must be inside a directory that the operator allows (OBSERVABILITY_ALLOWED_DIRECTORIES)', {
    member: 'payload.path',
  });
  // Patterns and escapes would be Spark's to read.
  if (/[*?[\]{}\\%,]/.test(data.path)) throw refused;
  const path = data.path.startsWith('file:///') ? fileURLToPath(data.path) : data.path;
  if (!isAbsolute(path)) throw refused;
  const real = await realpath(path).catch(() => undefined);
  const allowed = await Promise.all(allowedDirectories.map((directory) => realpath(directory).catch(() => undefined)));
  if (real === undefined || real !== path || !allowed.some((directory) => directory !== undefined && isInside(directory, real)))
    throw refused;
}

function quoted(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

function plainOrQuoted(name: string): string {
  return /^\w+$/.test(name) ? name : quoted(name);
}
