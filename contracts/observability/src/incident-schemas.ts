// SPDX-License-Identifier: Apache-2.0
/** Schemas of alerts and incidents. */
import { oneOf, type Static, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import { INCIDENT_KINDS } from './checks.ts';
import { answer, freeObject, nullable, text, timestamp, timestampInput } from './value-schemas.ts';

const incidentMembers = {
  id: Type.Integer(),
  project_id: Type.Integer(),
  asset_id: Type.String(),
  last_upload_timestamp: timestamp,
  created_time: timestamp,
  /** Empty when it is not specified. */
  severity: oneOf('LOW', 'MEDIUM', 'HIGH', ''),
  /** Empty where the monitor says none. */
  impact: oneOf('LOW', 'MEDIUM', 'HIGH', ''),
  status: oneOf('OPEN', 'CLOSED'),
  ticket_id: Type.Integer({ description: '0 if there is no ticket.' }),
  alert_policy_id: Type.String(),
  alert_policy_name: Type.String(),
  description: Type.String(),
  tags: Type.Array(Type.String()),
  kind: oneOf(...INCIDENT_KINDS),
};

export const incidentSchema = answer('Incident', incidentMembers);
export type Incident = Static<typeof incidentSchema>;
export type IncidentStatus = Incident['status'];

export const incidentDetailSchema = answer('IncidentDetail', {
  ...incidentMembers,
  metrics: Type.Array(
    answer('IncidentMetric', {
      metric_name: Type.String(),
      metric_aggregation: Type.String(),
      display_metric_name: Type.String(),
      segment: nullable(Type.String()),
      rule: nullable(Type.String()),
      attribute: nullable(Type.String()),
    }),
  ),
  history: Type.Array(
    answer('IncidentHistoryItem', {
      timestamp,
      state: oneOf('NEW', 'ONGOING', 'RESOLVED', 'REOPENED'),
      alert_refs: Type.Array(Type.Object({ metric_time: timestamp, violation_name: Type.String() })),
    }),
  ),
});
export type IncidentDetail = Static<typeof incidentDetailSchema>;
export type IncidentMetric = IncidentDetail['metrics'][number];
export type IncidentHistoryItem = IncidentDetail['history'][number];
export type IncidentState = IncidentHistoryItem['state'];

const byLevel = { LOW: Type.Integer(), MEDIUM: Type.Integer(), HIGH: Type.Integer() };

export const incidentDistributionSchema = answer('IncidentDistribution', {
  incidents: Type.Array(
    Type.Object({
      /** YYYY-MM-DD, UTC. */
      date: Type.String({ format: 'date' }),
      counts: Type.Object({ ...byLevel, '': Type.Integer() }),
      counts_by_impact: Type.Object(byLevel),
    }),
  ),
});
export type IncidentDistribution = Static<typeof incidentDistributionSchema>;

const countsByTag = Type.Record(Type.String(), Type.Integer());

export const incidentSummarySchema = answer('IncidentSummary', {
  total: Type.Integer(),
  open: Type.Integer(),
  closed: Type.Integer(),
  mean_time_to_resolve: Type.Integer({ description: 'Hours.' }),
  previous_mean_time_to_resolve: Type.Integer({ description: 'Hours.' }),
  open_by_tag: countsByTag,
  closed_by_tag: countsByTag,
});
export type IncidentSummary = Static<typeof incidentSummarySchema>;

const alertMembers = {
  type: Type.String(),
  source: Type.String(),
  attribute: Type.String(),
  job_id: Type.String(),
  create_time: timestamp,
  save_time: timestamp,
  violation_data: freeObject,
  violation_name: Type.String(),
  notification_channels: Type.Array(Type.String()),
  is_notification_enabled: Type.Boolean(),
  metric_time: timestamp,
  is_notified: Type.Boolean(),
  metric_value: Type.Number(),
  policy_name: Type.String(),
  segment: Type.String(),
  priority: Type.String(),
  /** By priority level. */
  description: Type.Record(Type.String(), Type.Array(Type.String())),
  source_name: Type.String(),
  source_type: Type.String(),
  project_name: Type.String(),
  tags: Type.Array(Type.String()),
};

export const alertSchema = answer('Alert', alertMembers);
export type Alert = Static<typeof alertSchema>;

/** What the answer about the alerts of a job carries. */
export const JOB_ALERT_MEMBERS = [
  'type',
  'source',
  'description',
  'job_id',
  'create_time',
  'save_time',
  'is_notification_enabled',
  'metric_time',
  'metric_value',
  'policy_name',
  'priority',
  'source_name',
  'source_type',
] as const satisfies readonly (keyof Alert)[];

export type JobAlert = Pick<Alert, (typeof JOB_ALERT_MEMBERS)[number]>;

export const jobAlertSchema = Type.Pick(Type.Object(alertMembers), JOB_ALERT_MEMBERS, { title: 'JobAlert' });

const listed = { maxItems: 10_000 };

/** An alert is returned where its source, its time and its name are each among those given. */
export const alertsByFiltersSchema = strict(
  {
    sources: Type.Array(text, listed),
    upload_dates: Type.Array(timestampInput, listed),
    violation_names: Type.Array(text, listed),
  },
  { title: 'AlertsByFilters' },
);
