// SPDX-License-Identifier: Apache-2.0
/** What is read of assets and of the projects that they are in. What was measured of an asset has keys below that of the asset. */
import type { ObservabilityClient, UpdateAsset } from '@sextant/sdk';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { OBSERVABILITY_KEY, queryClient, refreshing } from '../services/query-client.ts';
import { useServices } from '../services/services.ts';

const CALM_MS = 30_000;

const LIST_KEY = ['observability', 'assets'];
const detailKey = (id: string) => ['observability', 'asset', id];

/** All assets with their schedules and lineage. */
export function assetList(client: ObservabilityClient) {
  return queryOptions({
    queryKey: LIST_KEY,
    queryFn: ({ signal }) => client.listAssets({ with_schedules: true, with_lineage: true }, { signal }),
    refetchInterval: CALM_MS,
  });
}

export function projectList(client: ObservabilityClient) {
  return queryOptions({ queryKey: ['observability', 'projects'], queryFn: ({ signal }) => client.listProjects({ signal }) });
}

export function assetDetail(client: ObservabilityClient, projectId: string, assetId: string) {
  return queryOptions({
    queryKey: detailKey(assetId),
    queryFn: ({ signal }) => client.getAsset({ project_id: projectId, asset_id: assetId }, { signal }),
  });
}

/** Which columns its columns come from. */
export function columnLineage(client: ObservabilityClient, assetId: string) {
  return queryOptions({
    queryKey: [...detailKey(assetId), 'columns'],
    queryFn: ({ signal }) => client.getColumnLineage({ asset_id: assetId }, { signal }),
  });
}

export const refreshAssets = refreshing(LIST_KEY);

/** After its description changed, which lists show too. What was measured stays. */
export async function refreshAsset(id: string): Promise<void> {
  await Promise.all([queryClient.invalidateQueries({ queryKey: detailKey(id), exact: true }), refreshAssets()]);
}

/** After its attributes changed, which no list shows. */
export function refreshAttributes(id: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: detailKey(id), exact: true });
}

/** The asset and everything that was measured of it. */
export function refreshFindings(id: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: detailKey(id) });
}

/** After the lineage of one changed, others are its parents or children no more. */
export async function refreshLineage(): Promise<void> {
  await refreshAssets();
  await queryClient.invalidateQueries({ queryKey: ['observability', 'asset'] });
}

/** After it was deleted. */
export async function forgetAsset(id: string): Promise<void> {
  queryClient.removeQueries({ queryKey: detailKey(id) });
  await queryClient.invalidateQueries({ queryKey: OBSERVABILITY_KEY });
}

type Place = { readonly id: string; readonly project_id: number };

/** Changes an asset; what is shown of it is read again. */
export function useSaveAsset({ id, project_id: projectId }: Place) {
  const { observability } = useServices();
  return useMutation({
    mutationFn: (change: UpdateAsset) => observability.updateAsset({ project_id: projectId, asset_id: id, ...change }),
    onSuccess: () => refreshAsset(id),
  });
}
