import type { ObservabilityClient } from '@sextant/sdk';
import { queryOptions } from '@tanstack/react-query';

export function sparkConfig(client: ObservabilityClient) {
  return queryOptions({
    queryKey: ['observability', 'spark'],
    queryFn: ({ signal }) => client.getSparkJobConfig({ signal }),
    // What somebody is writing must not be replaced while they look elsewhere.
    refetchOnWindowFocus: false,
  });
}
