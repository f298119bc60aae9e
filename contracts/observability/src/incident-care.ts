/** What people do about incidents and measurements, and the trail of it. */
import type { IncidentState } from './incidents.ts';
import type { MetricPoint } from './metrics.ts';

/** `system` acts where no person does. */
export const SYSTEM_ACTOR = 'system';

export const AUDIT_ACTIONS = [
  'OPENED',
  'REOPENED',
  'CLOSED',
  'ASSIGNED',
  'COMMENTED',
  'TICKET_LINKED',
  'TICKET_UNLINKED',
  'EXCLUDED',
  'INCLUDED',
  'BACKFILLED',
  'CREATED',
  'UPDATED',
  'DELETED',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** An INCIDENT by its id, an ASSET by its id, a MONITOR as `asset id/monitor id`, a TICKET_TEMPLATE by its id, a CHANNEL by its name. */
export const AUDIT_SUBJECTS = ['INCIDENT', 'ASSET', 'MONITOR', 'TICKET_TEMPLATE', 'CHANNEL', 'CONFIGURATION', 'TENANT'] as const;

export type AuditSubject = (typeof AUDIT_SUBJECTS)[number];

export type AuditEntry = {
  /** Grows with time. */
  readonly id: number;
  readonly timestamp: string;
  /** An e-mail address, the name of an API key, or `system`. */
  readonly actor: string;
  readonly action: AuditAction;
  readonly subject_type: AuditSubject;
  readonly subject_id: string;
  readonly details: { readonly [name: string]: unknown };
};

export type IncidentComment = {
  /** Counts the comments of the incident from 1. */
  readonly id: number;
  readonly author: string;
  readonly created_time: string;
  readonly text: string;
};

/** Names one series of an asset. */
export type MetricSeries = Pick<MetricPoint, 'metric_name' | 'metric_aggregation' | 'attribute' | 'segment' | 'monitor_id'>;

/** A point that neither teaches nor alerts. */
export type MetricExclusion = MetricSeries & {
  readonly asset_id: string;
  readonly job_id: string;
  readonly metric_time: string;
  readonly value: number | null;
  readonly excluded_by: string;
  readonly excluded_time: string;
  readonly comment: string | null;
};

/** Who made a step in the life of an incident. */
export type IncidentStepActor = { readonly timestamp: string; readonly state: IncidentState; readonly actor: string };

/** All that is known of an incident beside what it says itself. */
export type IncidentActivity = {
  /** E-mail address of the user who looks after it. */
  readonly assignee: string | null;
  /** Oldest first. */
  readonly comments: readonly IncidentComment[];
  /** In the order of the history. */
  readonly steps: readonly IncidentStepActor[];
  /** Newest first. */
  readonly audit: readonly AuditEntry[];
};

/** What became of the request to leave a point out, or to take it back in. */
export type ExclusionResult = {
  readonly asset_id: string;
  readonly job_id: string;
  readonly metric_time: string;
  readonly is_excluded: boolean;
  /** Alerts that the point had raised. */
  readonly alerts: number;
  /** Incidents that had no other alert in their newest step. */
  readonly closed_incident_ids: readonly number[];
};

export type BackfillResult = {
  /** Alerts that belong to an incident now. */
  readonly alerts: number;
  readonly incidents_created: number;
  /** Incidents that were there before and went on. */
  readonly incidents_continued: number;
};
