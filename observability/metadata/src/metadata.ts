// SPDX-License-Identifier: Apache-2.0
/** All that the platform remembers: what is the platform's own, and what each tenant owns. */
import type { Clock } from '@sextant/foundation-std';
import { credentialCipher } from './database/credential-cipher.ts';
import { migrate } from './database/migration.ts';
import { type MetadataLocation, openDatabase } from './database/open-database.ts';
import { type PlatformScope, type TenantScope, tenantScope } from './database/scope.ts';
import { credentialFinder } from './platform/credentials.ts';
import { deliveryQueue } from './platform/delivery-queue.ts';
import { dueWork } from './platform/due-work.ts';
import { jobQueue } from './platform/job-queue.ts';
import { reportQueue } from './platform/report-queue.ts';
import { settingStore } from './platform/settings.ts';
import { spentTimes } from './platform/spent-times.ts';
import { tenantStore } from './platform/tenants.ts';
import { alertStore } from './tenant/alerts.ts';
import { apiKeyStore } from './tenant/api-keys.ts';
import { assetStore } from './tenant/assets.ts';
import { attributeStore } from './tenant/attributes.ts';
import { auditStore } from './tenant/audit.ts';
import { backgroundErrorStore } from './tenant/background-errors.ts';
import { channelStore } from './tenant/channels.ts';
import { checkStore } from './tenant/checks.ts';
import { columnLineageStore } from './tenant/column-lineage.ts';
import { dqReportingConfigStore, dqScoreConfigStore, sparkConfigStore } from './tenant/configurations.ts';
import { connectionStore } from './tenant/connections.ts';
import { deliveryStore } from './tenant/deliveries.ts';
import { detectorStateStore } from './tenant/detector-states.ts';
import { dqScoreStore } from './tenant/dq-scores.ts';
import { incidentCareStore } from './tenant/incident-care.ts';
import { incidentStoryStore } from './tenant/incident-stories.ts';
import { incidentStore } from './tenant/incidents.ts';
import { jobFindingStore } from './tenant/job-findings.ts';
import { jobStore } from './tenant/jobs.ts';
import { lineageStore } from './tenant/lineage.ts';
import { metricPointStore } from './tenant/metric-points.ts';
import { monitorStore } from './tenant/monitors.ts';
import { projectStore } from './tenant/projects.ts';
import { refreshTokenStore } from './tenant/refresh-tokens.ts';
import { scanMemoryStore } from './tenant/scan-memory.ts';
import { scanReportStore } from './tenant/scan-reports.ts';
import { scheduleStore } from './tenant/schedules.ts';
import { ticketTemplateStore } from './tenant/ticket-templates.ts';
import { ticketStore } from './tenant/tickets.ts';
import { trackerConnectionStore } from './tenant/tracker-connection.ts';
import { uploadStore } from './tenant/uploads.ts';
import { userStore } from './tenant/users.ts';
import { wrongCellStore } from './tenant/wrong-cells.ts';

const PLATFORM = {
  tenants: tenantStore,
  settings: settingStore,
  credentials: credentialFinder,
  jobs: jobQueue,
  due: dueWork,
  deliveries: deliveryQueue,
  reports: reportQueue,
  spentTimes,
};

type Openers<Scope> = { readonly [name: string]: (scope: Scope) => object };
type Opened<Stores extends Openers<never>> = { readonly [Name in keyof Stores]: ReturnType<Stores[Name]> };

/** What crosses tenants, for the platform itself. */
export type PlatformMetadata = Opened<typeof PLATFORM>;

const STORES = {
  users: userStore,
  refreshTokens: refreshTokenStore,
  apiKeys: apiKeyStore,
  projects: projectStore,
  connections: connectionStore,
  assets: assetStore,
  attributes: attributeStore,
  lineage: lineageStore,
  columnLineage: columnLineageStore,
  schedules: scheduleStore,
  uploads: uploadStore,
  jobs: jobStore,
  jobFindings: jobFindingStore,
  checks: checkStore,
  wrongCells: wrongCellStore,
  scanMemory: scanMemoryStore,
  detectorStates: detectorStateStore,
  metricPoints: metricPointStore,
  monitors: monitorStore,
  channels: channelStore,
  alerts: alertStore,
  incidents: incidentStore,
  incidentCare: incidentCareStore,
  incidentStories: incidentStoryStore,
  audit: auditStore,
  ticketTemplates: ticketTemplateStore,
  sparkConfig: sparkConfigStore,
  dqScoreConfig: dqScoreConfigStore,
  dqReportingConfig: dqReportingConfigStore,
  dqScores: dqScoreStore,
  scanReports: scanReportStore,
  backgroundErrors: backgroundErrorStore,
  deliveries: deliveryStore,
  tickets: ticketStore,
  trackerConnection: trackerConnectionStore,
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
} & Opened<typeof STORES>;

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
    platform: openAll(PLATFORM, scope),
    forTenant: (tenantId) => tenantMetadata(tenantScope(scope, tenantId)),
    [Symbol.asyncDispose]: () => database.kysely.destroy(),
  };
}

function tenantMetadata(scope: TenantScope): TenantMetadata {
  return {
    tenantId: scope.tenantId,
    atomically: (run) => scope.atomically((inner) => run(tenantMetadata(inner))),
    ...openAll(STORES, scope),
  };
}

function openAll<Scope, Stores extends Openers<Scope>>(stores: Stores, scope: Scope): Opened<Stores> {
  const opened = Object.entries(stores).map(([name, open]) => [name, open(scope)]);
  // Each entry is what the store of that name opens to.
  return Object.fromEntries(opened) as Opened<Stores>;
}
