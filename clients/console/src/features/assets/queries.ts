/** What the screens of assets ask of the observability service. */
import type { AssetScore, ListedJob, MetricHistoryItem, ObservabilityClient } from '@sextant/sdk';
import { queryOptions } from '@tanstack/react-query';

const CALM_MS = 30_000;
const BUSY_MS = 1_000;
const JOBS = 50;
/** Of one asset; the service keeps more. */
const MEASUREMENTS = 5_000;

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

export function measurements(client: ObservabilityClient, assetId: string) {
  return queryOptions({
    queryKey: ['observability', 'asset', assetId, 'metrics'],
    queryFn: ({ signal }) => client.listMetrics({ asset_id: assetId, limit: MEASUREMENTS }, { signal }),
  });
}

/** One line of a chart: a metric of an attribute, or of the asset as a whole. */
export type Series = {
  readonly key: string;
  readonly metric: string;
  readonly aggregation: string;
  readonly attribute: string | null;
  readonly segment: string | null;
  readonly points: readonly MetricHistoryItem[];
};

/** Oldest first within each; those with violations come first, then in the order of their names. */
export function seriesOf(history: readonly MetricHistoryItem[]): readonly Series[] {
  const byKey = new Map<string, MetricHistoryItem[]>();
  for (const item of history) {
    if (item.value === null) continue;
    const key = [item.metric_name, item.metric_aggregation, item.attribute, item.segment, item.monitor_id].join('\u0000');
    const points = byKey.get(key);
    if (points === undefined) byKey.set(key, [item]);
    else points.push(item);
  }
  return [...byKey]
    .map(([key, points]) => seriesFrom(key, points))
    .sort((a, b) => Number(hasViolation(b)) - Number(hasViolation(a)) || a.key.localeCompare(b.key));
}

function seriesFrom(key: string, points: readonly MetricHistoryItem[]): Series {
  const [first] = points;
  return {
    key,
    metric: first?.metric_name ?? '',
    aggregation: first?.metric_aggregation ?? '',
    attribute: first?.attribute ?? null,
    segment: first?.segment ?? null,
    points,
  };
}

export function hasViolation({ points }: Series): boolean {
  return points.some(({ is_violation }) => is_violation);
}

const BAND_COLOURS = { excellent: 'teal', good: 'green', fair: 'yellow', poor: 'red' } as const;

export function scoreColour({ band }: Pick<AssetScore, 'band'>): string {
  return band === null ? 'gray' : BAND_COLOURS[band];
}
