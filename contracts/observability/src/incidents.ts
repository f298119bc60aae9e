/** Alerts and the incidents that group them. */
import type { Level } from './monitors.ts';

export type Alert = {
  readonly type: string;
  readonly source: string;
  readonly attribute: string;
  readonly job_id: string;
  readonly create_time: string;
  readonly save_time: string;
  readonly violation_data: { readonly [field: string]: unknown };
  readonly violation_name: string;
  readonly notification_channels: readonly string[];
  readonly is_notification_enabled: boolean;
  readonly metric_time: string;
  readonly is_notified: boolean;
  readonly metric_value: number;
  readonly policy_name: string;
  readonly segment: string;
  readonly priority: string;
  /** By priority level. */
  readonly description: { readonly [level: string]: readonly string[] };
  readonly source_name: string;
  readonly source_type: string;
  readonly project_name: string;
  readonly tags: readonly string[];
};

export type IncidentStatus = 'OPEN' | 'CLOSED';
export type IncidentState = 'NEW' | 'ONGOING' | 'RESOLVED' | 'REOPENED';

export type Incident = {
  readonly id: number;
  readonly project_id: number;
  readonly asset_id: string;
  readonly last_upload_timestamp: string;
  readonly created_time: string;
  /** Empty when it is not specified. */
  readonly severity: Level | '';
  readonly impact: Level | null;
  readonly status: IncidentStatus;
  readonly ticket_id: number | null;
  readonly alert_policy_id: string;
  readonly alert_policy_name: string;
  readonly description: string;
  readonly tags: readonly string[];
};

export type IncidentMetric = {
  readonly metric_name: string;
  readonly metric_aggregation: string;
  readonly display_metric_name: string;
  readonly segment: string | null;
  readonly rule: string | null;
  readonly attribute: string | null;
};

export type IncidentHistoryItem = {
  readonly timestamp: string;
  readonly state: IncidentState;
  readonly alert_refs: readonly { readonly metric_time: string; readonly violation_name: string }[];
};

export type IncidentDetail = Incident & { readonly metrics: readonly IncidentMetric[]; readonly history: readonly IncidentHistoryItem[] };

/** Among the assignees of a filter: incidents that nobody looks after. No e-mail address is written like it. */
export const NO_ASSIGNEE = 'nobody';

/** Among the impacts of a filter: incidents whose monitor says none. */
export const NO_IMPACT = 'NONE';

export type IncidentFilter = {
  readonly project_ids?: readonly number[];
  readonly asset_ids?: readonly string[];
  readonly connection_types?: readonly string[];
  readonly statuses?: readonly IncidentStatus[];
  readonly alert_policy_ids?: readonly string[];
  readonly severities?: readonly string[];
  /** Levels, and `NO_IMPACT`. */
  readonly impacts?: readonly string[];
  readonly connection_ids?: readonly string[];
  /** E-mail addresses, and `NO_ASSIGNEE`. */
  readonly assignees?: readonly string[];
  readonly tags?: readonly string[];
  readonly from_time?: string;
  readonly to_time?: string;
  readonly text_to_search?: string;
};

export type IncidentDistribution = {
  readonly incidents: readonly {
    /** YYYY-MM-DD, UTC. */
    readonly date: string;
    readonly counts: { readonly LOW: number; readonly MEDIUM: number; readonly HIGH: number; readonly '': number };
    readonly counts_by_impact: { readonly LOW: number; readonly MEDIUM: number; readonly HIGH: number };
  }[];
};

export type IncidentSummary = {
  readonly total: number;
  readonly open: number;
  readonly closed: number;
  /** Hours. */
  readonly mean_time_to_resolve: number;
  readonly previous_mean_time_to_resolve: number;
  readonly open_by_tag: { readonly [tag: string]: number };
  readonly closed_by_tag: { readonly [tag: string]: number };
};
