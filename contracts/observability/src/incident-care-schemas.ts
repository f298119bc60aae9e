// SPDX-License-Identifier: Apache-2.0
/** Schemas of what people do about incidents and measurements. */
import { oneOf, type Static, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import { AUDIT_ACTIONS, AUDIT_SUBJECTS, BULK_ACTIONS, HANDLING_STATES } from './incident-care.ts';
import { incidentDetailSchema } from './incident-schemas.ts';
import type { MetricPoint } from './job-schemas.ts';
import { METRIC_NAMES } from './metrics.ts';
import { answer, email, freeObject, nullable, queryInteger, text, timestamp, timestampInput } from './value-schemas.ts';

const COMMENT_MAX = 10_000;
/** Not empty and without U+0000, which no store holds. */
const commentText = Type.String({
  pattern: `^[^\\u0000]{1,${COMMENT_MAX}}$`,
  'x-expected': `1 to ${COMMENT_MAX} characters`,
});
const optionalComment = Type.Optional(nullable(commentText));

export const incidentStepSchema = strict({ comment: optionalComment }, { title: 'IncidentStep' });
export const incidentAssigneeSchema = strict({ assignee: nullable(email) }, { title: 'IncidentAssignee' });
export const newIncidentCommentSchema = strict({ text: commentText }, { title: 'IncidentCommentText' });

export const putIncidentHandlingSchema = strict(
  {
    state: nullable(oneOf(...HANDLING_STATES)),
    /** For SNOOZED: at most 90 days ahead. */
    until: Type.Optional(nullable(timestampInput)),
    note: optionalComment,
  },
  { title: 'PutIncidentHandling' },
);

export const incidentHandlingSchema = answer('IncidentHandling', {
  state: oneOf(...HANDLING_STATES),
  actor: Type.String(),
  timestamp,
  until: nullable(timestamp),
  note: nullable(Type.String()),
});
/** What somebody said of an incident last. */
export type IncidentHandling = Static<typeof incidentHandlingSchema>;

export const handledIncidentSchema = answer('HandledIncident', {
  handling: nullable(incidentHandlingSchema),
  incident: incidentDetailSchema,
});

export const bulkIncidentsSchema = strict(
  {
    incident_ids: Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: 500 }),
    action: oneOf(...BULK_ACTIONS),
    /** For SNOOZED. */
    until: Type.Optional(nullable(timestampInput)),
    note: optionalComment,
  },
  { title: 'BulkIncidents' },
);

export const bulkIncidentsResultSchema = answer('BulkIncidentsResult', {
  done: Type.Array(Type.Integer()),
  refused: Type.Array(Type.Object({ incident_id: Type.Integer(), reason: Type.String() })),
});
export type BulkIncidentsResult = Static<typeof bulkIncidentsResultSchema>;

const incidentCommentMembers = {
  /** Counts the comments of the incident from 1. */
  id: Type.Integer(),
  author: Type.String(),
  created_time: timestamp,
  text: Type.String(),
};
export const incidentCommentSchema = answer('IncidentComment', incidentCommentMembers);
export type IncidentComment = Static<typeof incidentCommentSchema>;

export const auditEntrySchema = answer('AuditEntry', {
  /** Grows with time. */
  id: Type.Integer(),
  timestamp,
  actor: Type.String({ description: 'An e-mail address, the name of an API key, or `system`.' }),
  action: oneOf(...AUDIT_ACTIONS),
  subject_type: oneOf(...AUDIT_SUBJECTS),
  subject_id: Type.String(),
  details: freeObject,
});
export type AuditEntry = Static<typeof auditEntrySchema>;

export const incidentActivitySchema = answer('IncidentActivity', {
  /** E-mail address of the user who looks after it. */
  assignee: nullable(Type.String()),
  handling: nullable(incidentHandlingSchema),
  /** Oldest first. */
  comments: Type.Array(incidentCommentSchema),
  /** In the order of the history. */
  steps: Type.Array(Type.Object({ timestamp, state: oneOf('NEW', 'ONGOING', 'RESOLVED', 'REOPENED'), actor: Type.String() })),
  /** Newest first. */
  audit: Type.Array(auditEntrySchema),
});
/** All that is known of an incident beside what it says itself. */
export type IncidentActivity = Static<typeof incidentActivitySchema>;
/** Who made a step in the life of an incident. */
export type IncidentStepActor = IncidentActivity['steps'][number];

export const auditQuerySchema = strict(
  {
    subject_type: Type.Optional(oneOf(...AUDIT_SUBJECTS)),
    subject_id: Type.Optional(text),
    limit: Type.Optional(queryInteger),
    before: Type.Optional(queryInteger),
  },
  { title: 'AuditQuery' },
);

/** The point is named by its series and by its job or its time. */
export const putExclusionSchema = strict(
  {
    asset_id: text,
    metric_name: oneOf(...METRIC_NAMES),
    metric_aggregation: text,
    attribute: Type.Optional(nullable(text)),
    segment: Type.Optional(nullable(text)),
    monitor_id: Type.Optional(nullable(text)),
    job_id: Type.Optional(text),
    metric_time: Type.Optional(timestampInput),
    is_excluded: Type.Boolean(),
    comment: optionalComment,
  },
  { title: 'PutMetricExclusion' },
);

export const exclusionResultSchema = answer('MetricExclusionResult', {
  asset_id: Type.String(),
  job_id: Type.String(),
  metric_time: timestamp,
  is_excluded: Type.Boolean(),
  alerts: Type.Integer({ description: 'Number of alerts that the point had raised.' }),
  closed_incident_ids: Type.Array(Type.Integer(), { description: 'Incidents whose newest step had no other alert.' }),
});
/** What became of the request to leave a point out, or to take it back in. */
export type ExclusionResult = Static<typeof exclusionResultSchema>;

export const exclusionsQuerySchema = strict(
  { asset_id: text, limit: Type.Optional(queryInteger), offset: Type.Optional(queryInteger) },
  { title: 'MetricExclusionsQuery' },
);

export const metricExclusionSchema = answer('MetricExclusion', {
  asset_id: Type.String(),
  job_id: Type.String(),
  metric_time: timestamp,
  metric_name: oneOf(...METRIC_NAMES),
  metric_aggregation: Type.String(),
  attribute: nullable(Type.String()),
  segment: nullable(Type.String()),
  monitor_id: nullable(Type.String()),
  value: nullable(Type.Number()),
  excluded_by: Type.String(),
  excluded_time: timestamp,
  comment: nullable(Type.String()),
});
/** A point that neither teaches nor alerts. */
export type MetricExclusion = Static<typeof metricExclusionSchema>;

export const backfillResultSchema = answer('BackfillResult', {
  alerts: Type.Integer({ description: 'Number of alerts that now belong to an incident.' }),
  incidents_created: Type.Integer(),
  incidents_continued: Type.Integer({ description: 'Number of existing incidents that were continued.' }),
});
export type BackfillResult = Static<typeof backfillResultSchema>;

/** Names one series of an asset. */
export type MetricSeries = Pick<MetricPoint, 'metric_name' | 'metric_aggregation' | 'attribute' | 'segment' | 'monitor_id'>;
