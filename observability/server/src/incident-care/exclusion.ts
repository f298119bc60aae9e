// SPDX-License-Identifier: Apache-2.0
/** A person says of a measured point that it is no evidence: it teaches nothing from then on, and its alerts stand for nothing. */
import {
  ApiError,
  type ExclusionResult,
  type MetricHistoryItem,
  type MetricName,
  type MetricSeries,
} from '@sextant/contracts-observability';
import { MetadataMissing, type TenantMetadata } from '@sextant/observability-metadata';
import { closeIfExcluded } from './closing.ts';

export type ExclusionRequest = {
  readonly asset_id: string;
  readonly series: MetricSeries;
  /** The scan, by its job or by its time. */
  readonly scan: { readonly job_id: string } | { readonly metric_time: string };
  readonly is_excluded: boolean;
  readonly comment: string | null;
  readonly actor: string;
  readonly nowMs: number;
};

/** What is no series of numbers that a band is learned from, as published. */
export const NEVER_EXCLUDED: ReadonlySet<MetricName> = new Set<MetricName>(['SCHEMA', 'TOP_VALUE', 'VALUE_DISTRIBUTION']);

/**
 * @throws ApiError bad_request for what cannot be excluded
 * @throws MetadataMissing for an unknown asset or point
 */
export function setExclusion(tenant: TenantMetadata, request: ExclusionRequest): Promise<ExclusionResult> {
  const { asset_id, series, scan, is_excluded, comment, actor } = request;
  refuseUnfit(series);
  return tenant.atomically(async (own) => {
    await own.assets.get(asset_id);
    const point = await own.metricPoints.find({ asset_id, ...series, ...scan });
    if (point === undefined) throw new MetadataMissing('metric point', pointInWords(series, scan));
    const { job_id, metric_time } = point;
    const key = { asset_id, job_id, ...series };
    if (is_excluded) await own.metricPoints.exclude(key, { by: actor, comment });
    else await own.metricPoints.include(key);
    const alerts = await own.alerts.ofPoint(key);
    await own.alerts.markExcluded(
      alerts.map(({ id }) => id),
      is_excluded,
    );
    const incidents = new Set(alerts.flatMap(({ incident_id }) => incident_id ?? []));
    await tellAudit(own, request, { point, incidents });
    const closed_incident_ids: number[] = [];
    if (is_excluded) for (const id of incidents) if (await closeIfExcluded(own, id, request)) closed_incident_ids.push(id);
    return { asset_id, job_id, metric_time, is_excluded, alerts: alerts.length, closed_incident_ids };
  });
}

function refuseUnfit({ metric_name, segment }: MetricSeries): void {
  if (NEVER_EXCLUDED.has(metric_name)) {
    const reason = `metric_name: points of ${[...NEVER_EXCLUDED].join(', ')} cannot be excluded, because no band is learned from them`;
    throw new ApiError('bad_request', { reason });
  }
  if (segment !== null)
    throw new ApiError('bad_request', { reason: 'segment: points of a segment cannot be excluded, only those of the whole' });
}

/** The asset's trail and that of each incident that had an alert of the point. */
async function tellAudit(
  tenant: TenantMetadata,
  { asset_id, series, is_excluded, comment, actor }: ExclusionRequest,
  { point, incidents }: { readonly point: MetricHistoryItem; readonly incidents: ReadonlySet<number> },
): Promise<void> {
  const { job_id, metric_time, value } = point;
  const action = is_excluded ? 'EXCLUDED' : 'INCLUDED';
  const entry = { actor, action, details: { asset_id, ...series, job_id, metric_time, value, comment } } as const;
  await tenant.audit.append({ ...entry, subject_type: 'ASSET', subject_id: asset_id });
  for (const id of incidents) await tenant.audit.append({ ...entry, subject_type: 'INCIDENT', subject_id: String(id) });
}

function pointInWords({ metric_name, attribute }: MetricSeries, scan: ExclusionRequest['scan']): string {
  const series = attribute === null ? metric_name : `${metric_name} of ${attribute}`;
  return 'job_id' in scan ? `${series} of job ${scan.job_id}` : `${series} at ${scan.metric_time}`;
}
