// SPDX-License-Identifier: Apache-2.0
/** What a person says of an incident, and what follows from it for learning, for its state and for messages. */
import {
  ApiError,
  type HandlingState,
  type IncidentDetail,
  type IncidentHandling,
  type MetricName,
  parseTimestamp,
} from '@sextant/contracts-observability';
import type { MetricPointKey, TenantMetadata } from '@sextant/observability-metadata';
import { metricsWatched } from '@sextant/observability-monitors';
import { closeIncident } from './closing.ts';
import { NEVER_EXCLUDED, setExclusion } from './exclusion.ts';

export type HandlingRequest = {
  readonly incidentId: number;
  readonly state: HandlingState | null;
  readonly until: string | null;
  readonly note: string | null;
  readonly actor: string;
  readonly nowMs: number;
};

const SNOOZE_MAX_DAYS = 90;
const DAY_MS = 86_400_000;

/**
 * EXPECTED and FALSE_POSITIVE close the incident. Learned bands reach as far as the points of its newest alerts from then on, or these points teach
 * no longer.
 *
 * @throws ApiError bad_request for a time that does not fit; MetadataMissing for an unknown incident
 */
export function handleIncident(
  tenant: TenantMetadata,
  request: HandlingRequest,
): Promise<{ readonly handling: IncidentHandling | null; readonly incident: IncidentDetail }> {
  const { incidentId, state, note, actor, nowMs } = request;
  const until = snoozeEnd(request);
  return tenant.atomically(async (own) => {
    const incident = await own.incidents.get(incidentId);
    await own.incidentCare.handle(incidentId, { state, until, note, actor });
    if (state === 'EXPECTED' || state === 'FALSE_POSITIVE') {
      await teach(own, incident, { ...request, isExcluded: state === 'FALSE_POSITIVE' });
      const { status } = await own.incidents.get(incidentId);
      if (status === 'OPEN') await closeIncident(own, { incidentId, actor, comment: null, nowMs });
    }
    return { handling: (await own.incidentCare.handling(incidentId)) ?? null, incident: await own.incidents.get(incidentId) };
  });
}

function snoozeEnd({ state, until, nowMs }: HandlingRequest): string | null {
  if (state !== 'SNOOZED') {
    if (until === null) return null;
    throw new ApiError('bad_request', { reason: 'until: only allowed with SNOOZED' });
  }
  // The schema has let it through, so it is a time.
  const end = until === null ? undefined : parseTimestamp(until);
  if (end === undefined) throw new ApiError('bad_request', { reason: 'until: required with SNOOZED, as an ISO 8601 timestamp' });
  const aheadMs = Date.parse(end) - nowMs;
  if (aheadMs <= 0 || aheadMs > SNOOZE_MAX_DAYS * DAY_MS) {
    throw new ApiError('bad_request', { reason: `until: expected a time within the next ${SNOOZE_MAX_DAYS} days, got ${end}` });
  }
  return end;
}

/** Of the newest scan that violated. */
async function teach(
  tenant: TenantMetadata,
  { id, asset_id, history }: IncidentDetail,
  { note, actor, nowMs, isExcluded }: HandlingRequest & { readonly isExcluded: boolean },
): Promise<void> {
  const refs = history.findLast(({ alert_refs }) => alert_refs.length > 0)?.alert_refs ?? [];
  for (const metric_time of new Set(refs.map((ref) => ref.metric_time))) {
    const alerts = await tenant.alerts.ofStep({ source: asset_id, incident_id: id, metric_time });
    for (const alert of alerts) {
      const { series, job_id, violation_data } = alert;
      if (series === null || NEVER_EXCLUDED.has(series.metric_name satisfies MetricName)) continue;
      const scan = { job_id };
      if ((await tenant.metricPoints.find({ asset_id, ...series, ...scan })) === undefined) continue;
      if (series.segment === null && (violation_data.is_excluded === true) !== isExcluded)
        await setExclusion(tenant, { asset_id, series, scan, is_excluded: isExcluded, comment: note, actor, nowMs });
      if (!isExcluded) await expectValues(tenant, { asset_id, ...series, ...scan }, alert.monitor_id);
    }
  }
}

/** One alert tells of all statistics of an attribute that moved, and of the segments that moved along. */
async function expectValues(tenant: TenantMetadata, point: MetricPointKey, monitorId: string): Promise<void> {
  const monitors = await tenant.monitors.list(point.asset_id);
  const monitor = monitors.find(({ id }) => id === monitorId);
  const metric_names = [point.metric_name, ...(monitor === undefined ? [] : metricsWatched(monitor))];
  await tenant.metricPoints.markExpected({ ...point, metric_names });
}
