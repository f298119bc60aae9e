/** What people do about incidents and measurements, and the trail of it. */
import Type from 'typebox';
import {
  auditEntrySchema,
  auditQuerySchema,
  backfillResultSchema,
  exclusionResultSchema,
  exclusionsQuerySchema,
  incidentActivitySchema,
  incidentAssigneeSchema,
  incidentCommentSchema,
  incidentStepSchema,
  metricExclusionSchema,
  newIncidentCommentSchema,
  putExclusionSchema,
} from '../incident-care-schemas.ts';
import { incidentDetailSchema } from '../incident-schemas.ts';
import { incidentStorySchema } from '../incident-story-schemas.ts';
import { type Endpoint, needs } from './endpoint.ts';
import { backend } from './paths.ts';

const INCIDENTS = '/{tenant}/incidents';
const INCIDENT = `${INCIDENTS}/{incident_id}` as const;
const EXCLUSIONS = '/{tenant}/metrics/exclusions';
const incidents = { tag: 'Incidents' } as const;

export const incidentCareEndpoints = {
  close_incident: {
    ...incidents,
    ...backend(`${INCIDENT}/close`),
    method: 'POST',
    summary: 'Close an incident; the next scan reopens it if the violation still stands',
    needs: needs.incidentOperator,
    bodyOptional: true,
    body: incidentStepSchema,
    result: incidentDetailSchema,
    errors: ['not_found', 'conflict'],
  },
  reopen_incident: {
    ...incidents,
    ...backend(`${INCIDENT}/reopen`),
    method: 'POST',
    summary: 'Reopen the newest incident of a monitor and what it is about',
    needs: needs.incidentOperator,
    bodyOptional: true,
    body: incidentStepSchema,
    result: incidentDetailSchema,
    errors: ['not_found', 'conflict'],
  },
  put_incident_assignee: {
    ...incidents,
    ...backend(`${INCIDENT}/assignee`),
    method: 'PUT',
    summary: 'Say which user looks after an incident; null for nobody',
    needs: needs.incidentOperator,
    body: incidentAssigneeSchema,
    result: incidentAssigneeSchema,
    errors: ['not_found'],
  },
  list_incident_comments: {
    ...incidents,
    ...backend(`${INCIDENT}/comments`),
    method: 'GET',
    summary: 'List the comments on an incident, oldest first',
    needs: needs.viewer,
    result: Type.Array(incidentCommentSchema),
    errors: ['not_found'],
  },
  create_incident_comment: {
    ...incidents,
    ...backend(`${INCIDENT}/comments`),
    method: 'POST',
    summary: 'Comment on an incident',
    needs: needs.incidentOperator,
    body: newIncidentCommentSchema,
    result: incidentCommentSchema,
    errors: ['not_found', 'conflict'],
  },
  incident_activity: {
    ...incidents,
    ...backend(`${INCIDENT}/activity`),
    method: 'GET',
    summary: 'Who looks after an incident, and who did what about it when',
    needs: needs.viewer,
    result: incidentActivitySchema,
    errors: ['not_found'],
  },
  incident_story: {
    ...incidents,
    ...backend(`${INCIDENT}/story`),
    method: 'GET',
    summary: 'Why an incident is there, and which others have the same cause',
    needs: needs.viewer,
    result: incidentStorySchema,
    errors: ['not_found'],
  },
  backfill_incidents: {
    ...incidents,
    ...backend(`${INCIDENTS}/historical`),
    method: 'POST',
    summary: 'Make incidents of the alerts of the last 30 days that belong to none; nobody is notified',
    needs: needs.operator,
    result: backfillResultSchema,
    errors: [],
  },
  put_metric_exclusion: {
    tag: 'Scans',
    ...backend(EXCLUSIONS),
    method: 'PUT',
    summary: 'Leave a measured point out of learning and alerting, or take it back in',
    needs: needs.operator,
    body: putExclusionSchema,
    result: exclusionResultSchema,
    errors: ['not_found'],
  },
  list_metric_exclusions: {
    tag: 'Scans',
    ...backend(EXCLUSIONS),
    method: 'GET',
    summary: 'The points of an asset that are left out, newest first',
    needs: needs.viewer,
    query: exclusionsQuerySchema,
    result: Type.Array(metricExclusionSchema),
    errors: ['not_found'],
  },
  list_audit: {
    tag: 'Audit trail',
    ...backend('/{tenant}/audit'),
    method: 'GET',
    summary: 'Who did what when, newest first; the next page begins before the last id of this one',
    needs: needs.admin,
    query: auditQuerySchema,
    result: Type.Array(auditEntrySchema),
    errors: [],
  },
} as const satisfies { readonly [operation: string]: Endpoint };
