// SPDX-License-Identifier: Apache-2.0
/** All that the platform remembers: what is the platform's own, and what each tenant owns. */
import type { Clock } from '@sextant/foundation-std';
import { credentialCipher } from './database/credential-cipher.ts';
import { migrate } from './database/migration.ts';
import { type MetadataLocation, openDatabase } from './database/open-database.ts';
import { type PlatformScope, type TenantScope, tenantScope } from './database/scope.ts';
import { type CredentialFinder, credentialFinder } from './platform/credentials.ts';
import { type DeliveryQueue, deliveryQueue } from './platform/delivery-queue.ts';
import { type DueWork, dueWork } from './platform/due-work.ts';
import { type JobQueue, jobQueue } from './platform/job-queue.ts';
import { type ReportQueue, reportQueue } from './platform/report-queue.ts';
import { type SettingStore, settingStore } from './platform/settings.ts';
import { type SpentTimes, spentTimes } from './platform/spent-times.ts';
import { type TenantStore, tenantStore } from './platform/tenants.ts';
import { type AlertStore, alertStore } from './tenant/alerts.ts';
import { type ApiKeyStore, apiKeyStore } from './tenant/api-keys.ts';
import { type AssetStore, assetStore } from './tenant/assets.ts';
import { type AttributeStore, attributeStore } from './tenant/attributes.ts';
import { type AuditStore, auditStore } from './tenant/audit.ts';
import { type BackgroundErrorStore, backgroundErrorStore } from './tenant/background-errors.ts';
import { type ChannelStore, channelStore } from './tenant/channels.ts';
import { type CheckStore, checkStore } from './tenant/checks.ts';
import { type ColumnLineageStore, columnLineageStore } from './tenant/column-lineage.ts';
import {
  type DqReportingConfigStore,
  type DqScoreConfigStore,
  dqReportingConfigStore,
  dqScoreConfigStore,
  type SparkConfigStore,
  sparkConfigStore,
} from './tenant/configurations.ts';
import { type ConnectionStore, connectionStore } from './tenant/connections.ts';
import { type DeliveryStore, deliveryStore } from './tenant/deliveries.ts';
import { type DetectorStateStore, detectorStateStore } from './tenant/detector-states.ts';
import { type DqScoreStore, dqScoreStore } from './tenant/dq-scores.ts';
import { type IncidentCareStore, incidentCareStore } from './tenant/incident-care.ts';
import { type IncidentStoryStore, incidentStoryStore } from './tenant/incident-stories.ts';
import { type IncidentStore, incidentStore } from './tenant/incidents.ts';
import { type JobFindingStore, jobFindingStore } from './tenant/job-findings.ts';
import { type JobStore, jobStore } from './tenant/jobs.ts';
import { type LineageStore, lineageStore } from './tenant/lineage.ts';
import { type MetricPointStore, metricPointStore } from './tenant/metric-points.ts';
import { type MonitorStore, monitorStore } from './tenant/monitors.ts';
import { type ProjectStore, projectStore } from './tenant/projects.ts';
import { type RefreshTokenStore, refreshTokenStore } from './tenant/refresh-tokens.ts';
import { type ScanMemoryStore, scanMemoryStore } from './tenant/scan-memory.ts';
import { type ScanReportStore, scanReportStore } from './tenant/scan-reports.ts';
import { type ScheduleStore, scheduleStore } from './tenant/schedules.ts';
import { type TicketTemplateStore, ticketTemplateStore } from './tenant/ticket-templates.ts';
import { type TicketStore, ticketStore } from './tenant/tickets.ts';
import { type TrackerConnectionStore, trackerConnectionStore } from './tenant/tracker-connection.ts';
import { type UploadStore, uploadStore } from './tenant/uploads.ts';
import { type UserStore, userStore } from './tenant/users.ts';
import { type WrongCellStore, wrongCellStore } from './tenant/wrong-cells.ts';

/** What crosses tenants, for the platform itself. */
export type PlatformMetadata = {
  readonly tenants: TenantStore;
  readonly settings: SettingStore;
  readonly credentials: CredentialFinder;
  readonly jobs: JobQueue;
  readonly due: DueWork;
  readonly deliveries: DeliveryQueue;
  readonly reports: ReportQueue;
  readonly spentTimes: SpentTimes;
};

/** What one tenant owns. No store can name or reach another tenant. */
export type TenantMetadata = {
  readonly tenantId: string;
  /**
   * Runs one transaction: what the handed stores read and write happens whole or not at all, and nothing else is written in the tenant
   * meanwhile. Nested calls join. Inside, only the handed stores may be used: this object's own would wait for the end for ever.
   * A write that fails inside undoes everything, also when its error is caught.
   */
  readonly atomically: <Result>(run: (tenant: TenantMetadata) => Promise<Result>) => Promise<Result>;
  readonly users: UserStore;
  readonly refreshTokens: RefreshTokenStore;
  readonly apiKeys: ApiKeyStore;
  readonly projects: ProjectStore;
  readonly connections: ConnectionStore;
  readonly assets: AssetStore;
  readonly attributes: AttributeStore;
  readonly lineage: LineageStore;
  readonly columnLineage: ColumnLineageStore;
  readonly schedules: ScheduleStore;
  readonly uploads: UploadStore;
  readonly jobs: JobStore;
  readonly jobFindings: JobFindingStore;
  readonly checks: CheckStore;
  readonly wrongCells: WrongCellStore;
  readonly scanMemory: ScanMemoryStore;
  readonly detectorStates: DetectorStateStore;
  readonly metricPoints: MetricPointStore;
  readonly monitors: MonitorStore;
  readonly channels: ChannelStore;
  readonly alerts: AlertStore;
  readonly incidents: IncidentStore;
  readonly incidentCare: IncidentCareStore;
  readonly incidentStories: IncidentStoryStore;
  readonly audit: AuditStore;
  readonly ticketTemplates: TicketTemplateStore;
  readonly sparkConfig: SparkConfigStore;
  readonly dqScoreConfig: DqScoreConfigStore;
  readonly dqReportingConfig: DqReportingConfigStore;
  readonly dqScores: DqScoreStore;
  readonly scanReports: ScanReportStore;
  readonly backgroundErrors: BackgroundErrorStore;
  readonly deliveries: DeliveryStore;
  readonly tickets: TicketStore;
  readonly trackerConnection: TrackerConnectionStore;
};

export type Metadata = AsyncDisposable & {
  readonly platform: PlatformMetadata;
  /** Does not look whether the tenant exists: `platform.tenants.find` does. Writes for an unknown one fail. */
  readonly forTenant: (tenantId: string) => TenantMetadata;
};

export type MetadataOptions = {
  readonly clock: Clock;
  /** Random bytes for ids; `randomBytes` of `node:crypto` outside tests. */
  readonly randomBytes: (count: number) => Uint8Array;
  /** 32 bytes that encrypt the credentials of connections. */
  readonly encryptionKey: Uint8Array;
};

/**
 * Opens the metadata and brings its schema up to date.
 *
 * @throws NewerSchemaError when a newer program wrote it
 */
export async function openMetadata(location: MetadataLocation, options: MetadataOptions): Promise<Metadata> {
  const cipher = credentialCipher(options.encryptionKey);
  const database = openDatabase(location);
  try {
    await migrate(database);
  } catch (error) {
    await database.kysely.destroy();
    throw error;
  }
  const scope: PlatformScope = { database, db: database.kysely, clock: options.clock, randomBytes: options.randomBytes, cipher };
  return {
    platform: {
      tenants: tenantStore(scope),
      settings: settingStore(scope),
      credentials: credentialFinder(scope),
      jobs: jobQueue(scope),
      due: dueWork(scope),
      deliveries: deliveryQueue(scope),
      reports: reportQueue(scope),
      spentTimes: spentTimes(scope),
    },
    forTenant: (tenantId) => tenantMetadata(tenantScope(scope, tenantId)),
    [Symbol.asyncDispose]: () => database.kysely.destroy(),
  };
}

function tenantMetadata(scope: TenantScope): TenantMetadata {
  return {
    tenantId: scope.tenantId,
    atomically: (run) => scope.atomically((inner) => run(tenantMetadata(inner))),
    users: userStore(scope),
    refreshTokens: refreshTokenStore(scope),
    apiKeys: apiKeyStore(scope),
    projects: projectStore(scope),
    connections: connectionStore(scope),
    assets: assetStore(scope),
    attributes: attributeStore(scope),
    lineage: lineageStore(scope),
    columnLineage: columnLineageStore(scope),
    schedules: scheduleStore(scope),
    uploads: uploadStore(scope),
    jobs: jobStore(scope),
    jobFindings: jobFindingStore(scope),
    checks: checkStore(scope),
    wrongCells: wrongCellStore(scope),
    scanMemory: scanMemoryStore(scope),
    detectorStates: detectorStateStore(scope),
    metricPoints: metricPointStore(scope),
    monitors: monitorStore(scope),
    channels: channelStore(scope),
    alerts: alertStore(scope),
    incidents: incidentStore(scope),
    incidentCare: incidentCareStore(scope),
    incidentStories: incidentStoryStore(scope),
    audit: auditStore(scope),
    ticketTemplates: ticketTemplateStore(scope),
    sparkConfig: sparkConfigStore(scope),
    dqScoreConfig: dqScoreConfigStore(scope),
    dqReportingConfig: dqReportingConfigStore(scope),
    dqScores: dqScoreStore(scope),
    scanReports: scanReportStore(scope),
    backgroundErrors: backgroundErrorStore(scope),
    deliveries: deliveryStore(scope),
    tickets: ticketStore(scope),
    trackerConnection: trackerConnectionStore(scope),
  };
}
