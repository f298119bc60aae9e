// SPDX-License-Identifier: Apache-2.0

export type { Asset, AssetOptions, Attribute, DataType, Schedule, Upload } from './asset-schemas.ts';
export { CHECK_ERROR, CHECK_STATES, type CheckState, type IncidentKind } from './checks.ts';
export type { DqReportingConfig, DqScoreConfig, NotificationChannel, TicketTemplate } from './configuration-schemas.ts';
export type { DbtManifest, DbtNode } from './dbt-schemas.ts';
export type { Delivery, DeliveryKind, DeliveryStatus, Ticket, TrackerConnection } from './delivery-schemas.ts';
export type { BodyKind, Endpoint, Method, Requirement } from './endpoints/endpoint.ts';
export { type BodyOf, type Endpoints, endpoints, type OperationId, type ParamsOf, type QueryOf, type ResultOf } from './endpoints.ts';
export { ApiError, type ErrorBody, type ErrorCode, type ErrorDetails, errorCatalogue } from './errors.ts';
export { type AuditAction, type AuditSubject, type HandlingState, SYSTEM_ACTOR } from './incident-care.ts';
export type {
  AuditEntry,
  BackfillResult,
  BulkIncidentsResult,
  ExclusionResult,
  IncidentActivity,
  IncidentComment,
  IncidentHandling,
  IncidentStepActor,
  MetricExclusion,
  MetricSeries,
} from './incident-care-schemas.ts';
export { parseIncidentFilter, parsePeriod } from './incident-filter.ts';
export type {
  Alert,
  Incident,
  IncidentDetail,
  IncidentDistribution,
  IncidentHistoryItem,
  IncidentMetric,
  IncidentState,
  IncidentStatus,
  IncidentSummary,
} from './incident-schemas.ts';
export { JOB_ALERT_MEMBERS, type JobAlert } from './incident-schemas.ts';
export type {
  FailingSegment,
  IncidentEvidence,
  IncidentStory,
  MovedSegment,
  RelatedIncident,
  SimilarIncident,
  VolumeSegment,
} from './incident-story-schemas.ts';
export { type IncidentFilter, NO_ASSIGNEE, NO_IMPACT } from './incidents.ts';
export type {
  Check,
  CheckCounts,
  Job,
  JobProgress,
  JobStatus,
  MetricHistoryItem,
  MetricPoint,
  RowSample,
  SchemaChange,
} from './job-schemas.ts';
export type { ColumnLineage, ColumnSources, OpenLineageEvent } from './lineage-schemas.ts';
export type { MetricName } from './metrics.ts';
export type { Level, Monitor, MonitorDefinition, MonitorType, RuleVariable, Threshold } from './monitor-schemas.ts';
export { monitorDefinitionSchema } from './monitor-schemas.ts';
export { PREBUILT_MONITOR_IDS } from './monitors.ts';
export { observabilityDocument } from './openapi.ts';
export { readParameters } from './parameters.ts';
export { DATE_FORMATS, type Encoding, type Reading } from './reading-schemas.ts';
export type { AssetScore, CurrentScore, ScoreChange, ScoreHistoryItem, ScorePart, ScorePartChange, ScoreSource } from './score-schemas.ts';
export type { ScoreBand, ScoreDimension } from './scores.ts';
export type { Connection, ConnectionKind, Credential, Project, UnservedKind } from './source-schemas.ts';
export { holdsVectors, isServedKind } from './source-schemas.ts';
export type { SparkJobConfig } from './spark-schemas.ts';
export type { ApiKey, BackgroundError, Role, Tenant, User } from './tenancy-schemas.ts';
export { parseTimestamp } from './timestamp.ts';
export { validate } from './validate.ts';
export {
  CELL_DETECTORS,
  type CellDetector,
  type CellFindings,
  type CellVerdict,
  type FoundCell,
  type FoundRule,
  type RuleSupport,
  type SuggestedRule,
  type WrongCell,
} from './wrong-cell-schemas.ts';
