export type {
  BackgroundError,
  DqReportingConfig,
  DqScoreConfig,
  NotificationChannel,
  SparkJobConfig,
  TicketTemplate,
} from './configurations.ts';
export type {
  Alert,
  Incident,
  IncidentDetail,
  IncidentDistribution,
  IncidentFilter,
  IncidentHistoryItem,
  IncidentMetric,
  IncidentState,
  IncidentStatus,
  IncidentSummary,
} from './incidents.ts';
export type { Job, JobProgress, JobStatus } from './jobs.ts';
export type { MetricHistoryItem, MetricName, MetricPoint, RowSample, SchemaChange } from './metrics.ts';
export type { Level, Monitor, MonitorDefinition, MonitorType, RuleVariable, Threshold } from './monitors.ts';
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
} from './sources.ts';
export type { ApiKey, Role, Tenant, User } from './tenancy.ts';
