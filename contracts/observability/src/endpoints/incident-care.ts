// SPDX-License-Identifier: Apache-2.0
/** What people do about incidents and measurements, and the trail of it. */
import Type from 'typebox';
import {
  auditEntrySchema,
  auditQuerySchema,
  backfillResultSchema,
  bulkIncidentsResultSchema,
  bulkIncidentsSchema,
  exclusionResultSchema,
  exclusionsQuerySchema,
  handledIncidentSchema,
  incidentActivitySchema,
  incidentAssigneeSchema,
  incidentCommentSchema,
  incidentStepSchema,
  metricExclusionSchema,
  newIncidentCommentSchema,
  putExclusionSchema,
  putIncidentHandlingSchema,
} from '../incident-care-schemas.ts';
import { incidentDetailSchema } from '../incident-schemas.ts';
import { incidentStorySchema, similarIncidentSchema } from '../incident-story-schemas.ts';
import { type Endpoint, needs, read } from './endpoint.ts';
import { backend } from './paths.ts';

const INCIDENTS = '/{tenant}/incidents';
const INCIDENT = `${INCIDENTS}/{incident_id}` as const;
const incidents = { tag: 'Incidents', needs: needs.incidentOperator } as const;
const comments = { ...incidents, ...backend(`${INCIDENT}/comments`) } as const;
const exclusions = { tag: 'Scans', ...backend('/{tenant}/metrics/exclusions'), needs: needs.operator } as const;

export const incidentCareEndpoints = {
  close_incident: {
    ...incidents,
    ...backend(`${INCIDENT}/close`),
    method: 'POST',
    summary: 'Close an incident; the next scan reopens it if it still finds the violation',
    bodyOptional: true,
    body: incidentStepSchema,
    result: incidentDetailSchema,
    errors: ['conflict'],
  },
  reopen_incident: {
    ...incidents,
    ...backend(`${INCIDENT}/reopen`),
    method: 'POST',
    summary: 'Reopen an incident, if it is the newest of its monitor and subject',
    bodyOptional: true,
    body: incidentStepSchema,
    result: incidentDetailSchema,
    errors: ['conflict'],
  },
  put_incident_assignee: {
    ...incidents,
    ...backend(`${INCIDENT}/assignee`),
    method: 'PUT',
    summary: 'Assign an incident to a user; null unassigns it',
    body: incidentAssigneeSchema,
    result: incidentAssigneeSchema,
  },
  put_incident_handling: {
    ...incidents,
    ...backend(`${INCIDENT}/handling`),
    method: 'PUT',
    summary: 'Set the handling of an incident: acknowledged, snoozed, expected or false positive; null clears it',
    body: putIncidentHandlingSchema,
    result: handledIncidentSchema,
  },
  bulk_incidents: {
    ...incidents,
    ...backend(`${INCIDENTS}/bulk`),
    method: 'POST',
    summary: 'Apply the same action to many incidents, each separately and with the role that the action needs',
    needs: needs.eachOperator,
    body: bulkIncidentsSchema,
    result: bulkIncidentsResultSchema,
  },
  list_incident_comments: {
    ...comments,
    ...read,
    summary: 'List the comments on an incident, oldest first',
    result: Type.Array(incidentCommentSchema),
  },
  create_incident_comment: {
    ...comments,
    method: 'POST',
    summary: 'Comment on an incident',
    body: newIncidentCommentSchema,
    result: incidentCommentSchema,
    errors: ['conflict'],
  },
  incident_activity: {
    ...incidents,
    ...backend(`${INCIDENT}/activity`),
    ...read,
    summary: 'Read the assignee and the audit trail of an incident',
    result: incidentActivitySchema,
  },
  incident_story: {
    ...incidents,
    ...backend(`${INCIDENT}/story`),
    ...read,
    summary: 'Explain an incident, and list the incidents with the same cause',
    result: incidentStorySchema,
  },
  similar_incidents: {
    ...incidents,
    ...backend(`${INCIDENT}/similar`),
    ...read,
    summary: 'List the three most similar incidents, with their outcome and handling',
    result: Type.Array(similarIncidentSchema),
  },
  backfill_incidents: {
    ...incidents,
    ...backend(`${INCIDENTS}/historical`),
    method: 'POST',
    summary: 'Create incidents from the alerts of the last 30 days that belong to no incident; nobody is notified',
    needs: needs.operator,
    result: backfillResultSchema,
  },
  put_metric_exclusion: {
    ...exclusions,
    method: 'PUT',
    summary: 'Exclude a measured point from learning and alerting, or include it again',
    body: putExclusionSchema,
    result: exclusionResultSchema,
    errors: ['not_found'],
  },
  list_metric_exclusions: {
    ...exclusions,
    ...read,
    summary: 'List the excluded points of an asset, newest first',
    query: exclusionsQuerySchema,
    result: Type.Array(metricExclusionSchema),
    errors: ['not_found'],
  },
  list_audit: {
    tag: 'Audit trail',
    ...backend('/{tenant}/audit'),
    method: 'GET',
    summary: 'List the audit trail, newest first; pass the last id of a page as `before` for the next page',
    needs: needs.admin,
    query: auditQuerySchema,
    result: Type.Array(auditEntrySchema),
  },
} as const satisfies { readonly [operation: string]: Endpoint };
