// SPDX-License-Identifier: Apache-2.0
/** The configurations of the tenant: where reports go, and on which clusters data quality jobs run. */
import type { DqReporting, ObservabilityClient } from '@sextant/sdk';
import { queryOptions } from '@tanstack/react-query';

/** Where reports of scans are written; null where none are. */
export function reporting(client: ObservabilityClient) {
  return queryOptions({
    queryKey: ['observability', 'reporting'],
    queryFn: async ({ signal }): Promise<DqReporting | null> => {
      const stored = await client.getDqReporting({ signal });
      // An empty object stands for none.
      return 'connection_id' in stored ? (stored as DqReporting) : null;
    },
    refetchOnWindowFocus: false,
  });
}

export function sparkConfig(client: ObservabilityClient) {
  return queryOptions({
    queryKey: ['observability', 'spark'],
    queryFn: ({ signal }) => client.getSparkJobConfig({ signal }),
    // What somebody is writing must not be replaced while they look elsewhere.
    refetchOnWindowFocus: false,
  });
}
