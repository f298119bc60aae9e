// SPDX-License-Identifier: Apache-2.0
import type { ObservabilityClient } from '@sextant/sdk';
import { type QueryClient, queryOptions } from '@tanstack/react-query';

const API_KEYS_KEY = ['observability', 'api-keys'];

export function apiKeys(client: ObservabilityClient) {
  return queryOptions({ queryKey: API_KEYS_KEY, queryFn: async ({ signal }) => (await client.listApiKeys({ signal })).keys });
}

export function refreshApiKeys(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: API_KEYS_KEY });
}
