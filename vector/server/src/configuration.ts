// SPDX-License-Identifier: Apache-2.0
/** What an operator can set on the vector service. `docs/reference/configuration.md` is written from this table. */
import { availableParallelism, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { builtCapabilities, UNKNOWN_MEMBERS } from '@sextant/contracts-vector';
import {
  auditLogFile,
  type Configuration,
  choice,
  choices,
  configurationFile,
  type Environment,
  type FileSettings,
  hostNameOf,
  hosts,
  integer,
  isLoopback,
  logLevel,
  names,
  origins,
  readConfiguration,
  shutdownSeconds,
  telemetryProblems,
  telemetrySettings,
  text,
  tlsProblems,
  tlsSettings,
  toggle,
  trustedProxies,
  url,
} from '@sextant/foundation-service';
import { clusterProblems, clusterSettings } from './cluster/cluster-settings.ts';
import { modelNameOf } from './model-place.ts';

/** How the status of a write is spelled; with `auto` the client decides. */
const WRITE_STATUS_CASES = ['auto', 'capitalized', 'lowercase'] as const;

export type WriteStatusCase = (typeof WRITE_STATUS_CASES)[number];

/** Each serving thread takes one of the 64 reader slots of a vector space; writer and indexer take a few. */
const THREADS_MAX = 56;

/** The rest is for storage's page cache, the heaps of the threads and the system. */
const VECTOR_MEMORY_SHARE = 0.75;

/** Which requests the log notes. */
const REQUEST_LOGS = ['none', 'slow', 'all'] as const;

export type RequestLogKind = (typeof REQUEST_LOGS)[number];

/** Where texts become dense vectors. */
const embeddingSettings = {
  embeddingUrl: text({
    name: 'SERVICE_EMBEDDING_URL',
    meaning: 'Base address of an OpenAI-compatible embeddings endpoint, without /embeddings, such as https://api.openai.com/v1',
  }),
  embeddingApiKey: text({
    name: 'SERVICE_EMBEDDING_API_KEY',
    meaning: 'API key of the embeddings endpoint, sent as a bearer token',
    secret: true,
  }),
  embeddingModels: names({
    name: 'SERVICE_EMBEDDING_MODELS',
    meaning: 'Models of the embeddings endpoint that requests may use',
  }),
  embeddingOnnxFolders: names({
    name: 'SERVICE_EMBEDDING_ONNX_FOLDERS',
    meaning:
      'Folders of ONNX models that embed texts inside the service. Requests name a model by its folder, or by the name given as name=folder',
  }),
  embeddingThreads: integer({
    name: 'SERVICE_EMBEDDING_THREADS',
    meaning: 'Threads that run each model of SERVICE_EMBEDDING_ONNX_FOLDERS',
    fallback: Math.max(1, Math.floor(availableParallelism() / 2)),
    fallbackText: 'half the number of cores',
    min: 1,
    max: 256,
  }),
  embeddingTimeoutSeconds: integer({
    name: 'SERVICE_EMBEDDING_TIMEOUT_SECONDS',
    meaning: 'Time limit of a request to a model, including retries, in seconds',
    fallback: 30,
    min: 1,
    max: 600,
  }),
  embeddingBatch: integer({
    name: 'SERVICE_EMBEDDING_BATCH',
    meaning: 'Maximum number of texts in one request to a model',
    fallback: 64,
    min: 1,
    max: 2048,
  }),
  embeddingCacheBytes: integer({
    name: 'SERVICE_EMBEDDING_CACHE_BYTES',
    meaning: 'Size of the cache of embedded texts, in bytes; 0 disables the cache',
    fallback: 67_108_864,
    min: 0,
    max: 17_179_869_184,
  }),
} as const;

export const vectorSettings = {
  configurationFile: configurationFile('SERVICE_CONFIG_FILE'),
  host: text({
    name: 'SERVICE_HOST',
    meaning: 'Address to listen on. An address other than loopback needs enforced authentication or SERVICE_ALLOW_OPEN_ACCESS',
    fallback: '127.0.0.1',
  }),
  restPort: integer({
    name: 'SERVICE_REST_PORT',
    meaning: 'Port of the REST interface; 0 chooses a free port',
    fallback: 6573,
    min: 0,
    max: 65535,
  }),
  grpcPort: integer({
    name: 'SERVICE_GRPC_PORT',
    meaning: 'Port of the gRPC interface; 0 chooses a free port',
    fallback: 6574,
    min: 0,
    max: 65535,
  }),
  dataDirectory: text({ name: 'SERVICE_DATA_DIR', meaning: 'Directory for all data of the service', fallback: './data/vector' }),
  authEnabled: toggle({
    name: 'SERVICE_AUTH_ENABLED',
    meaning: 'Whether authentication is enforced at the first start; PATCH /auth/enabled overrides this setting permanently',
    fallback: false,
  }),
  allowOpenAccess: toggle({
    name: 'SERVICE_ALLOW_OPEN_ACCESS',
    meaning: 'Allow the service to listen on an address other than loopback while authentication is not enforced',
    fallback: false,
  }),
  jwtSecret: text({
    name: 'SERVICE_JWT_SECRET',
    meaning: 'Secret that signs admin JWTs, at least 32 bytes. If not set, a secret is generated and stored in the data directory',
    secret: true,
  }),
  bodyLimitBytes: integer({
    name: 'SERVICE_BODY_LIMIT_BYTES',
    meaning: 'Maximum size of a request body, in bytes',
    fallback: 33_554_432,
    min: 1024,
    max: 1_073_741_824,
  }),
  unknownMembers: choice({
    name: 'SERVICE_UNKNOWN_MEMBERS',
    meaning:
      'How unknown members of request bodies are treated: refuse rejects them, known ignores those that clients of other API revisions are known to send, ignore ignores all except in filters',
    fallback: 'known',
    words: UNKNOWN_MEMBERS,
  }),
  threads: integer({
    name: 'SERVICE_THREADS',
    meaning: 'Number of serving threads',
    fallback: Math.min(availableParallelism(), THREADS_MAX),
    fallbackText: 'the number of cores',
    min: 1,
    max: THREADS_MAX,
  }),
  vectorMemoryBytes: integer({
    name: 'SERVICE_VECTOR_MEMORY_BYTES',
    meaning: 'Maximum memory for the vectors, codes and graphs of all collections, in bytes. Writes beyond it are refused with 507',
    fallback: Math.floor(memoryBytes() * VECTOR_MEMORY_SHARE),
    fallbackText: 'three quarters of the memory of the machine or container',
    min: 1_048_576,
    max: Number.MAX_SAFE_INTEGER,
  }),
  collectionsOpenMax: integer({
    name: 'SERVICE_COLLECTIONS_OPEN_MAX',
    meaning:
      'Maximum number of open collections. To open another one, the service closes the least recently used collection. A node of a cluster keeps all collections open',
    fallback: 0,
    fallbackText: '0, which is the number that file descriptors and memory mappings (vm.max_map_count) allow',
    min: 0,
    max: 1_000_000,
  }),
  connectionsMax: integer({
    name: 'SERVICE_CONNECTIONS_MAX',
    meaning:
      'Maximum number of connections of both interfaces together; further connections are answered with 503. The remaining file descriptors are for collections',
    fallback: 0,
    fallbackText: '0, which is half of the remaining file descriptors, at most 10,000',
    min: 0,
    max: 1_000_000,
  }),
  diskReserveBytes: integer({
    name: 'SERVICE_DISK_RESERVE_BYTES',
    meaning:
      'Free space to keep on the disk of the data directory, in bytes. With less, writes are refused with 507. On a small disk, 5 % of its size is kept',
    fallback: 67_108_864,
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
  }),
  capabilities: choices({
    name: 'SERVICE_CAPABILITIES',
    meaning: 'Optional groups of endpoints to enable; the endpoints of other groups answer 501',
    fallback: [],
    fallbackText: 'none',
    words: builtCapabilities,
  }),
  writeStatusCase: choice({
    name: 'SERVICE_WRITE_STATUS_CASE',
    meaning:
      'Spelling of the status of a write over REST: capitalized (Completed, as specified), lowercase (completed), or auto, which is lowercase only for the published Python client',
    fallback: 'auto',
    words: WRITE_STATUS_CASES,
  }),
  snapshotsDirectory: text({
    name: 'SERVICE_SNAPSHOTS_DIR',
    meaning: 'Directory for snapshots. Recovery reads local files only from this directory',
    fallbackText: 'snapshots in the data directory',
  }),
  allowPrivateNetworks: toggle({
    name: 'SERVICE_ALLOW_PRIVATE_NETWORKS',
    meaning: 'Allow recovery from URLs with private addresses',
    fallback: false,
  }),
  recoverySeconds: integer({
    name: 'SERVICE_RECOVERY_SECONDS',
    meaning: 'Time limit of the download for a recovery, and of the recovery from the file, each in seconds',
    fallback: 3600,
    min: 1,
    max: 604_800,
  }),
  observabilityUrl: url({
    name: 'SERVICE_OBSERVABILITY_URL',
    meaning: 'Where browsers reach the observability service, for the console; {host} stands for the name that they reach this service by',
    fallback: 'http://{host}:6580',
  }),
  publicUrl: text({
    name: 'SERVICE_PUBLIC_URL',
    meaning:
      'Public address of the service behind a proxy, for the OpenAPI document. The service accepts this host name, and web pages of this origin may call it',
  }),
  allowedOrigins: origins({
    name: 'SERVICE_ALLOWED_ORIGINS',
    meaning:
      'Origins of web pages that may call this service, in addition to its console and that of the observability service. With *, every web site that a user of this network opens may call the service',
    reloadable: true,
  }),
  allowedHosts: hosts({
    name: 'SERVICE_ALLOWED_HOSTS',
    meaning:
      'Host names that the service accepts, in addition to those of this machine and SERVICE_HOST. With *, the service accepts every name and is open to DNS rebinding by web sites',
    reloadable: true,
  }),
  trustedProxies: trustedProxies('SERVICE_TRUSTED_PROXIES'),
  auditLog: auditLogFile('SERVICE_AUDIT_LOG'),
  requestLog: choice({
    name: 'SERVICE_REQUEST_LOG',
    meaning:
      'Which requests are logged, with operation, collection, caller, address, status, duration and sizes: none, slow (with query plans) or all',
    fallback: 'none',
    words: REQUEST_LOGS,
  }),
  slowRequestMs: integer({
    name: 'SERVICE_SLOW_REQUEST_MS',
    meaning: 'From this many milliseconds of processing on a request is slow, for the log of requests',
    fallback: 1000,
    min: 0,
    max: 3_600_000,
  }),
  ...embeddingSettings,
  ...tlsSettings('SERVICE'),
  ...clusterSettings,
  ...telemetrySettings,
  shutdownSeconds: shutdownSeconds('SERVICE_SHUTDOWN_SECONDS'),
  logLevel: logLevel('SERVICE_LOG_LEVEL'),
} as const;

/** A container may have less than its machine; without a bound the system says 0 or a number beyond all memory. */
export function memoryBytes(): number {
  const bound = process.constrainedMemory();
  return bound > 0 ? Math.min(bound, totalmem()) : totalmem();
}

export type VectorConfiguration = Configuration<typeof vectorSettings>;

export function snapshotsDirectory({ dataDirectory, snapshotsDirectory: chosen }: VectorConfiguration): string {
  return resolve(chosen ?? join(dataDirectory, 'snapshots'));
}

/** The names that the service answers to beside its own: those that are listed, and the one of its public address. */
export function publicHosts({ allowedHosts, publicUrl }: Pick<VectorConfiguration, 'allowedHosts' | 'publicUrl'>): readonly string[] {
  const host = publicUrl === undefined ? undefined : hostNameOf(new URL(publicUrl).host);
  return host === undefined ? allowedHosts : [...allowedHosts, host];
}

/** Reads the settings and compares those that belong together. */
export function readVectorConfiguration(env: Environment, argv: readonly string[], file?: FileSettings) {
  const outcome = readConfiguration(vectorSettings, env, argv, file);
  if (outcome.kind !== 'ready') return outcome;
  const { configuration } = outcome;
  const { restPort, grpcPort } = configuration;
  const problems = [
    ...tlsProblems(configuration, 'SERVICE'),
    ...embeddingProblems(configuration),
    ...clusterProblems(configuration),
    ...publicProblems(configuration),
    ...telemetryProblems(configuration),
  ];
  if (restPort !== 0 && restPort === grpcPort)
    problems.push(`SERVICE_REST_PORT and SERVICE_GRPC_PORT are both ${restPort}; expected two different ports`);
  return problems.length === 0 ? outcome : { kind: 'refused' as const, problems };
}

function publicProblems({ publicUrl }: Pick<VectorConfiguration, 'publicUrl'>): readonly string[] {
  if (publicUrl === undefined) return [];
  const url = URL.parse(publicUrl);
  const isFine = url !== null && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.search === '' && url.hash === '';
  const sentence = `SERVICE_PUBLIC_URL is ${JSON.stringify(publicUrl)}; expected an http or https address such as https://vectors.example.com`;
  return isFine ? [] : [sentence];
}

function embeddingProblems({
  embeddingUrl,
  embeddingModels,
  embeddingApiKey,
  embeddingOnnxFolders,
}: Pick<VectorConfiguration, 'embeddingUrl' | 'embeddingModels' | 'embeddingApiKey' | 'embeddingOnnxFolders'>): readonly string[] {
  const all = [...embeddingModels, ...embeddingOnnxFolders.map(modelNameOf)];
  const twice = all.find((model, index) => all.indexOf(model) !== index);
  if (twice !== undefined)
    return [`two models are named ${JSON.stringify(twice)}; use name=folder in SERVICE_EMBEDDING_ONNX_FOLDERS to give one another name`];
  if (embeddingUrl === undefined) {
    const [needing] = [
      ...(embeddingModels.length > 0 ? ['SERVICE_EMBEDDING_MODELS'] : []),
      ...(embeddingApiKey === undefined ? [] : ['SERVICE_EMBEDDING_API_KEY']),
    ];
    return needing === undefined ? [] : [`${needing} needs SERVICE_EMBEDDING_URL`];
  }
  const address = URL.parse(embeddingUrl);
  if (address === null || !['http:', 'https:'].includes(address.protocol) || address.username !== '' || address.search !== '')
    return [
      'SERVICE_EMBEDDING_URL: expected an http or https address such as https://api.openai.com/v1, without user information or a query',
    ];
  return embeddingModels.length > 0 ? [] : ['SERVICE_EMBEDDING_URL needs SERVICE_EMBEDDING_MODELS: set the models that requests may use'];
}

/**
 * Why this service must not start as it is configured, or undefined when it may: whoever reaches a service without enforcement
 * can read and delete everything. To be asked once the persisted switch is known, which counts for more than the environment.
 */
export function openAccessProblem(
  { host, allowOpenAccess }: Pick<VectorConfiguration, 'host' | 'allowOpenAccess'>,
  enforced: boolean,
): string | undefined {
  if (enforced || allowOpenAccess || host === 'localhost' || isLoopback(host)) return undefined;
  return (
    `SERVICE_HOST is ${JSON.stringify(host)}, which other machines can reach, while authentication is not enforced. ` +
    'Set SERVICE_AUTH_ENABLED=true (or PATCH /auth/enabled on a running service), or set SERVICE_ALLOW_OPEN_ACCESS=true to allow access without credentials.'
  );
}
