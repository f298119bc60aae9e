/** What the screens of assets ask of the observability service. */
import type { AssetScore, ListedJob, ObservabilityClient } from '@sextant/sdk';
import { queryOptions } from '@tanstack/react-query';
import type { Series } from '../metrics/series.ts';

const CALM_MS = 30_000;
const BUSY_MS = 1_000;
const JOBS = 50;
/** The service answers no more at once. */
const MEASURED_MAX = 100_000;
const SERIES_MAX = 2_000;
const SPARK_SCANS = 30;

/** All assets with their schedules and lineage. */
export function assetList(client: ObservabilityClient) {
  return queryOptions({
    queryKey: ['observability', 'assets'],
    queryFn: ({ signal }) => client.listAssets({ with_schedules: true, with_lineage: true }, { signal }),
    refetchInterval: CALM_MS,
  });
}

export function projectList(client: ObservabilityClient) {
  return queryOptions({ queryKey: ['observability', 'projects'], queryFn: ({ signal }) => client.listProjects({ signal }) });
}

export function connectionList(client: ObservabilityClient) {
  return queryOptions({ queryKey: ['observability', 'connections'], queryFn: ({ signal }) => client.listConnections({ signal }) });
}

export function scores(client: ObservabilityClient) {
  return queryOptions({ queryKey: ['observability', 'scores'], queryFn: ({ signal }) => client.listDqScores({ signal }) });
}

/** What is open now, of all assets. */
export function openIncidents(client: ObservabilityClient) {
  return queryOptions({
    queryKey: ['observability', 'incidents', 'open'],
    queryFn: ({ signal }) => client.listIncidents({ statuses: 'OPEN' }, { signal }),
    refetchInterval: CALM_MS,
  });
}

/** The last job of each asset; asked for often while one of them runs. */
export function lastJobs(client: ObservabilityClient) {
  return queryOptions({
    queryKey: ['observability', 'jobs', 'last'],
    queryFn: ({ signal }) => client.listTenantJobs({ most_recent: true }, { signal }),
    refetchInterval: ({ state }) => (hasRunning(state.data) ? 2 * BUSY_MS : CALM_MS),
  });
}

export function assetDetail(client: ObservabilityClient, projectId: string, assetId: string) {
  return queryOptions({
    queryKey: ['observability', 'asset', assetId],
    queryFn: ({ signal }) => client.getAsset({ project_id: projectId, asset_id: assetId }, { signal }),
  });
}

export function assetJobs(client: ObservabilityClient, assetId: string) {
  return queryOptions({
    queryKey: ['observability', 'asset', assetId, 'jobs'],
    queryFn: ({ signal }) => client.listJobs({ asset_id: assetId, limit: JOBS }, { signal }),
    refetchInterval: ({ state }) => (hasRunning(state.data) ? BUSY_MS : CALM_MS),
  });
}

function hasRunning(jobs: readonly ListedJob[] | undefined): boolean {
  return jobs?.some(({ status }) => isRunning(status)) === true;
}

export function isRunning(status: ListedJob['status']): boolean {
  return status !== 'FINISHED' && status !== 'FAILED';
}

/** Everything that one scan measured. */
export function measuredBy(client: ObservabilityClient, assetId: string, jobId: string | undefined) {
  return queryOptions({
    queryKey: ['observability', 'asset', assetId, 'metrics', 'of-job', jobId],
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
    attribute: attribute ?? '',
    segment: segment ?? '',
    monitor_id: monitorId ?? '',
  };
  return queryOptions({
    queryKey: ['observability', 'asset', assetId, 'metrics', 'series', series, from],
    queryFn: ({ signal }) => client.listMetrics({ asset_id: assetId, ...series, from_time: from, limit: SERIES_MAX }, { signal }),
    staleTime: CALM_MS,
  });
}

/** Of every attribute, how complete it was in the last scans. */
export function completenessHistory(client: ObservabilityClient, assetId: string, attributes: number) {
  return queryOptions({
    queryKey: ['observability', 'asset', assetId, 'metrics', 'completeness', attributes],
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
    queryKey: ['observability', 'asset', assetId, 'metrics', 'schema'],
    queryFn: ({ signal }) =>
      client.listMetrics({ asset_id: assetId, metric_name: 'SCHEMA', attribute: '', segment: '', monitor_id: '' }, { signal }),
  });
}

const BAND_COLOURS = { excellent: 'teal', good: 'green', fair: 'yellow', poor: 'red' } as const;

export function scoreColour({ band }: Pick<AssetScore, 'band'>): string {
  return band === null ? 'gray' : BAND_COLOURS[band];
}
