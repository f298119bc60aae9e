/** What the screens of monitors ask of the observability service. */
import type { Monitor, ObservabilityClient, PreviewMonitor } from '@sextant/sdk';
import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { MonitorFilter } from '../features/monitors/monitor-filter.ts';

const PREBUILT_ID = /^[A-Z]/;

/** Those that every asset has can be changed and switched off, not deleted. People's own have a number as id. */
export function isPrebuilt({ id }: Pick<Monitor, 'id'>): boolean {
  return PREBUILT_ID.test(id);
}

function monitorsKey(assetId: string) {
  return ['observability', 'asset', assetId, 'monitors'] as const;
}

export function monitorList(client: ObservabilityClient, assetId: string) {
  return queryOptions({
    queryKey: monitorsKey(assetId),
    queryFn: ({ signal }) => client.listMonitors({ asset_id: assetId }, { signal }),
  });
}

/** Of all assets one request brings that many, about 1 MB of JSON. */
const PAGE_MONITORS = 2_000;
const STILL_MS = 60_000;

/** Of all assets, those that people made first; of one asset or one kind only that. */
export function tenantMonitors(client: ObservabilityClient, { asset, kind }: Pick<MonitorFilter, 'asset' | 'kind'>) {
  const prebuilt = kind === undefined ? undefined : kind === 'prebuilt';
  return infiniteQueryOptions({
    queryKey: ['observability', 'monitors', 'all', asset, prebuilt],
    queryFn: ({ pageParam, signal }) =>
      asset === undefined
        ? client.listTenantMonitors({ prebuilt, limit: PAGE_MONITORS, offset: pageParam }, { signal })
        : client.listMonitors({ asset_id: asset }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (page, pages) => (asset === undefined && page.length === PAGE_MONITORS ? pages.length * PAGE_MONITORS : undefined),
    staleTime: STILL_MS,
  });
}

export function monitorDetail(client: ObservabilityClient, assetId: string, monitorId: string) {
  return queryOptions({
    queryKey: [...monitorsKey(assetId), monitorId],
    queryFn: ({ signal }) => client.getMonitor({ asset_id: assetId, monitor_id: monitorId }, { signal }),
  });
}

export function monitorPreview(client: ObservabilityClient, assetId: string, body: PreviewMonitor) {
  return queryOptions({
    queryKey: [...monitorsKey(assetId), 'preview', body],
    queryFn: ({ signal }) => client.previewMonitor({ asset_id: assetId, ...body }, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });
}

/** Scans asked for; a band needs fewer to speak. */
const SCANS = 20;

/** How many scans of an asset ended well, as far as anybody needs to know. */
export function finishedScans(client: ObservabilityClient, assetId: string) {
  return queryOptions({
    queryKey: ['observability', 'asset', assetId, 'finished-scans'],
    queryFn: async ({ signal }) =>
      (await client.listJobs({ asset_id: assetId, limit: SCANS }, { signal })).filter(({ status }) => status === 'FINISHED').length,
  });
}

/** After a change: a disabled or deleted monitor closes its incident too. */
export async function forgetMonitors(queries: QueryClient, assetId: string): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: monitorsKey(assetId) }),
    queries.invalidateQueries({ queryKey: ['observability', 'monitors'] }),
    queries.invalidateQueries({ queryKey: ['observability', 'incidents'] }),
  ]);
}
