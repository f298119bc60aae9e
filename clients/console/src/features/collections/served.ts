/** Which groups of endpoints the service has switched on: those that its own description has. To ask them themselves would be told as a fault by the browser. */
import type { VectorClient } from '@sextant/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useServices } from '../../app/services.tsx';

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
    queryFn: async ({ signal }): Promise<readonly string[]> => {
      const document: unknown = await vector.call('openapi', {}, { signal });
      const paths = typeof document === 'object' && document !== null && 'paths' in document ? document.paths : undefined;
      return Object.keys(typeof paths === 'object' && paths !== null ? paths : {});
    },
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
