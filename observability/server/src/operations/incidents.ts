// SPDX-License-Identifier: Apache-2.0
/** Incidents and the alerts that they are made of. */
import { ApiError, JOB_ALERT_MEMBERS, type JobAlert, parseIncidentFilter, parseTimestamp } from '@sextant/contracts-observability';
import { operation } from './operation.ts';
import { numericId, pageOf } from './parameters.ts';

export const listIncidents = operation('list_incidents', ({ tenant }, { query }) =>
  tenant.incidents.list(parseIncidentFilter(query), pageOf(query)),
);

export const getIncident = operation('get_incident', ({ tenant }, { params }) =>
  tenant.incidents.get(numericId('Incident', params.incident_id)),
);

export const incidentDistribution = operation('incident_distribution', ({ tenant }, { query }) =>
  tenant.incidents.distribution(parseIncidentFilter(query)),
);

export const incidentSummary = operation('incident_summary', ({ tenant }) => tenant.incidents.summary());

export const alertsByFilters = operation('alerts_by_filters', ({ tenant }, { body }) => {
  const upload_dates = body.upload_dates.map((written, index) => timeOf(written, `upload_dates[${index}]`));
  return tenant.alerts.byFilters({ ...body, upload_dates });
});

export const jobAlerts = operation('job_alerts', async ({ tenant }, { params, query }) => {
  const alerts = await tenant.alerts.ofJob({ source: params.asset_id, job_id: query.job_id });
  // The members that make a `JobAlert`, and no others.
  return alerts.map((alert) => Object.fromEntries(JOB_ALERT_MEMBERS.map((member) => [member, alert[member]])) as unknown as JobAlert);
});

function timeOf(written: string, place: string): string {
  const time = parseTimestamp(written);
  if (time !== undefined) return time;
  throw new ApiError('bad_request', { reason: `${place}: expected an ISO 8601 timestamp, got ${JSON.stringify(written)}` });
}
