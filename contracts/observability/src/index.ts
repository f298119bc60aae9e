export type {
  BackgroundError,
  DqReportingConfig,
  DqScoreConfig,
  NotificationChannel,
  SparkJobConfig,
  TicketTemplate,
} from './configurations.ts';
export type { Delivery, DeliveryKind, DeliveryStatus, Ticket, TrackerConnection } from './deliveries.ts';
export type { BodyKind, Endpoint, Method, Requirement } from './endpoints/endpoint.ts';
export { type BodyOf, type Endpoints, endpoints, type OperationId, type ParamsOf, type QueryOf, type ResultOf } from './endpoints.ts';
export { ApiError, type ErrorBody, type ErrorCode, type ErrorDetails, errorCatalogue } from './errors.ts';
export {
  type AuditAction,
  type AuditEntry,
  type AuditSubject,
  type BackfillResult,
  type ExclusionResult,
  type IncidentActivity,
  type IncidentComment,
  type IncidentStepActor,
  type MetricExclusion,
  type MetricSeries,
  SYSTEM_ACTOR,
} from './incident-care.ts';
export { parseIncidentFilter, parsePeriod } from './incident-filter.ts';
export { JOB_ALERT_MEMBERS, type JobAlert } from './incident-schemas.ts';
export {
  type Alert,
  type Incident,
  type IncidentDetail,
  type IncidentDistribution,
  type IncidentFilter,
  type IncidentHistoryItem,
  type IncidentMetric,
  type IncidentState,
  type IncidentStatus,
  type IncidentSummary,
  NO_ASSIGNEE,
  NO_IMPACT,
} from './incidents.ts';
export type { Job, JobProgress, JobStatus } from './jobs.ts';
export type { MetricHistoryItem, MetricName, MetricPoint, RowSample, SchemaChange } from './metrics.ts';
export { monitorDefinitionSchema } from './monitor-schemas.ts';
export type { Level, Monitor, MonitorDefinition, MonitorType, RuleVariable, Threshold } from './monitors.ts';
export { PREBUILT_MONITOR_IDS } from './monitors.ts';
export { observabilityDocument } from './openapi.ts';
export { readParameters } from './parameters.ts';
export type {
  AssetScore,
  CurrentScore,
  ScoreBand,
  ScoreChange,
  ScoreDimension,
  ScoreHistoryItem,
  ScorePart,
  ScorePartChange,
  ScoreSource,
} from './scores.ts';
export type {
  Asset,
  AssetOptions,
  Attribute,
  Connection,
  ConnectionKind,
  Credential,
  DataType,
  Project,
  Schedule,
  UnservedKind,
  Upload,
} from './sources.ts';
export type { ApiKey, Role, Tenant, User } from './tenancy.ts';
export { parseTimestamp } from './timestamp.ts';
export { validate } from './validate.ts';
