/** All that the platform remembers: what is the platform's own, and what each tenant owns. */
import type { Clock } from '@sextant/foundation-std';
import type { CredentialFinder } from './platform/credentials.ts';
import type { DueWork } from './platform/due-work.ts';
import type { JobQueue } from './platform/job-queue.ts';
import type { SettingStore } from './platform/settings.ts';
import type { TenantStore } from './platform/tenants.ts';
import type { AlertStore } from './tenant/alerts.ts';
import type { ApiKeyStore } from './tenant/api-keys.ts';
import type { AssetStore, AttributeStore, LineageStore } from './tenant/assets.ts';
import type { BackgroundErrorStore } from './tenant/background-errors.ts';
import type { ChannelStore } from './tenant/channels.ts';
import type { DqReportingConfigStore, DqScoreConfigStore, SparkConfigStore } from './tenant/configurations.ts';
import type { ConnectionStore } from './tenant/connections.ts';
import type { IncidentStore } from './tenant/incidents.ts';
import type { JobFindingStore } from './tenant/job-findings.ts';
import type { JobStore } from './tenant/jobs.ts';
import type { MetricPointStore } from './tenant/metric-points.ts';
import type { MonitorStore } from './tenant/monitors.ts';
import type { ProjectStore } from './tenant/projects.ts';
import type { RefreshTokenStore } from './tenant/refresh-tokens.ts';
import type { ScanMemoryStore } from './tenant/scan-memory.ts';
import type { ScheduleStore } from './tenant/schedules.ts';
import type { TicketTemplateStore } from './tenant/ticket-templates.ts';
import type { UploadStore } from './tenant/uploads.ts';
import type { UserStore } from './tenant/users.ts';
import type { WebhookDeliveryStore } from './tenant/webhook-deliveries.ts';

/** What crosses tenants, for the platform itself. */
export type PlatformMetadata = {
  readonly tenants: TenantStore;
  readonly settings: SettingStore;
  readonly credentials: CredentialFinder;
  readonly jobs: JobQueue;
  readonly due: DueWork;
};

/** What one tenant owns. No store can name or reach another tenant. */
export type TenantMetadata = {
  readonly tenantId: string;
  readonly users: UserStore;
  readonly refreshTokens: RefreshTokenStore;
  readonly apiKeys: ApiKeyStore;
  readonly projects: ProjectStore;
  readonly connections: ConnectionStore;
  readonly assets: AssetStore;
  readonly attributes: AttributeStore;
  readonly lineage: LineageStore;
  readonly schedules: ScheduleStore;
  readonly uploads: UploadStore;
  readonly jobs: JobStore;
  readonly jobFindings: JobFindingStore;
  readonly scanMemory: ScanMemoryStore;
  readonly metricPoints: MetricPointStore;
  readonly monitors: MonitorStore;
  readonly channels: ChannelStore;
  readonly alerts: AlertStore;
  readonly incidents: IncidentStore;
  readonly ticketTemplates: TicketTemplateStore;
  readonly sparkConfig: SparkConfigStore;
  readonly dqScoreConfig: DqScoreConfigStore;
  readonly dqReportingConfig: DqReportingConfigStore;
  readonly backgroundErrors: BackgroundErrorStore;
  readonly webhookDeliveries: WebhookDeliveryStore;
};

export type Metadata = AsyncDisposable & {
  readonly platform: PlatformMetadata;
  /** Does not look whether the tenant exists: `platform.tenants.find` does. Writes for an unknown one fail. */
  readonly forTenant: (tenantId: string) => TenantMetadata;
};

/** Where metadata lives: `metadata.sqlite` in a directory, or a PostgreSQL database. */
export type MetadataLocation = { readonly directory: string } | { readonly databaseUrl: string };

export type MetadataOptions = {
  readonly clock: Clock;
  /** Random bytes for ids; `randomBytes` of `node:crypto` outside tests. */
  readonly randomBytes: (count: number) => Uint8Array;
  /** 32 bytes that encrypt the credentials of connections. */
  readonly encryptionKey: Uint8Array;
};

export type OpenMetadata = (location: MetadataLocation, options: MetadataOptions) => Promise<Metadata>;
