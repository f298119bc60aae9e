// SPDX-License-Identifier: Apache-2.0
/** What is read of monitors: those of an asset, of the tenant, of a channel or a ticket template; and what one would have found. */
import type { Monitor, ObservabilityClient, PreviewMonitor } from '@sextant/sdk';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { refreshIncidents } from './incidents/queries.ts';
import { queryClient } from './services/query-client.ts';

const ALL_KEY = ['observability', 'monitors'];
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

type TenantMonitors = {
  /** Its id; undefined for all assets. */
  readonly asset: string | undefined;
  /** Whether every asset has it; undefined for both. */
  readonly prebuilt: boolean | undefined;
};

/** Of all assets, those that people made first; of one asset or one kind only that. */
export function tenantMonitors(client: ObservabilityClient, { asset, prebuilt }: TenantMonitors) {
  return infiniteQueryOptions({
    queryKey: [...ALL_KEY, 'all', asset, prebuilt],
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

/** Users beyond these are counted, not named. */
const USERS_MAX = 100;

/** The monitors that tell a channel. */
export function channelUsers(client: ObservabilityClient, channel: string) {
  return queryOptions({
    queryKey: [...ALL_KEY, 'of-channel', channel],
    queryFn: ({ signal }) => client.listTenantMonitors({ channel, limit: USERS_MAX }, { signal }),
  });
}

/** The monitors that make tickets by a template. */
export function templateUsers(client: ObservabilityClient, id: number) {
  return queryOptions({
    queryKey: [...ALL_KEY, 'of-template', id],
    queryFn: ({ signal }) => client.listTenantMonitors({ ticket_template_id: id, limit: USERS_MAX }, { signal }),
  });
}

/** After a change: a disabled or deleted monitor closes its incident too. */
export async function refreshMonitors(assetId: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: monitorsKey(assetId) }),
    queryClient.invalidateQueries({ queryKey: ALL_KEY }),
    refreshIncidents(),
  ]);
}
