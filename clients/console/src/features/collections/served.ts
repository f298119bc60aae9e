/**
 * Which groups of endpoints the service has switched on, by its own description, in which the others do nothing but answer 501. To ask them themselves
 * would be told as a fault by the browser.
 */
import type { VectorClient } from '@sextant/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useServices } from '../../app/services.tsx';
import { servedPathsOf } from './served-paths.ts';

const GROUPS = {
  aliases: '/collections/{collection_name}/aliases',
  snapshots: '/collections/{collection_name}/snapshots',
  recovery: '/collections/{collection_name}/snapshots/upload',
  status: '/collections/{collection_name}/status',
} as const;

type Group = keyof typeof GROUPS;

function servedPaths(vector: VectorClient) {
  return queryOptions({
    queryKey: ['vector', 'served'],
    queryFn: async ({ signal }) => servedPathsOf(await vector.call('openapi', {}, { signal })),
    // It changes with a restart of the service alone.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Undefined until it is known. */
export function useIsServed(group: Group): boolean | undefined {
  const { vector } = useServices();
  const { data } = useQuery(servedPaths(vector));
  return data?.includes(GROUPS[group]);
}
