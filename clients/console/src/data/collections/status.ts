/** What the service says of a collection's memory, storage and graphs. Operators switch it on; without it there is less to show. */
import type { VectorClient } from '@sextant/sdk';
import { queryOptions } from '@tanstack/react-query';

const BUSY_MS = 1_000;
const CALM_MS = 15_000;

export function collectionStatus(vector: VectorClient, name: string, isServed: boolean | undefined) {
  return queryOptions({
    queryKey: ['vector', 'status', name],
    queryFn: ({ signal }) => vector.call('collection_status', { params: { collection_name: name } }, { signal }),
    enabled: isServed === true,
    refetchInterval: ({ state }) => (state.data?.status === 'yellow' ? BUSY_MS : CALM_MS),
  });
}
