// SPDX-License-Identifier: Apache-2.0
/** Incidents and alerts. */
import Type from 'typebox';
import { incidentFilterQuerySchema, incidentListQuerySchema } from '../incident-filter.ts';
import {
  alertSchema,
  alertsByFiltersSchema,
  incidentDetailSchema,
  incidentDistributionSchema,
  incidentSchema,
  incidentSummarySchema,
  jobAlertSchema,
} from '../incident-schemas.ts';
import { jobAlertsQuerySchema } from '../query-schemas.ts';
import { type Endpoint, needs } from './endpoint.ts';
import { backend } from './paths.ts';

const INCIDENTS = '/{tenant}/incidents';
const incidents = { tag: 'Incidents', method: 'GET', needs: needs.viewer } as const;
const alerts = { tag: 'Alerts', method: 'POST', needs: needs.viewer } as const;

export const incidentEndpoints = {
  list_incidents: {
    ...incidents,
    ...backend(INCIDENTS),
    summary: 'List incidents, newest first',
    query: incidentListQuerySchema,
    result: Type.Array(incidentSchema),
  },
  incident_distribution: {
    ...incidents,
    ...backend(`${INCIDENTS}/distribution`),
    summary: 'Count incidents per day of creation (UTC)',
    query: incidentFilterQuerySchema,
    result: incidentDistributionSchema,
  },
  incident_summary: {
    ...incidents,
    ...backend(`${INCIDENTS}/summary`),
    summary: 'Count incidents by status and tag, with their mean time to resolve',
    result: incidentSummarySchema,
  },
  get_incident: {
    ...incidents,
    ...backend(`${INCIDENTS}/{incident_id}`),
    summary: 'Read one incident with its metrics and history',
    result: incidentDetailSchema,
  },
  alerts_by_filters: {
    ...alerts,
    ...backend('/{tenant}/configuration/alerts/by_filters'),
    summary: 'List alerts by source, time and violation; for the alerts of an incident, pass the alert_refs of its history',
    body: alertsByFiltersSchema,
    result: Type.Array(alertSchema),
  },
  job_alerts: {
    ...alerts,
    ...backend('/{tenant}/configuration/sources/{asset_id}/alerts', '/{tenant}/configuration/sources/{asset_id}alerts'),
    summary: 'List the alerts of a job',
    query: jobAlertsQuerySchema,
    result: Type.Array(jobAlertSchema),
  },
} as const satisfies { readonly [operation: string]: Endpoint };
