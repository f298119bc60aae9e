// SPDX-License-Identifier: Apache-2.0
/** The nodes that serve the same collections, and where the shards of these are. */
import type { ClusterStatus, VectorClient } from '@sextant/sdk';
import { queryOptions } from '@tanstack/react-query';
import { refreshing } from '../services/query-client.ts';

/** Shards on their way change all the time. */
const REFETCH_MS = 2000;
const CLUSTER_KEY = ['vector', 'cluster'];

export type EnabledCluster = Extract<ClusterStatus, { readonly status: 'enabled' }>;

export function clusterStatus(vector: VectorClient) {
  return queryOptions({ queryKey: CLUSTER_KEY, queryFn: ({ signal }) => vector.cluster({ signal }), refetchInterval: REFETCH_MS });
}

export function collectionShards(vector: VectorClient, name: string) {
  return queryOptions({
    queryKey: [...CLUSTER_KEY, name],
    queryFn: ({ signal }) => vector.collection(name).cluster({ signal }),
    refetchInterval: REFETCH_MS,
  });
}

export const refreshCluster = refreshing(CLUSTER_KEY);
