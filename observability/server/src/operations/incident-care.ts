// SPDX-License-Identifier: Apache-2.0
/** What people do about incidents and measured points, and the trail of it. */
import { ApiError, type BodyOf, parseTimestamp } from '@sextant/contracts-observability';
import { backfillIncidents } from '../incident-care/backfill.ts';
import { handleMany } from '../incident-care/bulk.ts';
import { closeIncident as close, reopenIncident as reopen } from '../incident-care/closing.ts';
import { type ExclusionRequest, setExclusion } from '../incident-care/exclusion.ts';
import { handleIncident } from '../incident-care/handling.ts';
import { similarTo } from '../incident-care/similar.ts';
import { operation, type TenantContext } from './operation.ts';
import { numericId, optionalNumber, pageOf } from './parameters.ts';

export const closeIncident = operation('close_incident', (context, { params, body }) =>
  announced(context, close(context.tenant, { incidentId: idOf(params), ...saidBy(context), comment: body?.comment ?? null })),
);

export const reopenIncident = operation('reopen_incident', (context, { params, body }) =>
  announced(context, reopen(context.tenant, { incidentId: idOf(params), ...saidBy(context), comment: body?.comment ?? null })),
);

export const putIncidentAssignee = operation('put_incident_assignee', async ({ tenant, member }, { params, body }) => {
  const user = body.assignee === null ? null : await tenant.users.findByEmail(body.assignee);
  if (user === undefined) throw new ApiError('bad_request', { reason: `assignee: there is no user ${JSON.stringify(body.assignee)}` });
  await tenant.incidentCare.assign(idOf(params), { userId: user?.id ?? null, actor: member.name });
  return { assignee: user?.email ?? null };
});

export const listIncidentComments = operation('list_incident_comments', ({ tenant }, { params }) =>
  tenant.incidentCare.comments(idOf(params)),
);

export const createIncidentComment = operation('create_incident_comment', ({ tenant, member }, { params, body }) =>
  tenant.incidentCare.comment(idOf(params), { author: member.name, text: body.text }),
);

export const incidentActivity = operation('incident_activity', async ({ tenant }, { params }) => {
  const id = idOf(params);
  return {
    assignee: await tenant.incidentCare.assignee(id),
    handling: (await tenant.incidentCare.handling(id)) ?? null,
    comments: await tenant.incidentCare.comments(id),
    steps: await tenant.incidents.actors(id),
    audit: await tenant.audit.list({ subject_type: 'INCIDENT', subject_id: String(id) }),
  };
});

export const putIncidentHandling = operation('put_incident_handling', (context, { params, body }) => {
  const { state, until = null, note = null } = body;
  return announced(context, handleIncident(context.tenant, { incidentId: idOf(params), state, until, note, ...saidBy(context) }));
});

export const bulkIncidents = operation('bulk_incidents', (context, { body }) => {
  const { incident_ids, action, until = null, note = null } = body;
  const said = { incidentIds: incident_ids, action, until, note, member: context.member, ...saidBy(context) };
  return announced(context, handleMany(context.tenant, said));
});

export const incidentStory = operation('incident_story', async ({ tenant }, { params }) => {
  const id = idOf(params);
  // Of an unknown incident it says so.
  const related = await tenant.incidentStories.related(id);
  const { why = [], evidence = [], job_id = null } = (await tenant.incidentStories.find(id)) ?? {};
  return { why, evidence, job_id, related };
});

export const listSimilarIncidents = operation('similar_incidents', ({ tenant }, { params }) => similarTo(tenant, idOf(params)));

export const backfill = operation('backfill_incidents', (context) => backfillIncidents(context.tenant, saidBy(context)));

export const putMetricExclusion = operation('put_metric_exclusion', (context, { body }) => {
  const { asset_id, metric_name, metric_aggregation, attribute = null, segment = null, monitor_id = null, is_excluded } = body;
  const series = { metric_name, metric_aggregation, attribute, segment, monitor_id };
  const request = { asset_id, series, scan: scanOf(body), is_excluded, comment: body.comment ?? null, ...saidBy(context) };
  return announced(context, setExclusion(context.tenant, request));
});

export const listMetricExclusions = operation('list_metric_exclusions', ({ tenant }, { query }) =>
  tenant.metricPoints.exclusions(query.asset_id, pageOf(query)),
);

export const listAudit = operation('list_audit', ({ tenant }, { query }) => {
  const { subject_type, subject_id } = query;
  return tenant.audit.list({ subject_type, subject_id, limit: optionalNumber(query.limit), before: optionalNumber(query.before) });
});

function saidBy({ member, clock }: TenantContext): { readonly actor: string; readonly nowMs: number } {
  return { actor: member.name, nowMs: clock.nowMs() };
}

/** The outbox has something to send, once the change that it announces is stored. */
async function announced<Result>({ onAnnounced }: TenantContext, change: Promise<Result>): Promise<Result> {
  const result = await change;
  onAnnounced();
  return result;
}

function idOf({ incident_id }: { readonly incident_id: string }): number {
  return numericId('Incident', incident_id);
}

function scanOf({ job_id, metric_time }: BodyOf<'put_metric_exclusion'>): ExclusionRequest['scan'] {
  if ((job_id === undefined) === (metric_time === undefined)) {
    throw new ApiError('bad_request', { reason: 'job_id: give either job_id or metric_time, which name the scan' });
  }
  if (job_id !== undefined) return { job_id };
  // The schema has let it through, so it is a time.
  return { metric_time: parseTimestamp(metric_time ?? '') ?? '' };
}
