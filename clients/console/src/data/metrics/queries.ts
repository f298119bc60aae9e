// SPDX-License-Identifier: Apache-2.0
/** What scans measured of an asset, as the service keeps it. */
import type { IncidentMetric, MetricHistoryItem, ObservabilityClient } from '@sextant/sdk';
import { queryOptions } from '@tanstack/react-query';
import { queryClient } from '../services/query-client.ts';
import type { Series } from './series.ts';

const CALM_MS = 30_000;
/** The service answers no more at once. */
const MEASURED_MAX = 100_000;
const SERIES_MAX = 2_000;
const SPARK_SCANS = 30;
/** Scans before and since a violation. */
const INCIDENT_POINTS = 120;

const metricsKey = (assetId: string) => ['observability', 'asset', assetId, 'metrics'];

/** Everything that one scan measured. */
export function measuredBy(client: ObservabilityClient, assetId: string, jobId: string | undefined) {
  return queryOptions({
    queryKey: [...metricsKey(assetId), 'of-job', jobId],
    queryFn: ({ signal }) => client.listMetrics({ asset_id: assetId, job_id: jobId, limit: MEASURED_MAX }, { signal }),
    enabled: jobId !== undefined,
    staleTime: CALM_MS,
  });
}

/** The values of one series since a time. */
export function seriesHistory(
  client: ObservabilityClient,
  assetId: string,
  { metric, aggregation, attribute, segment, monitorId }: Series,
  from: string | undefined,
) {
  const series = {
    metric_name: metric,
    metric_aggregation: aggregation,
    segment: segment ?? '',
    monitor_id: monitorId ?? '',
  };
  return queryOptions({
    queryKey: [...metricsKey(assetId), 'series', series, attribute, from],
    queryFn: async ({ signal }) => {
      const query = { asset_id: assetId, ...series, ...askedAttribute(attribute), from_time: from, limit: SERIES_MAX };
      return ofAttribute(attribute, await client.listMetrics(query, { signal }));
    },
    staleTime: CALM_MS,
  });
}

/** Of every attribute, how complete it was in the last scans. */
export function completenessHistory(client: ObservabilityClient, assetId: string, attributes: number) {
  return queryOptions({
    queryKey: [...metricsKey(assetId), 'completeness', attributes],
    queryFn: ({ signal }) =>
      client.listMetrics(
        { asset_id: assetId, metric_name: 'COMPLETENESS', segment: '', limit: (attributes + 1) * SPARK_SCANS },
        { signal },
      ),
    staleTime: CALM_MS,
  });
}

/** How many columns came, went or changed, scan by scan. */
export function schemaHistory(client: ObservabilityClient, assetId: string) {
  return queryOptions({
    queryKey: [...metricsKey(assetId), 'schema'],
    queryFn: ({ signal }) =>
      client.listMetrics({ asset_id: assetId, metric_name: 'SCHEMA', attribute: '', segment: '', monitor_id: '' }, { signal }),
  });
}

/** The newest values of a metric that an incident is about; those of several monitors may share its name. */
export function incidentMetricHistory(client: ObservabilityClient, assetId: string, metric: IncidentMetric) {
  const { metric_name, metric_aggregation, attribute, segment } = metric;
  return queryOptions({
    queryKey: [...metricsKey(assetId), metric_name, metric_aggregation, attribute, segment],
    queryFn: async ({ signal }) => {
      const query = { asset_id: assetId, metric_name, metric_aggregation, ...askedAttribute(attribute), segment: segment ?? '' };
      return ofAttribute(attribute, await client.listMetrics({ ...query, limit: INCIDENT_POINTS }, { signal }));
    },
  });
}

/** An empty text asks for what is of no attribute, so the unnamed vector cannot be asked for by its name: all are, and it is picked out. */
export function askedAttribute(attribute: string | null): { readonly attribute?: string } {
  return attribute === '' ? {} : { attribute: attribute ?? '' };
}

export function ofAttribute(attribute: string | null, points: readonly MetricHistoryItem[]): readonly MetricHistoryItem[] {
  return attribute === '' ? points.filter((point) => point.attribute === '') : points;
}

export function refreshMetrics(assetId: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: metricsKey(assetId) });
}
