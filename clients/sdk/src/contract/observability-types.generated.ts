// Written by `npm run generate` from the endpoint table of the contract.

import type { JsonObject } from '../json.ts';

import type { UploadBody } from '../http/upload-body.ts';

export type AddressTest = {
  readonly address: string;
  readonly success: boolean;
  /** That it arrived, or why it did not. */
  readonly message: string;
};

export type Alert = {
  readonly type: string;
  readonly source: string;
  readonly attribute: string;
  readonly job_id: string;
  readonly create_time: string;
  readonly save_time: string;
  readonly violation_data: JsonObject;
  readonly violation_name: string;
  readonly notification_channels: readonly string[];
  readonly is_notification_enabled: boolean;
  readonly metric_time: string;
  readonly is_notified: boolean;
  readonly metric_value: number;
  readonly policy_name: string;
  readonly segment: string;
  readonly priority: string;
  readonly description: { readonly [name: string]: readonly string[] };
  readonly source_name: string;
  readonly source_type: string;
  readonly project_name: string;
  readonly tags: readonly string[];
};

export type AlertsByFilters = {
  readonly sources: readonly string[];
  readonly upload_dates: readonly string[];
  readonly violation_names: readonly string[];
};

export type ApiKey = {
  readonly id: string;
  readonly name: string;
};

export type ApiKeys = {
  readonly keys: readonly ApiKey[];
};

export type Asset = {
  readonly id: string;
  readonly project_id: number;
  readonly name: string;
  readonly description: string | null;
  readonly type: 'FILE' | 'UPLOAD' | 'S3' | 'GCS' | 'AZURE' | 'POSTGRESQL' | 'VECTOR_COLLECTION' | 'BIGQUERY' | 'REDSHIFT' | 'SNOWFLAKE' | 'DELTALAKE' | 'HIVE_ICEBERG' | 'GENERIC_JDBC';
  readonly options: AssetOptions;
  readonly payload: JsonObject;
  readonly connection_id: number | null;
  readonly db_type: string | null;
  readonly tags: readonly string[];
  readonly webhook_url: string | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly attributes?: readonly Attribute[] | undefined;
  readonly scheduled_upload?: Schedule | null | undefined;
  readonly parents?: readonly string[] | undefined;
  readonly children?: readonly string[] | undefined;
};

export type AssetOptions = {
  readonly id_attributes?: readonly string[] | undefined;
  readonly timestamp_attribute?: string | undefined;
  readonly delta_only?: 'true' | 'false' | undefined;
  readonly segments?: { readonly [name: string]: readonly string[] } | undefined;
  readonly filter?: { readonly [name: string]: readonly string[] } | undefined;
  readonly sample_fraction?: number | undefined;
  readonly limit?: number | undefined;
  readonly skip_investigator?: 'true' | 'false' | undefined;
  readonly only_light_scan?: 'true' | 'false' | undefined;
  readonly separator?: string | undefined;
  readonly resolve_wildcards_to_folders?: 'true' | 'false' | undefined;
  readonly empty_values?: readonly string[] | undefined;
};

/** Merged key by key; null removes a key. */
export type AssetOptionsChange = {
  readonly id_attributes?: readonly string[] | null | undefined;
  readonly timestamp_attribute?: string | null | undefined;
  readonly delta_only?: 'true' | 'false' | null | undefined;
  readonly segments?: { readonly [name: string]: readonly string[] } | null | undefined;
  readonly filter?: { readonly [name: string]: readonly string[] } | null | undefined;
  readonly sample_fraction?: number | null | undefined;
  readonly limit?: number | null | undefined;
  readonly skip_investigator?: 'true' | 'false' | null | undefined;
  readonly only_light_scan?: 'true' | 'false' | null | undefined;
  readonly separator?: string | null | undefined;
  readonly resolve_wildcards_to_folders?: 'true' | 'false' | null | undefined;
  readonly empty_values?: readonly string[] | null | undefined;
};

export type AssetQuery = {
  readonly with_attributes?: boolean | undefined;
  readonly with_schedules?: boolean | undefined;
  readonly with_lineage?: boolean | undefined;
};

export type AssetScore = {
  readonly asset_id: string;
  readonly asset_name: string;
  readonly project_id: number;
  readonly state: 'scored' | 'disabled' | 'not_scanned' | 'not_measured';
  readonly score: number | null;
  readonly band: 'excellent' | 'good' | 'fair' | 'poor' | null;
  readonly metric_time: string | null;
};

export type AssignRole = {
  readonly role?: 'admin' | 'editor' | 'operator' | 'viewer' | undefined;
  readonly project_roles?: { readonly [name: string]: 'editor' | 'operator' | 'viewer' } | undefined;
};

export type Attribute = {
  readonly id: string;
  readonly name: string;
  readonly source_type: string;
  readonly data_type: 'STRING' | 'INTEGER' | 'DECIMAL' | 'BOOLEAN' | 'DATE' | 'TIMESTAMP' | 'OTHER';
  readonly monitored: boolean;
};

export type AuditEntry = {
  readonly id: number;
  readonly timestamp: string;
  /** An e-mail address, the name of an API key, or `system`. */
  readonly actor: string;
  readonly action: 'OPENED' | 'REOPENED' | 'CLOSED' | 'ASSIGNED' | 'COMMENTED' | 'TICKET_LINKED' | 'TICKET_UNLINKED' | 'EXCLUDED' | 'INCLUDED' | 'BACKFILLED' | 'CREATED' | 'UPDATED' | 'DELETED';
  readonly subject_type: 'INCIDENT' | 'ASSET' | 'MONITOR' | 'TICKET_TEMPLATE' | 'CHANNEL' | 'CONFIGURATION' | 'TENANT';
  readonly subject_id: string;
  readonly details: JsonObject;
};

export type AuditQuery = {
  readonly subject_type?: 'INCIDENT' | 'ASSET' | 'MONITOR' | 'TICKET_TEMPLATE' | 'CHANNEL' | 'CONFIGURATION' | 'TENANT' | undefined;
  readonly subject_id?: string | undefined;
  readonly limit?: number | undefined;
  readonly before?: number | undefined;
};

export type BackfillResult = {
  /** Alerts that belong to an incident now. */
  readonly alerts: number;
  readonly incidents_created: number;
  /** Incidents that were there before and went on. */
  readonly incidents_continued: number;
};

export type BackgroundError = {
  readonly timestamp: string;
  readonly error_class: string;
  readonly message: string;
  readonly exception_type: string;
  readonly stack_trace: string;
};

export type ChangePassword = {
  readonly old_password: string;
  readonly new_password: string;
};

export type ChannelSecret = {
  /** Shown this once. */
  readonly secret: string;
};

export type ChannelTest = {
  /** Whether the message arrived at every address. */
  readonly success: boolean;
  readonly message: string;
  /** In the order of the channel. */
  readonly addresses: readonly AddressTest[];
};

export type ClusterA = {
  readonly master_node_type?: string | undefined;
  readonly worker_node_type?: string | undefined;
  readonly spark_master_disk_size_in_gb?: number | undefined;
  readonly spark_worker_disk_size_in_gb?: number | undefined;
  readonly autoscale_policy?: string | undefined;
};

export type ClusterB = {
  readonly master_instance_type?: string | undefined;
  readonly worker_instance_type?: string | undefined;
  readonly worker_instance_option?: 'ON_DEMAND' | 'SPOT' | undefined;
  readonly min_instance_count?: number | undefined;
  readonly max_instance_count?: number | undefined;
};

export type ClusterC = {
  readonly spark_version?: string | undefined;
  readonly node_type?: string | undefined;
  readonly instance_pool_id?: string | undefined;
  readonly driver_instance_pool_id?: string | undefined;
  readonly policy_id?: string | undefined;
  readonly min_instance_count?: number | undefined;
  readonly max_instance_count?: number | undefined;
};

export type Connection = {
  readonly id: number;
  readonly project_id: number;
  readonly name: string;
  readonly scope: 'PROJECT' | 'GLOBAL';
  readonly created_by: string;
  readonly created_at: string;
  readonly type: 'FILE' | 'UPLOAD' | 'S3' | 'GCS' | 'AZURE' | 'POSTGRESQL' | 'VECTOR_COLLECTION' | 'BIGQUERY' | 'REDSHIFT' | 'SNOWFLAKE' | 'DELTALAKE' | 'HIVE_ICEBERG' | 'GENERIC_JDBC';
  readonly payload: JsonObject;
  readonly db_type: string | null;
};

export type ConnectionTest = {
  readonly success: boolean;
  readonly message: string;
};

export type CreateApiKey = {
  readonly name: string;
};

export type CreateAsset = {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly type: 'FILE' | 'UPLOAD' | 'S3' | 'GCS' | 'AZURE' | 'POSTGRESQL' | 'VECTOR_COLLECTION' | 'BIGQUERY' | 'REDSHIFT' | 'SNOWFLAKE' | 'DELTALAKE' | 'HIVE_ICEBERG' | 'GENERIC_JDBC';
  readonly payload: JsonObject;
  readonly options?: AssetOptions | undefined;
  readonly connection_id?: number | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly webhook_url?: string | null | undefined;
};

export type CreateChannel = {
  readonly name: string;
  readonly type: 'EMAIL' | 'SLACK' | 'TEAMS' | 'WEBHOOK';
  readonly addresses: readonly string[];
};

export type CreateConnection = {
  readonly name: string;
  readonly type: 'FILE' | 'UPLOAD' | 'S3' | 'GCS' | 'AZURE' | 'POSTGRESQL' | 'VECTOR_COLLECTION' | 'BIGQUERY' | 'REDSHIFT' | 'SNOWFLAKE' | 'DELTALAKE' | 'HIVE_ICEBERG' | 'GENERIC_JDBC';
  readonly payload: JsonObject;
  readonly credential?: Credential | null | undefined;
};

export type CreateMonitor = {
  readonly type: 'PREDEFINED_METRIC';
  readonly name: string;
  readonly enabled: boolean;
  readonly description?: string | null | undefined;
  readonly impact?: 'LOW' | 'MEDIUM' | 'HIGH' | null | undefined;
  readonly tags?: readonly string[] | null | undefined;
  readonly threshold: ThresholdInput;
  readonly notification?: {
    readonly send_notifications: boolean;
    readonly notification_channel_names?: readonly string[] | null | undefined;
  } | null | undefined;
  readonly ticketing?: {
    readonly type: 'TRACKER';
    readonly create_ticket?: boolean | null | undefined;
    readonly ticket_template_id?: number | null | undefined;
  } | null | undefined;
  readonly monitor: PredefinedMetric;
} | {
  readonly type: 'METRIC';
  readonly name: string;
  readonly enabled: boolean;
  readonly description?: string | null | undefined;
  readonly impact?: 'LOW' | 'MEDIUM' | 'HIGH' | null | undefined;
  readonly tags?: readonly string[] | null | undefined;
  readonly threshold: ThresholdInput;
  readonly notification?: {
    readonly send_notifications: boolean;
    readonly notification_channel_names?: readonly string[] | null | undefined;
  } | null | undefined;
  readonly ticketing?: {
    readonly type: 'TRACKER';
    readonly create_ticket?: boolean | null | undefined;
    readonly ticket_template_id?: number | null | undefined;
  } | null | undefined;
  readonly monitor: UserMetric;
} | {
  readonly type: 'RULE';
  readonly name: string;
  readonly enabled: boolean;
  readonly description?: string | null | undefined;
  readonly impact?: 'LOW' | 'MEDIUM' | 'HIGH' | null | undefined;
  readonly tags?: readonly string[] | null | undefined;
  readonly threshold: ThresholdInput;
  readonly notification?: {
    readonly send_notifications: boolean;
    readonly notification_channel_names?: readonly string[] | null | undefined;
  } | null | undefined;
  readonly ticketing?: {
    readonly type: 'TRACKER';
    readonly create_ticket?: boolean | null | undefined;
    readonly ticket_template_id?: number | null | undefined;
  } | null | undefined;
  readonly monitor: Rule;
};

export type CreateProject = {
  readonly name: string;
  readonly description?: string | null | undefined;
};

export type CreateTenant = {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly admin_email: string;
  readonly admin_password?: string | null | undefined;
};

export type CreateTicket = {
  readonly template_id: number;
  readonly custom_fields?: JsonObject | null | undefined;
};

export type CreateUser = {
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly role: 'admin' | 'editor' | 'operator' | 'viewer';
  readonly password?: string | undefined;
};

export type CreatedTenant = {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly admin: {
    readonly email: string;
    readonly password?: string | undefined;
  };
};

/** Encrypted at rest, never returned. */
export type Credential = {
  readonly type: string;
  readonly payload: JsonObject;
};

export type CurrentScore = {
  readonly asset_id: string;
  readonly state: 'scored' | 'disabled' | 'not_scanned' | 'not_measured';
  readonly score: number | null;
  readonly band: 'excellent' | 'good' | 'fair' | 'poor' | null;
  readonly job_id: string | null;
  readonly metric_time: string | null;
  readonly parts: readonly ScorePart[];
  readonly change: ScoreChange | null;
};

export type Delivery = {
  readonly id: string;
  readonly kind: 'JOB_WEBHOOK' | 'NOTIFICATION' | 'TICKET' | 'TICKET_COMMENT';
  readonly incident_id: number | null;
  readonly channel: string | null;
  /** An e-mail address, or the host of a web address. */
  readonly recipient: string;
  readonly status: 'PENDING' | 'DELIVERED' | 'FAILED';
  readonly attempts: number;
  readonly last_error: string | null;
  readonly created_at: string;
  readonly last_attempt_at: string | null;
  readonly next_attempt_at: string | null;
  readonly ended_at: string | null;
};

export type DeliveryQuery = {
  readonly incident_id?: number | undefined;
  readonly channel?: string | undefined;
  readonly status?: 'PENDING' | 'DELIVERED' | 'FAILED' | undefined;
  readonly kind?: 'JOB_WEBHOOK' | 'NOTIFICATION' | 'TICKET' | 'TICKET_COMMENT' | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
};

export type DqReporting = {
  readonly enabled: boolean;
  readonly path: string;
  readonly connection_id: number;
};

export type DqScore = {
  readonly dq_score_config: DqScoreConfig;
};

export type DqScoreConfig = {
  readonly enabled: boolean;
  readonly weights: {
    readonly completeness: number;
    readonly accuracy: number;
    readonly consistency: number;
    readonly timeliness: number;
  };
};

export type DqScoreDeleted = {
  readonly success: boolean;
  readonly message: string;
};

export type DqScoreWeights = {
  readonly completeness: number;
  readonly accuracy: number;
  readonly consistency: number;
  readonly timeliness: number;
};

export type ErrorsQuery = {
  readonly limit?: number | undefined;
};

export type Health = {
  readonly status: string;
};

export type Incident = {
  readonly id: number;
  readonly project_id: number;
  readonly asset_id: string;
  readonly last_upload_timestamp: string;
  readonly created_time: string;
  readonly severity: 'LOW' | 'MEDIUM' | 'HIGH' | '';
  readonly impact: 'LOW' | 'MEDIUM' | 'HIGH' | null;
  readonly status: 'OPEN' | 'CLOSED';
  readonly ticket_id: number | null;
  readonly alert_policy_id: string;
  readonly alert_policy_name: string;
  readonly description: string;
  readonly tags: readonly string[];
};

export type IncidentActivity = {
  readonly assignee: string | null;
  readonly comments: readonly IncidentComment[];
  readonly steps: readonly {
    readonly timestamp: string;
    readonly state: 'NEW' | 'ONGOING' | 'RESOLVED' | 'REOPENED';
    readonly actor: string;
  }[];
  readonly audit: readonly AuditEntry[];
};

export type IncidentAssignee = {
  readonly assignee: string | null;
};

export type IncidentComment = {
  readonly id: number;
  readonly author: string;
  readonly created_time: string;
  readonly text: string;
};

export type IncidentDetail = {
  readonly id: number;
  readonly project_id: number;
  readonly asset_id: string;
  readonly last_upload_timestamp: string;
  readonly created_time: string;
  readonly severity: 'LOW' | 'MEDIUM' | 'HIGH' | '';
  readonly impact: 'LOW' | 'MEDIUM' | 'HIGH' | null;
  readonly status: 'OPEN' | 'CLOSED';
  readonly ticket_id: number | null;
  readonly alert_policy_id: string;
  readonly alert_policy_name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly metrics: readonly IncidentMetric[];
  readonly history: readonly IncidentHistoryItem[];
};

export type IncidentDistribution = {
  readonly incidents: readonly ({
    readonly date: string;
    readonly counts: {
      readonly LOW: number;
      readonly MEDIUM: number;
      readonly HIGH: number;
      readonly '': number;
    };
    readonly counts_by_impact: {
      readonly LOW: number;
      readonly MEDIUM: number;
      readonly HIGH: number;
    };
  })[];
};

export type IncidentFilterQuery = {
  readonly project_ids?: string | undefined;
  readonly connection_types?: string | undefined;
  readonly asset_ids?: string | undefined;
  readonly alert_policy_ids?: string | undefined;
  readonly statuses?: string | undefined;
  readonly severities?: string | undefined;
  /** LOW, MEDIUM, HIGH; `NONE` for incidents whose monitor says none. */
  readonly impacts?: string | undefined;
  readonly connection_ids?: string | undefined;
  /** E-mail addresses; `nobody` for incidents that nobody looks after. */
  readonly assignees?: string | undefined;
  readonly tags?: string | undefined;
  /** ISO 8601; bounds are included. */
  readonly from_time?: string | undefined;
  /** ISO 8601; bounds are included. */
  readonly to_time?: string | undefined;
  readonly text_to_search?: string | undefined;
};

export type IncidentHistoryItem = {
  readonly timestamp: string;
  readonly state: 'NEW' | 'ONGOING' | 'RESOLVED' | 'REOPENED';
  readonly alert_refs: readonly {
    readonly metric_time: string;
    readonly violation_name: string;
  }[];
};

export type IncidentListQuery = {
  readonly project_ids?: string | undefined;
  readonly connection_types?: string | undefined;
  readonly asset_ids?: string | undefined;
  readonly alert_policy_ids?: string | undefined;
  readonly statuses?: string | undefined;
  readonly severities?: string | undefined;
  /** LOW, MEDIUM, HIGH; `NONE` for incidents whose monitor says none. */
  readonly impacts?: string | undefined;
  readonly connection_ids?: string | undefined;
  /** E-mail addresses; `nobody` for incidents that nobody looks after. */
  readonly assignees?: string | undefined;
  readonly tags?: string | undefined;
  /** ISO 8601; bounds are included. */
  readonly from_time?: string | undefined;
  /** ISO 8601; bounds are included. */
  readonly to_time?: string | undefined;
  readonly text_to_search?: string | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
};

export type IncidentMetric = {
  readonly metric_name: string;
  readonly metric_aggregation: string;
  readonly display_metric_name: string;
  readonly segment: string | null;
  readonly rule: string | null;
  readonly attribute: string | null;
};

export type IncidentStep = {
  readonly comment?: string | null | undefined;
};

export type IncidentSummary = {
  readonly total: number;
  readonly open: number;
  readonly closed: number;
  /** Hours. */
  readonly mean_time_to_resolve: number;
  /** Hours. */
  readonly previous_mean_time_to_resolve: number;
  readonly open_by_tag: { readonly [name: string]: number };
  readonly closed_by_tag: { readonly [name: string]: number };
};

export type Job = {
  readonly id: string;
  readonly asset_id: string;
  readonly status: 'PREPARING' | 'BATCH_WAIT' | 'IN_PROGRESS' | 'FINISHED' | 'FAILED';
  readonly details: string;
  readonly created_at: string;
  readonly start_time: string | null;
  readonly end_time: string | null;
  readonly progress: {
    readonly phase: 'waiting' | 'reading' | 'measuring' | 'saving' | 'done';
    readonly rows_read: number;
    readonly fraction: number | null;
  };
};

export type JobAlert = {
  readonly type: string;
  readonly source: string;
  readonly job_id: string;
  readonly create_time: string;
  readonly save_time: string;
  readonly is_notification_enabled: boolean;
  readonly metric_time: string;
  readonly metric_value: number;
  readonly policy_name: string;
  readonly priority: string;
  readonly description: { readonly [name: string]: readonly string[] };
  readonly source_name: string;
  readonly source_type: string;
};

export type JobAlertsQuery = {
  readonly job_id: string;
};

export type JobListQuery = {
  readonly most_recent?: boolean | undefined;
  readonly limit?: number | undefined;
};

export type Lineage = {
  readonly parents: readonly string[];
  readonly children: readonly string[];
};

export type ListItemsQuery = {
  readonly limit?: number | undefined;
};

export type ListedItem = {
  readonly name: string;
  readonly payload: JsonObject;
  readonly bytes: number | null;
  readonly modified_at: string | null;
};

export type ListedJob = {
  readonly id: string;
  readonly asset_id: string;
  readonly status: 'PREPARING' | 'BATCH_WAIT' | 'IN_PROGRESS' | 'FINISHED' | 'FAILED';
  readonly details: string;
  readonly created_at: string;
  readonly start_time: string | null;
  readonly end_time: string | null;
  readonly progress: {
    readonly phase: 'waiting' | 'reading' | 'measuring' | 'saving' | 'done';
    readonly rows_read: number;
    readonly fraction: number | null;
  };
  readonly run_time: {
    readonly seconds: number;
    readonly nano: number;
    readonly zero: boolean;
    readonly negative: boolean;
  } | null;
};

export type Message = {
  readonly message: string;
};

export type MetricExclusion = {
  readonly asset_id: string;
  readonly job_id: string;
  readonly metric_time: string;
  readonly metric_name: 'RECORD_COUNT' | 'COMPLETENESS' | 'UNIQUENESS' | 'DISTINCT_COUNT' | 'NULL_PERCENTAGE' | 'EMPTY_PERCENTAGE' | 'FRESHNESS' | 'MIN' | 'MAX' | 'MEAN' | 'MEDIAN' | 'STDDEV' | 'QUANTILE' | 'LENGTH' | 'LETTER_COUNT' | 'DIGIT_COUNT' | 'SPACE_COUNT' | 'SPECIAL_CHARACTER_COUNT' | 'PATTERN' | 'TOP_VALUE' | 'VALUE_DISTRIBUTION' | 'CONTAINS_PII' | 'SCHEMA' | 'CORRECTNESS' | 'CUSTOM' | 'DUPLICATE_COUNT' | 'VECTOR_DIMENSION_CONFORMITY' | 'VECTOR_NAN_COUNT' | 'VECTOR_INFINITE_COUNT' | 'VECTOR_ZERO_COUNT' | 'VECTOR_NORM' | 'VECTOR_DUPLICATE_COUNT' | 'PAYLOAD_COMPLETENESS' | 'INDEX_COVERAGE' | 'CENTROID_SHIFT';
  readonly metric_aggregation: string;
  readonly attribute: string | null;
  readonly segment: string | null;
  readonly monitor_id: string | null;
  readonly value: number | null;
  readonly excluded_by: string;
  readonly excluded_time: string;
  readonly comment: string | null;
};

export type MetricExclusionResult = {
  readonly asset_id: string;
  readonly job_id: string;
  readonly metric_time: string;
  readonly is_excluded: boolean;
  /** Alerts that the point had raised. */
  readonly alerts: number;
  /** Incidents that had no other alert in their newest step. */
  readonly closed_incident_ids: readonly number[];
};

export type MetricExclusionsQuery = {
  readonly asset_id: string;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
};

export type MetricHistoryItem = {
  readonly metric_time: string;
  readonly job_id: string;
  readonly metric_name: 'RECORD_COUNT' | 'COMPLETENESS' | 'UNIQUENESS' | 'DISTINCT_COUNT' | 'NULL_PERCENTAGE' | 'EMPTY_PERCENTAGE' | 'FRESHNESS' | 'MIN' | 'MAX' | 'MEAN' | 'MEDIAN' | 'STDDEV' | 'QUANTILE' | 'LENGTH' | 'LETTER_COUNT' | 'DIGIT_COUNT' | 'SPACE_COUNT' | 'SPECIAL_CHARACTER_COUNT' | 'PATTERN' | 'TOP_VALUE' | 'VALUE_DISTRIBUTION' | 'CONTAINS_PII' | 'SCHEMA' | 'CORRECTNESS' | 'CUSTOM' | 'DUPLICATE_COUNT' | 'VECTOR_DIMENSION_CONFORMITY' | 'VECTOR_NAN_COUNT' | 'VECTOR_INFINITE_COUNT' | 'VECTOR_ZERO_COUNT' | 'VECTOR_NORM' | 'VECTOR_DUPLICATE_COUNT' | 'PAYLOAD_COMPLETENESS' | 'INDEX_COVERAGE' | 'CENTROID_SHIFT';
  readonly metric_aggregation: string;
  readonly attribute: string | null;
  readonly segment: string | null;
  readonly monitor_id: string | null;
  readonly value: number | null;
  readonly lower_bound: number | null;
  readonly upper_bound: number | null;
  readonly is_violation: boolean;
  readonly is_excluded: boolean;
};

export type MetricQuery = {
  readonly asset_id: string;
  readonly metric_name?: string | undefined;
  readonly metric_aggregation?: string | undefined;
  /** Empty for points of none. */
  readonly attribute?: string | undefined;
  /** Empty for points of none. */
  readonly segment?: string | undefined;
  /** Empty for points of none. */
  readonly monitor_id?: string | undefined;
  readonly job_id?: string | undefined;
  /** ISO 8601; bounds are included. */
  readonly from_time?: string | undefined;
  /** ISO 8601; bounds are included. */
  readonly to_time?: string | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
};

export type Monitor = {
  readonly id: string;
  readonly asset_id: string;
  readonly type: 'PREDEFINED_METRIC' | 'METRIC' | 'RULE';
  readonly name: string;
  readonly enabled: boolean;
  readonly description: string | null;
  readonly impact: 'LOW' | 'MEDIUM' | 'HIGH' | null;
  readonly tags: readonly string[] | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly modified_by: string;
  readonly modified_at: string;
  readonly monitor: {
    readonly predefined_metric: string;
    readonly attributes: readonly string[];
  } | {
    readonly expression: string;
    readonly options: {
      readonly ignore_nulls: boolean;
    };
    readonly raw_sql: boolean;
  } | {
    readonly expression: string;
    readonly options: {
      readonly ignore_nulls: boolean;
      readonly empty_values: readonly string[];
    };
    readonly variables: readonly {
      readonly name: string;
      readonly type: 'REFERENCE' | 'LIST' | 'CONSTANT' | 'RANGE';
      readonly value: readonly (string | number)[];
    }[];
  };
  readonly threshold: Threshold;
  readonly notification: {
    readonly send_notifications: boolean;
    readonly notification_channel_names: readonly string[] | null;
  } | null;
  readonly ticketing: {
    readonly type: 'TRACKER';
    readonly create_ticket: boolean | null;
    readonly ticket_template_id: number | null;
  } | null;
};

export type MonitorPreview = {
  readonly valid: boolean;
  /** What is wrong, or that nothing is. */
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
  /** What the monitor would have judged at the newest scans, newest first: at most 60 scans and 1,000 values. */
  readonly history: readonly PreviewedPoint[];
};

export type MonitorQuery = {
  readonly channel?: string | undefined;
  readonly ticket_template_id?: number | undefined;
  readonly prebuilt?: boolean | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
};

export type MoveAssets = {
  readonly source_project_id: number;
  readonly source_asset_ids: readonly string[];
  readonly target_connection_id?: number | null | undefined;
};

export type NewApiKey = {
  readonly id: string;
  readonly name: string;
  /** The secret; shown this once. */
  readonly key: string;
};

export type NewIncidentComment = {
  readonly text: string;
};

export type NotificationChannel = {
  readonly name: string;
  readonly type: 'EMAIL' | 'SLACK' | 'TEAMS' | 'WEBHOOK';
  readonly addresses: readonly string[];
};

/** Without attributes, of the whole asset. */
export type PredefinedMetric = {
  readonly predefined_metric: 'RECORD_COUNT' | 'COMPLETENESS' | 'UNIQUENESS' | 'DISTINCT_COUNT' | 'NULL_PERCENTAGE' | 'EMPTY_PERCENTAGE' | 'FRESHNESS' | 'MIN' | 'MAX' | 'MEAN' | 'MEDIAN' | 'STDDEV' | 'QUANTILE' | 'LENGTH' | 'LETTER_COUNT' | 'DIGIT_COUNT' | 'SPACE_COUNT' | 'SPECIAL_CHARACTER_COUNT' | 'PATTERN' | 'TOP_VALUE' | 'VALUE_DISTRIBUTION' | 'CONTAINS_PII' | 'SCHEMA' | 'CORRECTNESS' | 'CUSTOM' | 'DUPLICATE_COUNT' | 'VECTOR_DIMENSION_CONFORMITY' | 'VECTOR_NAN_COUNT' | 'VECTOR_INFINITE_COUNT' | 'VECTOR_ZERO_COUNT' | 'VECTOR_NORM' | 'VECTOR_DUPLICATE_COUNT' | 'PAYLOAD_COMPLETENESS' | 'INDEX_COVERAGE' | 'CENTROID_SHIFT' | 'RECORD_COUNT_DRIFTS' | 'RECORD_COUNT_CORRELATION_DRIFTS' | 'FRESHNESS_DRIFTS' | 'COMPLETENESS_DRIFTS' | 'DQ_RULES_VIOLATION' | 'RECORD_ID_UNIQUENESS_DRIFTS' | 'UNIQUENESS_DRIFTS' | 'UNIQUENESS_CORRELATION_DRIFTS' | 'SCHEMA_DRIFTS' | 'DATA_DRIFTS' | 'NUMERIC_VALUE_DRIFTS' | 'TOP_VALUES_DRIFTS' | 'VALUE_DISTRIBUTION_DRIFTS' | 'DATA_DIFFERENCE' | 'PII_EXPOSURE' | 'DATA_PROCESS_FAILURE';
  readonly attributes?: readonly string[] | undefined;
};

export type PreviewMonitor = {
  readonly type: 'PREDEFINED_METRIC';
  readonly monitor: PredefinedMetric;
  readonly threshold?: ThresholdInput | undefined;
} | {
  readonly type: 'METRIC';
  readonly monitor: UserMetric;
  readonly threshold?: ThresholdInput | undefined;
  /** An existing monitor of the asset, whose measurements are the history. */
  readonly monitor_id?: string | undefined;
} | {
  readonly type: 'RULE';
  readonly monitor: Rule;
  readonly threshold?: ThresholdInput | undefined;
  /** An existing monitor of the asset, whose measurements are the history. */
  readonly monitor_id?: string | undefined;
};

export type PreviewTicket = {
  readonly template_id?: number | undefined;
  readonly props?: {
    readonly tracker_project_id: string;
    readonly tracker_issue_type_id: string;
    readonly custom_fields?: JsonObject | null | undefined;
  } | undefined;
  readonly incident_id?: number | undefined;
  readonly values?: { readonly [name: string]: string } | undefined;
};

export type PreviewedPoint = {
  readonly metric_time: string;
  readonly metric_name: 'RECORD_COUNT' | 'COMPLETENESS' | 'UNIQUENESS' | 'DISTINCT_COUNT' | 'NULL_PERCENTAGE' | 'EMPTY_PERCENTAGE' | 'FRESHNESS' | 'MIN' | 'MAX' | 'MEAN' | 'MEDIAN' | 'STDDEV' | 'QUANTILE' | 'LENGTH' | 'LETTER_COUNT' | 'DIGIT_COUNT' | 'SPACE_COUNT' | 'SPECIAL_CHARACTER_COUNT' | 'PATTERN' | 'TOP_VALUE' | 'VALUE_DISTRIBUTION' | 'CONTAINS_PII' | 'SCHEMA' | 'CORRECTNESS' | 'CUSTOM' | 'DUPLICATE_COUNT' | 'VECTOR_DIMENSION_CONFORMITY' | 'VECTOR_NAN_COUNT' | 'VECTOR_INFINITE_COUNT' | 'VECTOR_ZERO_COUNT' | 'VECTOR_NORM' | 'VECTOR_DUPLICATE_COUNT' | 'PAYLOAD_COMPLETENESS' | 'INDEX_COVERAGE' | 'CENTROID_SHIFT';
  readonly metric_aggregation: string;
  readonly attribute: string | null;
  readonly segment: string | null;
  readonly monitor_id: string | null;
  readonly value: number;
  readonly lower_bound: number | null;
  readonly upper_bound: number | null;
  readonly is_violation: boolean;
};

export type Project = {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly created_by: string;
  readonly created_at: string;
};

export type PutAttributes = {
  readonly monitored?: readonly string[] | undefined;
  readonly all?: boolean | undefined;
};

export type PutDqReporting = {
  readonly enabled: boolean;
  readonly path: string;
  readonly connection_id: number;
};

export type PutDqScore = {
  readonly enabled: boolean;
  readonly weights: DqScoreWeights;
  /** Accepted; has no effect. */
  readonly thresholds?: unknown;
};

export type PutLineage = {
  readonly parents: readonly string[];
};

export type PutMetricExclusion = {
  readonly asset_id: string;
  readonly metric_name: 'RECORD_COUNT' | 'COMPLETENESS' | 'UNIQUENESS' | 'DISTINCT_COUNT' | 'NULL_PERCENTAGE' | 'EMPTY_PERCENTAGE' | 'FRESHNESS' | 'MIN' | 'MAX' | 'MEAN' | 'MEDIAN' | 'STDDEV' | 'QUANTILE' | 'LENGTH' | 'LETTER_COUNT' | 'DIGIT_COUNT' | 'SPACE_COUNT' | 'SPECIAL_CHARACTER_COUNT' | 'PATTERN' | 'TOP_VALUE' | 'VALUE_DISTRIBUTION' | 'CONTAINS_PII' | 'SCHEMA' | 'CORRECTNESS' | 'CUSTOM' | 'DUPLICATE_COUNT' | 'VECTOR_DIMENSION_CONFORMITY' | 'VECTOR_NAN_COUNT' | 'VECTOR_INFINITE_COUNT' | 'VECTOR_ZERO_COUNT' | 'VECTOR_NORM' | 'VECTOR_DUPLICATE_COUNT' | 'PAYLOAD_COMPLETENESS' | 'INDEX_COVERAGE' | 'CENTROID_SHIFT';
  readonly metric_aggregation: string;
  readonly attribute?: string | null | undefined;
  readonly segment?: string | null | undefined;
  readonly monitor_id?: string | null | undefined;
  readonly job_id?: string | undefined;
  /** ISO 8601. */
  readonly metric_time?: string | undefined;
  readonly is_excluded: boolean;
  readonly comment?: string | null | undefined;
};

/** UTC. Without `enabled` it is on. */
export type PutSchedule = {
  readonly schedule: string;
  readonly enabled?: boolean | undefined;
  readonly delta_only?: boolean | undefined;
  readonly sample_fraction?: number | null | undefined;
  readonly skip_investigator?: boolean | undefined;
  readonly timestamp_attribute?: string | null | undefined;
};

export type PutSparkJobConfig = {
  readonly spark_properties?: { readonly [name: string]: string } | null | undefined;
  readonly cluster_a_config?: ClusterA | null | undefined;
  readonly cluster_b_config?: ClusterB | null | undefined;
  readonly cluster_c_config?: ClusterC | null | undefined;
};

export type PutTicketTemplate = {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly type: 'TRACKER';
  readonly props: {
    readonly tracker_project_id: string;
    readonly tracker_issue_type_id: string;
    readonly custom_fields?: JsonObject | null | undefined;
  };
};

export type PutTrackerConnection = {
  readonly base_url: string;
  readonly email?: string | null | undefined;
  /** Left out, the stored one stays. */
  readonly api_token?: string | undefined;
  /** 60 unless it is given. */
  readonly poll_interval_seconds?: number | undefined;
};

export type Readiness = {
  readonly status: string;
  /** Why writes are refused at the moment; absent while they are not */
  readonly read_only?: string | undefined;
};

export type RevokeToken = {
  readonly refresh_token?: string | undefined;
  readonly refresh_token_in?: 'body' | 'cookie' | undefined;
};

export type RowSample = {
  readonly monitor_id: string | null;
  readonly reason: string;
  readonly record_id: string | null;
  readonly row: { readonly [name: string]: string | null };
};

export type Rule = {
  readonly expression: string;
  readonly options?: {
    readonly ignore_nulls?: boolean | undefined;
    readonly empty_values?: readonly string[] | undefined;
  } | undefined;
  readonly variables?: readonly {
    readonly name: string;
    readonly type: 'REFERENCE' | 'LIST' | 'CONSTANT' | 'RANGE';
    readonly value: readonly (string | number)[];
  }[] | undefined;
};

export type SampleRowsQuery = {
  readonly monitor_id?: string | undefined;
  readonly limit?: number | undefined;
};

export type ScanStarted = {
  readonly message: string;
  readonly job_id: string;
};

export type Schedule = {
  readonly schedule: string;
  readonly enabled: boolean;
  readonly delta_only: boolean;
  readonly sample_fraction: number | null;
  readonly skip_investigator: boolean;
  readonly timestamp_attribute: string | null;
};

export type SchemaChange = {
  readonly kind: 'ADDED' | 'REMOVED' | 'RETYPED';
  readonly attribute: string;
  readonly before: string | null;
  readonly after: string | null;
};

export type ScoreChange = {
  readonly since: string;
  readonly from_score: number;
  readonly difference: number;
  readonly parts: readonly ScorePartChange[];
};

export type ScoreHistoryItem = {
  readonly job_id: string;
  readonly metric_time: string;
  readonly score: number;
  readonly band: 'excellent' | 'good' | 'fair' | 'poor';
  readonly parts: readonly ScorePart[];
  readonly change: ScoreChange | null;
};

export type ScoreHistoryQuery = {
  /** ISO 8601; bounds are included. */
  readonly from_time?: string | undefined;
  /** ISO 8601; bounds are included. */
  readonly to_time?: string | undefined;
  readonly limit?: number | undefined;
};

export type ScorePart = {
  readonly dimension: 'completeness' | 'accuracy' | 'consistency' | 'timeliness';
  readonly value: number | null;
  readonly weight: number;
  readonly contribution: number;
  readonly measured_from: {
    readonly sentence: string;
    readonly metrics: readonly {
      readonly metric_name: 'RECORD_COUNT' | 'COMPLETENESS' | 'UNIQUENESS' | 'DISTINCT_COUNT' | 'NULL_PERCENTAGE' | 'EMPTY_PERCENTAGE' | 'FRESHNESS' | 'MIN' | 'MAX' | 'MEAN' | 'MEDIAN' | 'STDDEV' | 'QUANTILE' | 'LENGTH' | 'LETTER_COUNT' | 'DIGIT_COUNT' | 'SPACE_COUNT' | 'SPECIAL_CHARACTER_COUNT' | 'PATTERN' | 'TOP_VALUE' | 'VALUE_DISTRIBUTION' | 'CONTAINS_PII' | 'SCHEMA' | 'CORRECTNESS' | 'CUSTOM' | 'DUPLICATE_COUNT' | 'VECTOR_DIMENSION_CONFORMITY' | 'VECTOR_NAN_COUNT' | 'VECTOR_INFINITE_COUNT' | 'VECTOR_ZERO_COUNT' | 'VECTOR_NORM' | 'VECTOR_DUPLICATE_COUNT' | 'PAYLOAD_COMPLETENESS' | 'INDEX_COVERAGE' | 'CENTROID_SHIFT';
      readonly metric_aggregation: string;
      readonly attribute: string | null;
      readonly monitor_id: string | null;
      readonly value: number | null;
    }[];
    readonly incident_ids: readonly number[];
  };
};

export type ScorePartChange = {
  readonly dimension: 'completeness' | 'accuracy' | 'consistency' | 'timeliness';
  readonly difference: number;
  readonly of_value: number;
  readonly of_weight: number;
};

/** Empty when none was saved. */
export type SparkJobConfig = {
  readonly spark_properties?: { readonly [name: string]: string } | undefined;
  readonly cluster_a_config?: ClusterA | undefined;
  readonly cluster_b_config?: ClusterB | undefined;
  readonly cluster_c_config?: ClusterC | undefined;
};

/** Accepted; the asset holds its own location. */
export type StartScan = JsonObject;

export type Tenant = {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
};

export type TestResult = {
  readonly success: boolean;
  readonly message: string;
};

export type Threshold = {
  readonly threshold_type: 'ML' | 'STATIC' | 'RELATIVE';
  readonly threshold1: number | null;
  readonly threshold2: number | null;
  readonly extrapolation_strategy: 'IGNORE' | 'ZERO' | 'AVERAGE';
  readonly history_limit: number;
};

export type ThresholdInput = {
  readonly threshold_type: 'ML' | 'STATIC' | 'RELATIVE';
  readonly threshold1?: number | null | undefined;
  readonly threshold2?: number | null | undefined;
  readonly extrapolation_strategy?: 'IGNORE' | 'ZERO' | 'AVERAGE' | undefined;
  readonly history_limit?: number | undefined;
};

export type Ticket = {
  /** The `ticket_id` of the incident. */
  readonly id: number;
  readonly incident_id: number;
  readonly key: string;
  readonly url: string;
  readonly status: string | null;
  readonly template_id: number | null;
  readonly created_at: string;
  readonly synced_at: string;
  readonly last_error: string | null;
};

export type TicketPreview = {
  /** As they would be sent to the tracker. */
  readonly fields: JsonObject;
  readonly warnings: readonly string[];
};

export type TicketRequested = {
  readonly message: string;
  /** Of the delivery that creates it. */
  readonly delivery_id: string;
};

export type TicketTemplate = {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly type: 'TRACKER';
  readonly props: {
    readonly tracker_project_id: string;
    readonly tracker_issue_type_id: string;
    readonly custom_fields: JsonObject;
  };
};

export type Token = {
  /** Seconds. */
  readonly expires: number;
  readonly access_token: string;
  /** Missing where it is in a cookie. */
  readonly refresh_token?: string | undefined;
  readonly token_type: 'Bearer';
};

export type TokenRequest = {
  readonly grant_type: 'password' | 'refresh_token';
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly refresh_token?: string | undefined;
  readonly refresh_token_in?: 'body' | 'cookie' | undefined;
  readonly tenant?: string | undefined;
  readonly client_id?: string | undefined;
  readonly code?: string | undefined;
  readonly redirect_url?: string | undefined;
  readonly redirect_uri?: string | undefined;
  readonly transaction_id?: string | undefined;
};

export type TrackerConnection = {
  readonly base_url: string;
  readonly email: string | null;
  readonly poll_interval_seconds: number;
};

/** Only what is sent changes; `options` are merged key by key, `payload` is given whole. */
export type UpdateAsset = {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly type?: 'FILE' | 'UPLOAD' | 'S3' | 'GCS' | 'AZURE' | 'POSTGRESQL' | 'VECTOR_COLLECTION' | 'BIGQUERY' | 'REDSHIFT' | 'SNOWFLAKE' | 'DELTALAKE' | 'HIVE_ICEBERG' | 'GENERIC_JDBC' | undefined;
  readonly payload?: JsonObject | undefined;
  readonly options?: AssetOptionsChange | undefined;
  readonly connection_id?: number | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly webhook_url?: string | null | undefined;
};

export type UpdateChannel = {
  readonly type: 'EMAIL' | 'SLACK' | 'TEAMS' | 'WEBHOOK';
  readonly addresses: readonly string[];
};

/** Only what is sent changes; a credential of null is removed. */
export type UpdateConnection = {
  readonly name?: string | undefined;
  readonly type?: 'FILE' | 'UPLOAD' | 'S3' | 'GCS' | 'AZURE' | 'POSTGRESQL' | 'VECTOR_COLLECTION' | 'BIGQUERY' | 'REDSHIFT' | 'SNOWFLAKE' | 'DELTALAKE' | 'HIVE_ICEBERG' | 'GENERIC_JDBC' | undefined;
  readonly payload?: JsonObject | undefined;
  readonly credential?: Credential | null | undefined;
};

export type UpdateMonitor = {
  readonly name: string;
  readonly enabled: boolean;
  readonly description?: string | null | undefined;
  readonly impact?: 'LOW' | 'MEDIUM' | 'HIGH' | null | undefined;
  readonly tags?: readonly string[] | null | undefined;
  readonly threshold: ThresholdInput;
  readonly notification?: {
    readonly send_notifications: boolean;
    readonly notification_channel_names?: readonly string[] | null | undefined;
  } | null | undefined;
  readonly ticketing?: {
    readonly type: 'TRACKER';
    readonly create_ticket?: boolean | null | undefined;
    readonly ticket_template_id?: number | null | undefined;
  } | null | undefined;
  readonly monitor: PredefinedMetric | Rule | UserMetric;
};

export type UpdateProject = {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
};

export type UpdateUser = {
  readonly first_name: string;
  readonly last_name: string;
  readonly role: 'admin' | 'editor' | 'operator' | 'viewer';
};

export type Upload = {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  readonly created_by: string;
  readonly created_at: string;
  readonly payload: JsonObject;
};

export type UploadQuery = {
  readonly name: string;
};

export type User = {
  readonly id: string;
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly role: 'admin' | 'editor' | 'operator' | 'viewer';
  readonly project_roles: { readonly [name: string]: 'editor' | 'operator' | 'viewer' };
};

export type UserMetric = {
  readonly expression: string;
  readonly options?: {
    readonly ignore_nulls?: boolean | undefined;
  } | undefined;
  readonly raw_sql?: boolean | undefined;
};

export type UserWritten = {
  readonly message: string;
  readonly password?: string | undefined;
};

export type WrittenChannel = {
  readonly name: string;
  readonly type: 'EMAIL' | 'SLACK' | 'TEAMS' | 'WEBHOOK';
  readonly addresses: readonly string[];
  /** Signs the messages of a WEBHOOK channel; shown when it is made, and not again. */
  readonly secret?: string | undefined;
};

/** What each operation of the observability service takes and answers. */
export type ObservabilityOperations = {
  /** Say that the process is alive. */
  readonly healthz: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly result: Health;
  };
  /** Say whether requests are served. */
  readonly readyz: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly result: Readiness;
  };
  /** Figures for Prometheus. */
  readonly metrics: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly result: string;
  };
  /** This document. */
  readonly openapi: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly result: JsonObject;
  };
  /** This document as a page. */
  readonly docs: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly result: string;
  };
  /** List the tenants. */
  readonly list_tenants: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly result: readonly Tenant[];
  };
  /** Create a tenant and its first admin; a password that is not given is chosen and shown this once. */
  readonly create_tenant: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: CreateTenant;
    readonly result: CreatedTenant;
  };
  /** Get an access token for a password or a refresh token; the refresh token is used up and comes back new. */
  readonly get_token: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: TokenRequest;
    readonly result: Token;
  };
  /** End a session: no refresh token that came from its sign-in is taken any more. */
  readonly revoke_token: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: RevokeToken;
    readonly result: Message;
  };
  /** List the API keys. */
  readonly list_api_keys: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: ApiKeys;
  };
  /** Create an API key; its secret is shown this once. */
  readonly create_api_key: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: undefined;
    readonly body: CreateApiKey;
    readonly result: NewApiKey;
  };
  /** Read one API key. */
  readonly get_api_key: {
    readonly params: { readonly tenant: string | number | bigint; readonly key_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: ApiKey;
  };
  /** Delete an API key; it is refused from then on. */
  readonly delete_api_key: {
    readonly params: { readonly tenant: string | number | bigint; readonly key_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: Message;
  };
  /** List the users. */
  readonly list_users: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: readonly User[];
  };
  /** Create a user; a password that is not given is chosen and shown this once. */
  readonly create_user: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: undefined;
    readonly body: CreateUser;
    readonly result: UserWritten;
  };
  /** Read one user. */
  readonly get_user: {
    readonly params: { readonly tenant: string | number | bigint; readonly user_email: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: User;
  };
  /** Change the names and the role of a user. */
  readonly update_user: {
    readonly params: { readonly tenant: string | number | bigint; readonly user_email: string | number | bigint };
    readonly query: undefined;
    readonly body: UpdateUser;
    readonly result: Message;
  };
  /** Delete a user and the tokens of that user. */
  readonly delete_user: {
    readonly params: { readonly tenant: string | number | bigint; readonly user_email: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: Message;
  };
  /** Give a user a role in the tenant, or roles in single projects, which replace those before. */
  readonly assign_role: {
    readonly params: { readonly tenant: string | number | bigint; readonly user_email: string | number | bigint };
    readonly query: undefined;
    readonly body: AssignRole;
    readonly result: Message;
  };
  /** Change the password; ends the sessions of that user. */
  readonly change_password: {
    readonly params: { readonly tenant: string | number | bigint; readonly user_email: string | number | bigint };
    readonly query: undefined;
    readonly body: ChangePassword;
    readonly result: Message;
  };
  /** Replace the password by a chosen one, which is shown this once; ends the sessions of that user. */
  readonly reset_password: {
    readonly params: { readonly tenant: string | number | bigint; readonly user_email: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: UserWritten;
  };
  /** List the projects. */
  readonly list_projects: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: readonly Project[];
  };
  /** Create a project. */
  readonly create_project: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: undefined;
    readonly body: CreateProject;
    readonly result: Project;
  };
  /** Read one project. */
  readonly get_project: {
    readonly params: { readonly tenant: string | number | bigint; readonly project_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: Project;
  };
  /** Change the name or the description. */
  readonly update_project: {
    readonly params: { readonly tenant: string | number | bigint; readonly project_id: string | number | bigint };
    readonly query: undefined;
    readonly body: UpdateProject;
    readonly result: Project;
  };
  /** Delete an empty project. */
  readonly delete_project: {
    readonly params: { readonly tenant: string | number | bigint; readonly project_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: Message;
  };
  /** List the connections of the tenant. */
  readonly list_connections: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: readonly Connection[];
  };
  /** Create a global connection, which every project can use. */
  readonly create_connection: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: undefined;
    readonly body: CreateConnection;
    readonly result: Connection;
  };
  /** Read one connection. */
  readonly get_connection: {
    readonly params: { readonly tenant: string | number | bigint; readonly connection_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: Connection;
  };
  /** Change what is sent of a connection. */
  readonly update_connection: {
    readonly params: { readonly tenant: string | number | bigint; readonly connection_id: string | number | bigint };
    readonly query: undefined;
    readonly body: UpdateConnection;
    readonly result: Connection;
  };
  /** Delete a connection that nothing uses. */
  readonly delete_connection: {
    readonly params: { readonly tenant: string | number | bigint; readonly connection_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: Message;
  };
  /** Reach the source of a connection. */
  readonly test_connection: {
    readonly params: { readonly tenant: string | number | bigint; readonly connection_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: ConnectionTest;
  };
  /** List what a connection offers: files, tables, collections. */
  readonly list_connection_items: {
    readonly params: { readonly tenant: string | number | bigint; readonly connection_id: string | number | bigint };
    readonly query: ListItemsQuery;
    readonly body: undefined;
    readonly result: readonly ListedItem[];
  };
  /** List the connections of a project. */
  readonly list_project_connections: {
    readonly params: { readonly tenant: string | number | bigint; readonly project_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: readonly Connection[];
  };
  /** Create a connection of a project. */
  readonly create_project_connection: {
    readonly params: { readonly tenant: string | number | bigint; readonly project_id: string | number | bigint };
    readonly query: undefined;
    readonly body: CreateConnection;
    readonly result: Connection;
  };
  /** Read one connection of a project. */
  readonly get_project_connection: {
    readonly params: { readonly tenant: string | number | bigint; readonly project_id: string | number | bigint; readonly connection_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: Connection;
  };
  /** Change what is sent of a connection of a project. */
  readonly update_project_connection: {
    readonly params: { readonly tenant: string | number | bigint; readonly project_id: string | number | bigint; readonly connection_id: string | number | bigint };
    readonly query: undefined;
    readonly body: UpdateConnection;
    readonly result: Connection;
  };
  /** Delete a connection of a project that nothing uses. */
  readonly delete_project_connection: {
    readonly params: { readonly tenant: string | number | bigint; readonly project_id: string | number | bigint; readonly connection_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: Message;
  };
  /** Reach the source of a connection of a project. */
  readonly test_project_connection: {
    readonly params: { readonly tenant: string | number | bigint; readonly project_id: string | number | bigint; readonly connection_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: ConnectionTest;
  };
  /** List what a connection of a project offers: files, tables, collections. */
  readonly list_project_connection_items: {
    readonly params: { readonly tenant: string | number | bigint; readonly project_id: string | number | bigint; readonly connection_id: string | number | bigint };
    readonly query: ListItemsQuery;
    readonly body: undefined;
    readonly result: readonly ListedItem[];
  };
  /** List the assets of the tenant. */
  readonly list_assets: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: AssetQuery;
    readonly body: undefined;
    readonly result: readonly Asset[];
  };
  /** List the assets of a project. */
  readonly list_project_assets: {
    readonly params: { readonly tenant: string | number | bigint; readonly project_id: string | number | bigint };
    readonly query: AssetQuery;
    readonly body: undefined;
    readonly result: readonly Asset[];
  };
  /** Register an asset; its schema is read, and no attribute is monitored until it is chosen. */
  readonly create_asset: {
    readonly params: { readonly tenant: string | number | bigint; readonly project_id: string | number | bigint };
    readonly query: undefined;
    readonly body: CreateAsset;
    readonly result: Asset;
  };
  /** Read one asset with its attributes, schedule and lineage. */
  readonly get_asset: {
    readonly params: { readonly tenant: string | number | bigint; readonly project_id: string | number | bigint; readonly asset_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: Asset;
  };
  /** Change what is sent of an asset. */
  readonly update_asset: {
    readonly params: { readonly tenant: string | number | bigint; readonly project_id: string | number | bigint; readonly asset_id: string | number | bigint };
    readonly query: undefined;
    readonly body: UpdateAsset;
    readonly result: Asset;
  };
  /** Delete an asset and all that was measured of it. */
  readonly delete_asset: {
    readonly params: { readonly tenant: string | number | bigint; readonly project_id: string | number | bigint; readonly asset_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: Message;
  };
  /** Move assets to the project of the path; needs the role editor in both projects. */
  readonly move_assets: {
    readonly params: { readonly tenant: string | number | bigint; readonly project_id: string | number | bigint };
    readonly query: undefined;
    readonly body: MoveAssets;
    readonly result: Message;
  };
  /** List the attributes of an asset. */
  readonly list_attributes: {
    readonly params: { readonly tenant: string | number | bigint; readonly asset_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: readonly Attribute[];
  };
  /** Choose which attributes are monitored; the others are not. */
  readonly put_attributes: {
    readonly params: { readonly tenant: string | number | bigint; readonly asset_id: string | number | bigint };
    readonly query: undefined;
    readonly body: PutAttributes;
    readonly result: readonly Attribute[];
  };
  /** Read which assets this one comes from and which come from it. */
  readonly get_lineage: {
    readonly params: { readonly tenant: string | number | bigint; readonly asset_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: Lineage;
  };
  /** Set the assets that this one comes from; cycles are refused. */
  readonly put_lineage: {
    readonly params: { readonly tenant: string | number | bigint; readonly asset_id: string | number | bigint };
    readonly query: undefined;
    readonly body: PutLineage;
    readonly result: Lineage;
  };
  /** Read the schedule of an asset. */
  readonly get_schedule: {
    readonly params: { readonly tenant: string | number | bigint; readonly project_id: string | number | bigint; readonly asset_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: Schedule;
  };
  /** Scan an asset by a schedule. */
  readonly put_schedule: {
    readonly params: { readonly tenant: string | number | bigint; readonly project_id: string | number | bigint; readonly asset_id: string | number | bigint };
    readonly query: undefined;
    readonly body: PutSchedule;
    readonly result: Schedule;
  };
  /** Remove the schedule of an asset. */
  readonly delete_schedule: {
    readonly params: { readonly tenant: string | number | bigint; readonly project_id: string | number | bigint; readonly asset_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: Message;
  };
  /** List the uploaded files. */
  readonly list_uploads: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: readonly Upload[];
  };
  /** Upload a file: its bytes as the body, its name in the query string. */
  readonly create_upload: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: UploadQuery;
    readonly body: UploadBody;
    readonly result: Upload;
  };
  /** Delete an uploaded file that no asset uses. */
  readonly delete_upload: {
    readonly params: { readonly tenant: string | number | bigint; readonly upload_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: Message;
  };
  /** Scan an asset; answers the job to follow. */
  readonly start_scan: {
    readonly params: { readonly tenant: string | number | bigint; readonly asset_id: string | number | bigint };
    readonly query: undefined;
    readonly body: StartScan | undefined;
    readonly result: ScanStarted;
  };
  /** Read one job. */
  readonly get_job: {
    readonly params: { readonly tenant: string | number | bigint; readonly job_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: Job;
  };
  /** List the jobs of an asset, newest first; with most_recent=true only the last. */
  readonly list_jobs: {
    readonly params: { readonly tenant: string | number | bigint; readonly asset_id: string | number | bigint };
    readonly query: JobListQuery;
    readonly body: undefined;
    readonly result: readonly ListedJob[];
  };
  /** List the jobs of all assets, newest first; with most_recent=true only the last of each. */
  readonly list_tenant_jobs: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: JobListQuery;
    readonly body: undefined;
    readonly result: readonly ListedJob[];
  };
  /** Stop a job. */
  readonly cancel_job: {
    readonly params: { readonly tenant: string | number | bigint; readonly job_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: Job;
  };
  /** Rows that failed a rule or could not be read, points of a collection that are at fault; personal data masked. */
  readonly list_samples: {
    readonly params: { readonly tenant: string | number | bigint; readonly job_id: string | number | bigint };
    readonly query: SampleRowsQuery;
    readonly body: undefined;
    readonly result: readonly RowSample[];
  };
  /** Columns that were added, removed or retyped since the scan before. */
  readonly list_schema_changes: {
    readonly params: { readonly tenant: string | number | bigint; readonly job_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: readonly SchemaChange[];
  };
  /** The history of the metrics of an asset, oldest first. */
  readonly list_metrics: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: MetricQuery;
    readonly body: undefined;
    readonly result: readonly MetricHistoryItem[];
  };
  /** List the monitors of all assets, those that people made first: all, or those that use a channel or a ticket template. */
  readonly list_tenant_monitors: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: MonitorQuery;
    readonly body: undefined;
    readonly result: readonly Monitor[];
  };
  /** List the monitors of an asset, the pre-built ones among them. */
  readonly list_monitors: {
    readonly params: { readonly tenant: string | number | bigint; readonly asset_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: readonly Monitor[];
  };
  /** Create a monitor. */
  readonly create_monitor: {
    readonly params: { readonly tenant: string | number | bigint; readonly asset_id: string | number | bigint };
    readonly query: undefined;
    readonly body: CreateMonitor;
    readonly result: Monitor;
  };
  /** Check a monitor without saving it, and try it on what was measured so far. */
  readonly preview_monitor: {
    readonly params: { readonly tenant: string | number | bigint; readonly asset_id: string | number | bigint };
    readonly query: undefined;
    readonly body: PreviewMonitor;
    readonly result: MonitorPreview;
  };
  /** Read one monitor. */
  readonly get_monitor: {
    readonly params: { readonly tenant: string | number | bigint; readonly asset_id: string | number | bigint; readonly monitor_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: Monitor;
  };
  /** Replace a monitor; its type stays. */
  readonly update_monitor: {
    readonly params: { readonly tenant: string | number | bigint; readonly asset_id: string | number | bigint; readonly monitor_id: string | number | bigint };
    readonly query: undefined;
    readonly body: UpdateMonitor;
    readonly result: Monitor;
  };
  /** Delete a monitor and its alerts; pre-built ones can only be disabled. */
  readonly delete_monitor: {
    readonly params: { readonly tenant: string | number | bigint; readonly asset_id: string | number | bigint; readonly monitor_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: Message;
  };
  /** List incidents, newest first. */
  readonly list_incidents: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: IncidentListQuery;
    readonly body: undefined;
    readonly result: readonly Incident[];
  };
  /** Count incidents per day of creation (UTC). */
  readonly incident_distribution: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: IncidentFilterQuery;
    readonly body: undefined;
    readonly result: IncidentDistribution;
  };
  /** Count incidents by status and tag, and say how long they took to resolve. */
  readonly incident_summary: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: IncidentSummary;
  };
  /** Read one incident with its metrics and history. */
  readonly get_incident: {
    readonly params: { readonly tenant: string | number | bigint; readonly incident_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: IncidentDetail;
  };
  /** Alerts by source, time and violation; of an incident with the alert_refs of its history. */
  readonly alerts_by_filters: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: undefined;
    readonly body: AlertsByFilters;
    readonly result: readonly Alert[];
  };
  /** The alerts of a job. */
  readonly job_alerts: {
    readonly params: { readonly tenant: string | number | bigint; readonly asset_id: string | number | bigint };
    readonly query: JobAlertsQuery;
    readonly body: undefined;
    readonly result: readonly JobAlert[];
  };
  /** Close an incident; the next scan reopens it if the violation still stands. */
  readonly close_incident: {
    readonly params: { readonly tenant: string | number | bigint; readonly incident_id: string | number | bigint };
    readonly query: undefined;
    readonly body: IncidentStep | undefined;
    readonly result: IncidentDetail;
  };
  /** Reopen the newest incident of a monitor. */
  readonly reopen_incident: {
    readonly params: { readonly tenant: string | number | bigint; readonly incident_id: string | number | bigint };
    readonly query: undefined;
    readonly body: IncidentStep | undefined;
    readonly result: IncidentDetail;
  };
  /** Say which user looks after an incident; null for nobody. */
  readonly put_incident_assignee: {
    readonly params: { readonly tenant: string | number | bigint; readonly incident_id: string | number | bigint };
    readonly query: undefined;
    readonly body: IncidentAssignee;
    readonly result: IncidentAssignee;
  };
  /** List the comments on an incident, oldest first. */
  readonly list_incident_comments: {
    readonly params: { readonly tenant: string | number | bigint; readonly incident_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: readonly IncidentComment[];
  };
  /** Comment on an incident. */
  readonly create_incident_comment: {
    readonly params: { readonly tenant: string | number | bigint; readonly incident_id: string | number | bigint };
    readonly query: undefined;
    readonly body: NewIncidentComment;
    readonly result: IncidentComment;
  };
  /** Who looks after an incident, and who did what about it when. */
  readonly incident_activity: {
    readonly params: { readonly tenant: string | number | bigint; readonly incident_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: IncidentActivity;
  };
  /** Make incidents of the alerts of the last 30 days that belong to none; nobody is notified. */
  readonly backfill_incidents: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: BackfillResult;
  };
  /** Leave a measured point out of learning and alerting, or take it back in. */
  readonly put_metric_exclusion: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: undefined;
    readonly body: PutMetricExclusion;
    readonly result: MetricExclusionResult;
  };
  /** The points of an asset that are left out, newest first. */
  readonly list_metric_exclusions: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: MetricExclusionsQuery;
    readonly body: undefined;
    readonly result: readonly MetricExclusion[];
  };
  /** Who did what when, newest first; the next page begins before the last id of this one. */
  readonly list_audit: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: AuditQuery;
    readonly body: undefined;
    readonly result: readonly AuditEntry[];
  };
  /** List the ticket templates, newest first. */
  readonly list_ticket_templates: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: readonly TicketTemplate[];
  };
  /** Create a ticket template. */
  readonly create_ticket_template: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: undefined;
    readonly body: PutTicketTemplate;
    readonly result: TicketTemplate;
  };
  /** Read one ticket template. */
  readonly get_ticket_template: {
    readonly params: { readonly tenant: string | number | bigint; readonly template_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: TicketTemplate;
  };
  /** Replace a ticket template. */
  readonly update_ticket_template: {
    readonly params: { readonly tenant: string | number | bigint; readonly template_id: string | number | bigint };
    readonly query: undefined;
    readonly body: PutTicketTemplate;
    readonly result: TicketTemplate;
  };
  /** Delete a ticket template that no monitor uses. */
  readonly delete_ticket_template: {
    readonly params: { readonly tenant: string | number | bigint; readonly template_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: Message;
  };
  /** Read the configuration; `{}` when none was saved. */
  readonly get_spark_job_config: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: SparkJobConfig;
  };
  /** Replace the blocks that are sent; null clears a block. */
  readonly put_spark_job_config: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: undefined;
    readonly body: PutSparkJobConfig;
    readonly result: SparkJobConfig;
  };
  /** Remove the configuration. */
  readonly delete_spark_job_config: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: Message;
  };
  /** Read how the score of an asset is weighed. */
  readonly get_dq_score: {
    readonly params: { readonly tenant: string | number | bigint; readonly asset_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: DqScore;
  };
  /** Set how the score of an asset is weighed. */
  readonly put_dq_score: {
    readonly params: { readonly tenant: string | number | bigint; readonly asset_id: string | number | bigint };
    readonly query: undefined;
    readonly body: PutDqScore;
    readonly result: DqScore;
  };
  /** Go back to the default weights. */
  readonly delete_dq_score: {
    readonly params: { readonly tenant: string | number | bigint; readonly asset_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: DqScoreDeleted;
  };
  /** Read the configuration; `{}` when none was saved. */
  readonly get_dq_reporting: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: DqReporting | JsonObject;
  };
  /** Set where the reports of monitor scans are written. */
  readonly put_dq_reporting: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: undefined;
    readonly body: PutDqReporting;
    readonly result: DqReporting;
  };
  /** Remove the configuration. */
  readonly delete_dq_reporting: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: Message;
  };
  /** List the notification channels. */
  readonly list_channels: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: readonly NotificationChannel[];
  };
  /** Create a notification channel; of a WEBHOOK channel, the answer holds the secret that signs its messages. */
  readonly create_channel: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: undefined;
    readonly body: CreateChannel;
    readonly result: WrittenChannel;
  };
  /** Read one notification channel. */
  readonly get_channel: {
    readonly params: { readonly tenant: string | number | bigint; readonly channel_name: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: NotificationChannel;
  };
  /** Replace a notification channel. */
  readonly update_channel: {
    readonly params: { readonly tenant: string | number | bigint; readonly channel_name: string | number | bigint };
    readonly query: undefined;
    readonly body: UpdateChannel;
    readonly result: WrittenChannel;
  };
  /** Delete a notification channel that no monitor uses. */
  readonly delete_channel: {
    readonly params: { readonly tenant: string | number | bigint; readonly channel_name: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: Message;
  };
  /** What failed in the background, newest first; 100 unless `limit` says otherwise. */
  readonly list_background_errors: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: ErrorsQuery;
    readonly body: undefined;
    readonly result: readonly BackgroundError[];
  };
  /** Send a message to every address of a channel now. */
  readonly test_channel: {
    readonly params: { readonly tenant: string | number | bigint; readonly channel_name: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: ChannelTest;
  };
  /** Give a WEBHOOK channel a new secret; for 24 hours, messages carry the signatures of both. */
  readonly rotate_channel_secret: {
    readonly params: { readonly tenant: string | number | bigint; readonly channel_name: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: ChannelSecret;
  };
  /** What was sent or waits to be, newest first; kept for 30 days. */
  readonly list_deliveries: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: DeliveryQuery;
    readonly body: undefined;
    readonly result: readonly Delivery[];
  };
  /** Send a delivery that has ended once more, as the same message. */
  readonly replay_delivery: {
    readonly params: { readonly tenant: string | number | bigint; readonly delivery_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: Delivery;
  };
  /** Read how the tracker is reached, `{}` when none is connected; the token stays inside. */
  readonly get_tracker_connection: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: TrackerConnection | JsonObject;
  };
  /** Set how the tracker is reached. */
  readonly put_tracker_connection: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: undefined;
    readonly body: PutTrackerConnection;
    readonly result: TrackerConnection;
  };
  /** Forget the tracker; its tickets stay linked and are no longer read. */
  readonly delete_tracker_connection: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: Message;
  };
  /** Ask the tracker who the credential belongs to. */
  readonly test_tracker_connection: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: TestResult;
  };
  /** The fields of the ticket that a template would make, for an incident or for sample values. */
  readonly preview_ticket: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: undefined;
    readonly body: PreviewTicket;
    readonly result: TicketPreview;
  };
  /** Read the ticket of an incident. */
  readonly get_ticket: {
    readonly params: { readonly tenant: string | number | bigint; readonly incident_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: Ticket;
  };
  /** Have a ticket made for an incident. */
  readonly create_ticket: {
    readonly params: { readonly tenant: string | number | bigint; readonly incident_id: string | number | bigint };
    readonly query: undefined;
    readonly body: CreateTicket;
    readonly result: TicketRequested;
  };
  /** Take the ticket from its incident; the tracker keeps it. */
  readonly unlink_ticket: {
    readonly params: { readonly tenant: string | number | bigint; readonly incident_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: Message;
  };
  /** List the assets of the tenant with their scores. */
  readonly list_dq_scores: {
    readonly params: { readonly tenant: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: readonly AssetScore[];
  };
  /** Read the score of an asset as it is now, with the parts that make it up and what changed it. */
  readonly get_dq_score_value: {
    readonly params: { readonly tenant: string | number | bigint; readonly asset_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: CurrentScore;
  };
  /** The score of each scan, oldest first; the newest 1000 unless `limit` says otherwise. */
  readonly list_dq_score_history: {
    readonly params: { readonly tenant: string | number | bigint; readonly asset_id: string | number | bigint };
    readonly query: ScoreHistoryQuery;
    readonly body: undefined;
    readonly result: readonly ScoreHistoryItem[];
  };
};
