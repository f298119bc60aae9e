// SPDX-License-Identifier: Apache-2.0
export { CredentialKeyError } from './database/credential-cipher.ts';
export { NewerSchemaError } from './database/migration.ts';
export type { MetadataLocation } from './database/open-database.ts';
export { MetadataConflict, MetadataMissing, MetadataRefused, type ObjectKind } from './errors.ts';
export {
  type Metadata,
  type MetadataOptions,
  openMetadata,
  type PlatformMetadata,
  type TenantMetadata,
} from './metadata.ts';
export type { Page } from './page.ts';
export type { FoundApiKey, FoundRefreshToken } from './platform/credentials.ts';
export type { ClaimedDelivery } from './platform/delivery-queue.ts';
export type { DueSchedule, DueTicket } from './platform/due-work.ts';
export type { ClaimedJob, JobClaim } from './platform/job-queue.ts';
export type { SpentTimes } from './platform/spent-times.ts';
export { joinProcesses } from './processes/postgresql-processes.ts';
export { type ProcessGroup, ProcessRefusedError, soleProcess } from './processes/process-group.ts';
export type { AlertFilter, AlertStep, NewAlert, StoredAlert } from './tenant/alerts.ts';
export type { NewApiKey } from './tenant/api-keys.ts';
export type { AssetChange, AssetMove, AssetParts, NewAsset } from './tenant/assets.ts';
export type { FoundColumn } from './tenant/attributes.ts';
export type { AuditFilter, NewAuditEntry } from './tenant/audit.ts';
export type { ChannelSecret } from './tenant/channels.ts';
export type { NewCheck } from './tenant/checks.ts';
export type { SparkJobConfigChange } from './tenant/configurations.ts';
export type { ConnectionChange, NewConnection } from './tenant/connections.ts';
export type { DeliveryFilter, DeliveryOutcome, NewDelivery } from './tenant/deliveries.ts';
export type { DetectorState, DetectorStateStore } from './tenant/detector-states.ts';
export type { ScoreRecord, ScoreStanding } from './tenant/dq-scores.ts';
export type { CommonCause, StoredStory } from './tenant/incident-stories.ts';
export type { IncidentOutcome, IncidentStep, NewIncident } from './tenant/incidents.ts';
export type { JobLease, JobRequest, JobResult, NewJob, RunningProgress } from './tenant/jobs.ts';
export type { MetricPointKey } from './tenant/metric-exclusions.ts';
export type { MetricHistoryFilter, NewMetricPoint } from './tenant/metric-points.ts';
export type { MonitorChange, NewMonitor } from './tenant/monitors.ts';
export type { NewProject } from './tenant/projects.ts';
export type { RotationResult } from './tenant/refresh-tokens.ts';
export type { QueuedReport, ScanReport, ScanReportRow } from './tenant/scan-reports.ts';
export type { FinishedScan, PastPoint, RecentScans, SeriesHistory } from './tenant/series-history.ts';
export type { NewTicketTemplate } from './tenant/ticket-templates.ts';
export type { NewTicket, TicketReading } from './tenant/tickets.ts';
export type { TrackedIncident } from './tenant/tracked-incidents.ts';
export type { Upload } from './tenant/uploads.ts';
export type { Account, NewUser } from './tenant/users.ts';
export type { StoredFindings } from './tenant/wrong-cells.ts';
