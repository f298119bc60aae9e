// SPDX-License-Identifier: Apache-2.0
/** The parts of the service, opened in order and closed in the opposite one. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  AuditLog,
  ConnectionCap,
  createOutboundGuard,
  type DiskFigures,
  DiskRoom,
  hostNameOf,
  isDiskFullError,
  type Log,
  openSecretFile,
  openServerTls,
  openTelemetry,
  Pending,
  passwordProblem,
  tlsFilesOf,
} from '@sextant/foundation-service';
import {
  certificateFigure,
  changeableAccess,
  createResponseMetrics,
  drainConnections,
  drainTimes,
  gatherMetrics,
  type MetricsPage,
  OWN_ORIGIN,
  renderMetrics,
  ServerConnections,
  serveConsole,
} from '@sextant/foundation-service/http';
import { type Clock, type SpanFacts, seededRandom, traced } from '@sextant/foundation-std';
import { createConnectors } from '@sextant/observability-connectors';
import { createMailer } from '@sextant/observability-delivery';
import { type ClaimedDelivery, openMetadata } from '@sextant/observability-metadata';
import { type RunScan, runScan } from '@sextant/observability-scan';
import { Authentication } from './auth/authentication.ts';
import { DEFAULT_ADMIN_EMAIL, prepareFirstStart } from './auth/first-start.ts';
import { createIdentifier } from './auth/identify.ts';
import { deriveKeys, requireSameKeys } from './auth/keys.ts';
import { loginLimits } from './auth/login-limits.ts';
import { OutsideIssuer } from './auth/outside-issuer.ts';
import { allowedDirectoriesOf, localSparkOf, type ObservabilityConfiguration, observabilitySettings } from './configuration.ts';
import type { DeliveryMeans } from './delivery/attempt.ts';
import { deliver } from './delivery/deliver.ts';
import { openDeliveryOutbox } from './delivery/delivery-outbox.ts';
import { ticketStatuses } from './delivery/ticket-statuses.ts';
import { CheckFigures } from './evaluation/check-figures.ts';
import { evaluatedScans } from './evaluation/evaluated-scans.ts';
import { type Evaluate, EvaluationThreads } from './evaluation/evaluation-threads.ts';
import { housekeeping } from './jobs/housekeeping.ts';
import { JobRunner } from './jobs/job-runner.ts';
import { scanJob } from './jobs/scan-job.ts';
import { scanLanes } from './jobs/scan-lanes.ts';
import { scanLimits, TEMPORARY_BYTES } from './jobs/scan-limits.ts';
import { scheduler } from './jobs/scheduler.ts';
import { removeStrayUploads } from './jobs/stray-uploads.ts';
import type { Services } from './operations/operation.ts';
import { keepInSight, openProcesses } from './processes.ts';
import { PRODUCT } from './product.ts';
import { openReportOutbox } from './reports/report-outbox.ts';
import { connectionsMaxOf, resourceFigures } from './resources.ts';
import { buildRestApp } from './rest/app.ts';
import { createAuthoriser } from './rest/authorise.ts';
import { createReadSelects } from './sources/read-selects.ts';
import { SourceAccess } from './sources/source-access.ts';
import { scanFailure } from './sources/source-failure.ts';
import { createSqlCheck } from './sources/sql-check.ts';
import { uploadPlace } from './upload-place.ts';

export type ObservabilityService = {
  readonly address: string;
  /** Takes over settings that may change while the service runs. */
  reconfigure(configuration: ObservabilityConfiguration): void;
  /** Finishes the requests in flight; running scans go back to the queue. */
  stop(): Promise<void>;
  /** What `stop` waits for. */
  unfinished(): string;
};

export type ServiceOptions = {
  readonly configuration: ObservabilityConfiguration;
  readonly clock: Clock;
  readonly log: Log;
  /** What the operator has to see once, apart from the log, which is kept. */
  readonly print: (sentence: string) => void;
  /** What scans and evaluates, where that is not to be a process of each scan and a thread. */
  readonly work?: { readonly runScan: RunScan; readonly evaluate: Evaluate };
};

export async function startObservabilityService({ configuration, clock, log, print, work }: ServiceOptions): Promise<ObservabilityService> {
  const startedMs = clock.nowMs();
  const { dataDirectory, databaseUrl } = configuration;
  await using parts = new AsyncDisposableStack();
  const disk = new DiskRoom(DiskRoom.allocate());
  parts.use(
    disk.watch({ directory: dataDirectory, reserveBytes: configuration.diskReserveBytes, clock, onChange: logDisk(log, dataDirectory) }),
  );
  const keys = deriveKeys(openKeptSecret(configuration, 'encryptionKey', 'encryption-key'));
  const metadata = parts.use(
    await openMetadata(databaseUrl === undefined ? { directory: dataDirectory } : { databaseUrl }, {
      clock,
      randomBytes,
      encryptionKey: keys.credentials,
    }),
  );
  await requireSameKeys(metadata.platform, keys);
  await printFirstStart(metadata, configuration, print);

  const guard = createOutboundGuard({ allowPrivateNetworks: configuration.allowPrivateNetworks });
  parts.defer(() => guard.close());
  const temporaryDirectory = await emptyDirectory(join(dataDirectory, 'temporary'));
  const connectors = parts.use(
    await createConnectors({
      uploads: await uploadPlace(configuration),
      allowedDirectories: allowedDirectoriesOf(configuration),
      outbound: guard,
      assetBytesMax: TEMPORARY_BYTES,
      clock,
      statementTimeoutMs: configuration.scanTimeoutSeconds * 1000,
      localSpark: localSparkOf(configuration, temporaryDirectory),
    }),
  );
  const sources = new SourceAccess(connectors, configuration.sparkFromBytes);
  const leads = () => processes.leads();

  const limits = scanLimits(configuration, temporaryDirectory);
  const checked = new CheckFigures();
  const runner = new JobRunner({
    metadata,
    work: evaluatedScans({
      metadata,
      scan: scanJob({ metadata, sources, runScan: work?.runScan ?? runScan, limits, clock }),
      evaluate: work?.evaluate ?? parts.use(new EvaluationThreads()).evaluate,
      clock,
      onChecked: (counts) => checked.add(counts),
      log,
    }),
    sentenceOf: scanFailure,
    lanes: scanLanes(configuration),
    mayBegin: () => !disk.figures.isFull && processes.isClockRight(),
    worker: randomUUID(),
    clock,
    log,
  });
  const onEnqueued = () => {
    runner.wake();
    processes.announce('jobs');
  };
  const schedules = scheduler({ metadata, clock, leads, log, onEnqueued });
  const deliveryMeans: DeliveryMeans = { guard, clock, mailer: mailerOf(configuration), publicUrl: configuration.publicUrl };
  const maySend = () => processes.isClockRight();
  const random = seededRandom(randomInt(2 ** 32));
  const outbox = openDeliveryOutbox({
    metadata,
    deliver: (claim, signal) =>
      traced(deliverySpan(claim), () =>
        deliver({ claim, tenant: metadata.forTenant(claim.tenant_id), means: deliveryMeans, wire: { guard, clock, signal } }),
      ),
    maySend,
    clock,
    random,
    log,
  });
  const statuses = ticketStatuses({ metadata, means: deliveryMeans, random, leads, log });
  const reports = openReportOutbox({ metadata, sources, maySend, clock, random, log });
  const cleaning = housekeeping({
    metadata,
    uploads: connectors.uploads,
    retentionDays: configuration.retentionDays,
    clock,
    leads,
    log,
  });

  const processes = parts.use(
    await openProcesses({
      configuration,
      settings: metadata.platform.settings,
      uploads: connectors.uploads,
      clock,
      onNotice: (notice) => (notice === 'jobs' ? runner : outbox).wake(),
      log,
    }),
  );

  const services: Services = {
    metadata,
    authentication: new Authentication({
      metadata,
      signingKey: keys.accessTokens,
      limits: loginLimits(clock, databaseUrl === undefined ? undefined : metadata.platform.spentTimes),
      clock,
    }),
    sources,
    sqlFault: createSqlCheck({ sources, temporaryDirectory }),
    columnsOfSelects: createReadSelects({ temporaryDirectory }),
    uploads: connectors.uploads,
    uploadLimitBytes: configuration.uploadLimitBytes,
    onEnqueued,
    deliveryMeans,
    onAnnounced: () => {
      outbox.wake();
      processes.announce('deliveries');
    },
    clock,
  };
  const identify = createIdentifier({
    metadata,
    signingKey: keys.accessTokens,
    platformToken: openKeptSecret(configuration, 'platformToken', 'platform-token'),
    outsideIssuer: outsideIssuerOf(configuration),
    clock,
  });
  const responses = createResponseMetrics();
  const connections = new ConnectionCap(ConnectionCap.allocate(), { max: connectionsMaxOf(configuration), clock });
  let isClosing = false;
  const auditLog = new AuditLog({ path: configuration.auditLog ?? join(dataDirectory, 'audit.jsonl'), clock, log });
  parts.defer(() => auditLog.close());
  const tlsFiles = tlsFilesOf(configuration);
  const tls = tlsFiles && openServerTls(tlsFiles, { clock, log });
  if (tls !== undefined) parts.defer(() => tls.close());
  const access = changeableAccess(accessRulesOf(configuration));
  const metricsPage = async (): Promise<MetricsPage> => ({
    app: { name: PRODUCT.name, version: PRODUCT.version },
    figures: [
      ...(tls === undefined ? [] : [certificateFigure(tls)]),
      ...resourceFigures({ connections: connections.figures, disk: disk.figures }),
      ...checked.figures,
      { name: 'scans_running', help: 'Running scans', value: runner.runningCount },
      {
        name: 'deliveries_pending',
        help: 'Waiting deliveries (messages and tickets)',
        value: await metadata.platform.deliveries.countPending(),
      },
      { name: 'deliveries_under_way', help: 'Deliveries that are being sent', value: outbox.underWayCount },
      { name: 'deliveries_delivered', help: 'Deliveries that arrived since the start', value: outbox.deliveredCount },
      { name: 'deliveries_failed', help: 'Failed delivery attempts since the start', value: outbox.failedCount },
    ],
    threads: [await responses.snapshot()],
    startedSeconds: startedMs / 1000,
  });
  const telemetry = await openTelemetry({
    configuration,
    service: { name: PRODUCT.name, version: PRODUCT.version, instanceId: randomUUID(), startedMs },
    thread: 'main',
    metrics: async () => gatherMetrics(await metricsPage()),
    clock,
    log,
  });
  parts.defer(() => telemetry?.close());
  const app = buildRestApp({
    tls,
    clientAddress: access.clientAddress,
    auditLog,
    services,
    authorise: createAuthoriser({ metadata, identify }),
    facts: {
      state: () => (isClosing ? 'closing' : 'ready'),
      isStoreReachable: () =>
        metadata.platform.settings.get('reachable').then(
          () => true,
          () => false,
        ),
      metrics: async () => renderMetrics(await metricsPage()),
      observe: (response) => responses.observe(response),
    },
    web: access.web,
    cookieName: `sextant_session_${keys.fingerprint.slice(0, 8)}`,
    bodyLimitBytes: configuration.bodyLimitBytes,
    connections,
    disk,
    keepsMetadata: databaseUrl === undefined,
    requestLog: configuration,
    log,
  });
  const served = new ServerConnections(app.server);
  serveConsole(app, { services: { vector: configuration.vectorUrl, observability: OWN_ORIGIN }, pages: ['/'] });

  // Nobody else works on this data directory, so whoever holds a lease on its jobs, deliveries and reports is dead, and no upload is under way.
  if (databaseUrl === undefined) {
    await releaseAll(metadata, log);
    const files = await removeStrayUploads(metadata, connectors.uploads, { changedBeforeMs: Number.POSITIVE_INFINITY });
    if (files > 0) log.info({ files }, 'removed files of uploads that were never completed');
  }
  const listening = await app.listen({ host: configuration.host, port: configuration.port });
  // Fastify does not know of the server that it was given that it speaks TLS.
  const address = tls === undefined ? listening : listening.replace(/^http:/, 'https:');
  parts.defer(() => app.close());
  const sight = keepInSight(processes, clock);
  for (const loop of [sight, runner, schedules, outbox, statuses, reports, cleaning]) loop.wake();
  const open = parts.move();
  const pending = new Pending();
  const closeServer = () =>
    drainConnections(() => app.close(), served, {
      ...drainTimes(configuration.shutdownSeconds),
      clock,
      warn: (sentence) => log.warn(sentence),
    });
  return {
    address,
    reconfigure: (changed) => access.change(accessRulesOf(changed)),
    unfinished: () => pending.names,
    stop: async () => {
      isClosing = true;
      await Promise.all([
        pending.until('requests', closeServer()),
        pending.until('schedules', schedules.stop()),
        pending.until('scans', runner.stop()),
        pending.until('deliveries', outbox.stop()),
        pending.until('statuses of tickets', statuses.stop()),
        pending.until('reports', reports.stop()),
        pending.until('housekeeping', cleaning.stop()),
        pending.until('the session with other processes', sight.stop()),
      ]);
      await pending.until('closing the metadata store', open.disposeAsync());
    },
  };
}

function deliverySpan({ tenant_id, delivery }: ClaimedDelivery): SpanFacts {
  const attributes = { 'sextant.tenant': tenant_id, 'sextant.delivery.kind': delivery.kind, 'sextant.attempt': delivery.attempts };
  return { name: 'deliver', kind: 'consumer', attributes };
}

function accessRulesOf(configuration: ObservabilityConfiguration) {
  const { allowedHosts, publicUrl, vectorUrl } = configuration;
  const publicHost = publicUrl === undefined ? undefined : hostNameOf(new URL(publicUrl).host);
  return {
    ...configuration,
    allowedHosts: publicHost === undefined ? allowedHosts : [...allowedHosts, publicHost],
    consoles: [publicUrl, vectorUrl],
    pages: ['/', '/docs', '/console'],
  };
}

function mailerOf({ smtpUrl, smtpFrom }: ObservabilityConfiguration) {
  return createMailer(smtpUrl === undefined || smtpFrom === undefined ? undefined : { url: smtpUrl, from: smtpFrom });
}

function openKeptSecret(configuration: ObservabilityConfiguration, setting: 'encryptionKey' | 'platformToken', file: string): string {
  const path = join(configuration.dataDirectory, file);
  return openSecretFile({ path, configured: configuration[setting], setting: observabilitySettings[setting].name });
}

async function printFirstStart(
  metadata: Services['metadata'],
  { adminPassword, dataDirectory }: ObservabilityConfiguration,
  print: ServiceOptions['print'],
): Promise<void> {
  const first = await prepareFirstStart(metadata, adminPassword);
  if (first === undefined) return;
  if (first.generatedPassword !== undefined) print(`the admin ${DEFAULT_ADMIN_EMAIL} has the password ${first.generatedPassword}`);
  const problem = adminPassword === undefined ? undefined : passwordProblem({ password: adminPassword, username: DEFAULT_ADMIN_EMAIL });
  if (problem !== undefined) print(`OBSERVABILITY_ADMIN_PASSWORD is weak: ${problem}`);
  print(`the token of the platform operator is in ${join(dataDirectory, 'platform-token')}`);
}

function outsideIssuerOf({ oidcIssuer, oidcJwksUrl, oidcAudience }: ObservabilityConfiguration): OutsideIssuer | undefined {
  if (oidcIssuer === undefined || oidcJwksUrl === undefined || oidcAudience === undefined) return undefined;
  return new OutsideIssuer({ issuer: oidcIssuer, jwksUrl: oidcJwksUrl, audience: oidcAudience });
}

/** Leases end by themselves, so that a start on a full disk need not fail over them. */
async function releaseAll({ platform: { jobs, deliveries, reports } }: Services['metadata'], log: Log): Promise<void> {
  try {
    await jobs.releaseLeases();
    await deliveries.releaseLeases();
    await reports.releaseAll();
  } catch (error) {
    if (!isDiskFullError(error)) throw error;
    log.warn({ err: error }, 'unfinished work of the last run waits until its leases end');
  }
}

function logDisk(log: Log, directory: string): (figures: DiskFigures) => void {
  return ({ isFull, free, reserve }) => {
    if (isFull)
      log.warn(
        { directory, free, reserve },
        'the disk is full: reads and deletions continue, other writes are refused with 507, scans wait',
      );
    else log.info({ directory, free, reserve }, 'the disk has space again: writes are accepted');
  };
}

/** What a process that died left there is nobody's. The folder itself stays, since a new one needs room. */
async function emptyDirectory(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  for (const name of await readdir(path)) await rm(join(path, name), { recursive: true, force: true });
  return path;
}
