// SPDX-License-Identifier: Apache-2.0
/** What an operator can set on the observability service. `docs/reference/configuration.md` is written from this table. */
import { availableParallelism } from 'node:os';
import { isAbsolute, join, delimiter as pathDelimiter } from 'node:path';
import {
  auditLogFile,
  type Configuration,
  choice,
  configurationFile,
  type Environment,
  type FileSettings,
  hosts,
  integer,
  logLevel,
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
import { isStoreAddress, STORE_FORMS } from '@sextant/observability-connectors/store-location';

const GIB = 1_073_741_824;
const SCANS_MAX = 64;
const SPARK_THREADS = 2;

/** Which requests the log notes. */
const REQUEST_LOGS = ['none', 'slow', 'all'] as const;

export type RequestLogKind = (typeof REQUEST_LOGS)[number];

export const observabilitySettings = {
  configurationFile: configurationFile('OBSERVABILITY_CONFIG_FILE'),
  host: text({ name: 'OBSERVABILITY_HOST', meaning: 'Address to listen on', fallback: '127.0.0.1' }),
  port: integer({
    name: 'OBSERVABILITY_PORT',
    meaning: 'Port of the REST interface; 0 chooses a free port',
    fallback: 6580,
    min: 0,
    max: 65535,
  }),
  dataDirectory: text({
    name: 'OBSERVABILITY_DATA_DIR',
    meaning: 'Directory for all data of the service: metadata, uploads, keys and temporary files',
    fallback: './data/observability',
  }),
  uploadDirectory: text({
    name: 'OBSERVABILITY_UPLOAD_DIR',
    meaning: 'Directory for uploaded files, shared by all processes that use the same DATABASE_URL',
    fallbackText: 'uploads in the data directory',
  }),
  uploadStore: text({
    name: 'OBSERVABILITY_UPLOAD_STORE',
    meaning: `Object store for uploaded files instead of a directory, shared by all processes that use the same DATABASE_URL: ${STORE_FORMS}. The credential is read from the variables of the provider, such as AWS_ACCESS_KEY_ID`,
  }),
  databaseUrl: text({
    name: 'DATABASE_URL',
    meaning:
      'PostgreSQL database for metadata (postgres://…), which several processes can share. If not set, metadata are in an SQLite file in the data directory',
    secret: true,
  }),
  adminPassword: text({
    name: 'OBSERVABILITY_ADMIN_PASSWORD',
    meaning:
      'Password of admin@localhost, the first admin of the tenant default, for the first start. If not set, a password is generated and printed once',
    secret: true,
  }),
  encryptionKey: text({
    name: 'OBSERVABILITY_ENCRYPTION_KEY',
    meaning:
      'Secret from which the keys for stored credentials and access tokens are derived, at least 32 characters, the same for all processes of one database. If not set, a secret is generated into the file encryption-key of the data directory',
    secret: true,
  }),
  platformToken: text({
    name: 'OBSERVABILITY_PLATFORM_TOKEN',
    meaning:
      'Bearer token of the platform operator, who creates and lists tenants, at least 32 characters. If not set, a token is generated into the file platform-token of the data directory',
    secret: true,
  }),
  oidcIssuer: text({
    name: 'OBSERVABILITY_OIDC_ISSUER',
    meaning: 'Issuer of external access tokens, as in their claim iss',
  }),
  oidcJwksUrl: text({
    name: 'OBSERVABILITY_OIDC_JWKS_URL',
    meaning: 'Where the keys of that issuer are (JWKS)',
  }),
  oidcAudience: text({
    name: 'OBSERVABILITY_OIDC_AUDIENCE',
    meaning: 'Required audience of external access tokens, as in their claim aud',
  }),
  allowedDirectories: text({
    name: 'OBSERVABILITY_ALLOWED_DIRECTORIES',
    meaning: `Absolute paths of directories from which assets may read local files, separated by "${pathDelimiter}". By default, only uploads are allowed`,
    separator: pathDelimiter,
  }),
  sparkMemoryMb: integer({
    name: 'OBSERVABILITY_SPARK_MEMORY_MB',
    meaning: 'Memory of the local Spark that the service starts for connections that request one, in MB; 0 disables local Spark',
    fallback: 0,
    min: 0,
    max: 1_048_576,
  }),
  sparkFromBytes: integer({
    name: 'OBSERVABILITY_SPARK_FROM_BYTES',
    meaning:
      'Size in bytes above which Parquet files are scanned by Spark, if the project has a Spark connection that can read them. The service itself reads files of up to 64 GiB',
    fallback: 64 * GIB,
    fallbackText: '68719476736, the largest size that the service reads itself',
    min: 0,
    max: 64 * GIB,
  }),
  sparkHome: text({
    name: 'SPARK_HOME',
    meaning:
      'Where Spark is, with its Connect server; without it, the package pyspark of the Python environments VIRTUAL_ENV, /usr/local and /usr is looked for',
  }),
  allowPrivateNetworks: toggle({
    name: 'OBSERVABILITY_ALLOW_PRIVATE_NETWORKS',
    meaning: 'Allow connections and webhooks with private addresses',
    fallback: false,
  }),
  publicUrl: text({
    name: 'OBSERVABILITY_PUBLIC_URL',
    meaning:
      'Public address of the service, for links in notifications and tickets (without it, they have no links) and for console sessions behind a proxy',
  }),
  smtpUrl: text({
    name: 'SMTP_URL',
    meaning:
      'Mail server for notifications (smtp://user:password@host:587, or smtps://), which may be in a private network. If not set, no mail is sent',
    secret: true,
  }),
  smtpFrom: text({
    name: 'SMTP_FROM',
    meaning: 'Sender address of mails, such as Sextant <alerts@example.com>',
  }),
  uploadLimitBytes: integer({
    name: 'OBSERVABILITY_UPLOAD_LIMIT_BYTES',
    meaning: 'Maximum size of an uploaded file, in bytes',
    fallback: 8 * GIB,
    min: 1024,
    max: 1024 * GIB,
  }),
  bodyLimitBytes: integer({
    name: 'OBSERVABILITY_BODY_LIMIT_BYTES',
    meaning: 'Maximum size of the body of other requests, in bytes',
    fallback: 8_388_608,
    min: 1024,
    max: GIB,
  }),
  connectionsMax: integer({
    name: 'OBSERVABILITY_CONNECTIONS_MAX',
    meaning: 'Maximum number of connections; further connections are answered with 503',
    fallback: 0,
    fallbackText: '0, which is half of the file descriptors of the process, at most 10,000',
    min: 0,
    max: 1_000_000,
  }),
  diskReserveBytes: integer({
    name: 'OBSERVABILITY_DISK_RESERVE_BYTES',
    meaning:
      'Free space to keep on the disk of the data directory, in bytes. With less, writes are refused with 507 and no scan starts. On a small disk, 5 % of its size is kept',
    fallback: 67_108_864,
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
  }),
  scanConcurrency: integer({
    name: 'OBSERVABILITY_SCAN_CONCURRENCY',
    meaning: 'Maximum number of concurrent scans that the service measures itself',
    fallback: Math.max(2, Math.floor(availableParallelism() / 2)),
    fallbackText: 'half of the cores, at least 2',
    min: 1,
    max: SCANS_MAX,
  }),
  databaseScanConcurrency: integer({
    name: 'OBSERVABILITY_DATABASE_SCAN_CONCURRENCY',
    meaning: 'Maximum number of concurrent scans that PostgreSQL measures, in addition to the others',
    fallback: 8,
    min: 1,
    max: SCANS_MAX,
  }),
  scansPerTenant: integer({
    name: 'OBSERVABILITY_SCANS_PER_TENANT',
    meaning: 'Maximum number of concurrent scans of one tenant, for each of the two kinds, if there are several tenants',
    fallback: 0,
    fallbackText: '0, which leaves one place for other tenants',
    min: 0,
    max: SCANS_MAX,
  }),
  scanMemoryBytes: integer({
    name: 'OBSERVABILITY_SCAN_MEMORY_BYTES',
    meaning: 'Memory limit of one scan, in MB; beyond it, the scan spills to disk',
    fallback: 2 * GIB,
    min: 67_108_864,
    max: 1024 * GIB,
  }),
  scanTimeoutSeconds: integer({
    name: 'OBSERVABILITY_SCAN_TIMEOUT_SECONDS',
    meaning: 'Time limit of a scan, in seconds',
    fallback: 3600,
    min: 1,
    max: 604_800,
  }),
  retentionDays: integer({
    name: 'OBSERVABILITY_RETENTION_DAYS',
    meaning:
      'Days for which scans (with their points, checks, scores and rows) and closed incidents are kept. Learned bands use only data that are kept',
    fallback: 360,
    min: 31,
    max: 36_500,
  }),
  vectorUrl: url({
    name: 'OBSERVABILITY_VECTOR_URL',
    meaning:
      'Where browsers reach the vector service, for the console, whose pages may have sessions; {host} stands for the name that they reach this service by',
    fallback: 'http://{host}:6573',
  }),
  allowedOrigins: origins({
    name: 'OBSERVABILITY_ALLOWED_ORIGINS',
    meaning:
      'Origins of web pages that may call this service, in addition to its console and that of the vector service. With *, every web site that a user of this network opens may call the service',
    reloadable: true,
  }),
  allowedHosts: hosts({
    name: 'OBSERVABILITY_ALLOWED_HOSTS',
    meaning:
      'Host names that the service accepts, in addition to those of this machine, OBSERVABILITY_HOST and OBSERVABILITY_PUBLIC_URL. With *, the service accepts every name and is open to DNS rebinding by web sites',
    reloadable: true,
  }),
  trustedProxies: trustedProxies('OBSERVABILITY_TRUSTED_PROXIES'),
  auditLog: auditLogFile('OBSERVABILITY_AUDIT_LOG'),
  requestLog: choice({
    name: 'OBSERVABILITY_REQUEST_LOG',
    meaning: 'Which requests are logged, with operation, tenant, caller, address, status, duration and sizes: none, slow or all',
    fallback: 'none',
    words: REQUEST_LOGS,
  }),
  slowRequestMs: integer({
    name: 'OBSERVABILITY_SLOW_REQUEST_MS',
    meaning: 'From this many milliseconds on a request is slow, for the log of requests',
    fallback: 1000,
    min: 0,
    max: 3_600_000,
  }),
  ...telemetrySettings,
  ...tlsSettings('OBSERVABILITY'),
  shutdownSeconds: shutdownSeconds('OBSERVABILITY_SHUTDOWN_SECONDS'),
  logLevel: logLevel('OBSERVABILITY_LOG_LEVEL'),
} as const;

export type ObservabilityConfiguration = Configuration<typeof observabilitySettings>;

/** Shorter secrets can be guessed with less effort than they should take. */
const SECRET_LENGTH_MIN = 32;

/** Reads the settings and compares those that belong together. */
export function readObservabilityConfiguration(env: Environment, argv: readonly string[], file?: FileSettings) {
  const outcome = readConfiguration(observabilitySettings, env, argv, file);
  if (outcome.kind !== 'ready') return outcome;
  const { configuration } = outcome;
  const problems = [
    ...secretProblems(configuration),
    ...issuerProblems(configuration),
    ...directoryProblems(configuration),
    ...uploadProblems(configuration),
    ...deliveryProblems(configuration),
    ...tlsProblems(configuration, 'OBSERVABILITY'),
    ...telemetryProblems(configuration),
  ];
  if (configuration.databaseUrl !== undefined && !/^postgres(ql)?:\/\//.test(configuration.databaseUrl)) {
    problems.push('DATABASE_URL has an invalid value; expected postgres://user:password@host:port/database');
  }
  return problems.length === 0 ? outcome : { kind: 'refused' as const, problems };
}

function uploadProblems({ uploadDirectory, uploadStore, databaseUrl }: ObservabilityConfiguration): readonly string[] {
  const [directoryName, storeName] = [observabilitySettings.uploadDirectory.name, observabilitySettings.uploadStore.name];
  if (uploadDirectory !== undefined && uploadStore !== undefined)
    return [`${directoryName} and ${storeName} cannot both be set; set one of them`];
  const given = uploadDirectory === undefined ? storeName : directoryName;
  if ((uploadDirectory ?? uploadStore) !== undefined && databaseUrl === undefined) {
    return [
      `${given} is only for processes that share a database with DATABASE_URL; without DATABASE_URL, uploads are stored in the data directory and are backed up with it`,
    ];
  }
  return uploadStore !== undefined && !isStoreAddress(uploadStore)
    ? [`${storeName} is not the address of an object store; expected ${STORE_FORMS}`]
    : [];
}

/** Where uploaded files lie, where that is a folder. */
export function uploadDirectoryOf({
  uploadDirectory,
  dataDirectory,
}: Pick<ObservabilityConfiguration, 'uploadDirectory' | 'dataDirectory'>): string {
  return uploadDirectory ?? join(dataDirectory, 'uploads');
}

/** How Spark is started on this machine. */
export function localSparkOf(
  { sparkMemoryMb, sparkHome }: Pick<ObservabilityConfiguration, 'sparkMemoryMb' | 'sparkHome'>,
  temporaryDirectory: string,
) {
  const { VIRTUAL_ENV } = process.env;
  const environments = [...(VIRTUAL_ENV === undefined ? [] : [VIRTUAL_ENV]), '/usr/local', '/usr'];
  return { memoryMb: sparkMemoryMb, threads: SPARK_THREADS, home: sparkHome, environments, temporaryDirectory };
}

/** The folders of OBSERVABILITY_ALLOWED_DIRECTORIES. */
export function allowedDirectoriesOf({ allowedDirectories }: Pick<ObservabilityConfiguration, 'allowedDirectories'>): readonly string[] {
  return (allowedDirectories ?? '').split(pathDelimiter).filter((directory) => directory !== '');
}

function secretProblems({ encryptionKey, platformToken }: ObservabilityConfiguration): readonly string[] {
  const secrets = [
    [observabilitySettings.encryptionKey.name, encryptionKey],
    [observabilitySettings.platformToken.name, platformToken],
  ] as const;
  return secrets
    .filter(([, secret]) => secret !== undefined && secret.length < SECRET_LENGTH_MIN)
    .map(([name]) => `${name} is too short; expected at least ${SECRET_LENGTH_MIN} characters`);
}

function issuerProblems({ oidcIssuer, oidcJwksUrl, oidcAudience }: ObservabilityConfiguration): readonly string[] {
  const given = [oidcIssuer, oidcJwksUrl, oidcAudience].filter((value) => value !== undefined);
  if (given.length === 0) return [];
  if (given.length < 3) {
    return [
      'OBSERVABILITY_OIDC_ISSUER, OBSERVABILITY_OIDC_JWKS_URL and OBSERVABILITY_OIDC_AUDIENCE belong together; set all three or none',
    ];
  }
  if (URL.canParse(oidcJwksUrl ?? '') && /^https?:/.test(oidcJwksUrl ?? '')) return [];
  return [`OBSERVABILITY_OIDC_JWKS_URL is ${JSON.stringify(oidcJwksUrl)}; expected an http or https address`];
}

function directoryProblems(configuration: ObservabilityConfiguration): readonly string[] {
  return allowedDirectoriesOf(configuration)
    .filter((directory) => !isAbsolute(directory))
    .map((directory) => `OBSERVABILITY_ALLOWED_DIRECTORIES holds ${JSON.stringify(directory)}; expected absolute paths`);
}

function deliveryProblems({ publicUrl, smtpUrl, smtpFrom }: ObservabilityConfiguration): readonly string[] {
  const problems: string[] = [];
  if (publicUrl !== undefined && !(URL.canParse(publicUrl) && /^https?:/.test(publicUrl))) {
    problems.push(`OBSERVABILITY_PUBLIC_URL is ${JSON.stringify(publicUrl)}; expected an http or https address`);
  }
  if ((smtpUrl === undefined) !== (smtpFrom === undefined)) problems.push('SMTP_URL and SMTP_FROM belong together; set both or neither');
  // The value holds a password, and is not repeated.
  if (smtpUrl !== undefined && !(URL.canParse(smtpUrl) && /^smtps?:\/\/[^/]/.test(smtpUrl))) {
    problems.push('SMTP_URL has an invalid value; expected smtp://user:password@host:port or smtps://…');
  }
  if (smtpFrom !== undefined && !/^(?:[^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/.test(smtpFrom)) {
    problems.push(`SMTP_FROM is ${JSON.stringify(smtpFrom)}; expected alerts@example.com or Sextant <alerts@example.com>`);
  }
  return problems;
}
