// SPDX-License-Identifier: Apache-2.0
import type { ObservabilityClient } from '@sextant/sdk';
import { queryOptions } from '@tanstack/react-query';
import { refreshing } from './services/query-client.ts';

const API_KEYS_KEY = ['observability', 'api-keys'];

export function apiKeys(client: ObservabilityClient) {
  return queryOptions({ queryKey: API_KEYS_KEY, queryFn: async ({ signal }) => (await client.listApiKeys({ signal })).keys });
}

export const refreshApiKeys = refreshing(API_KEYS_KEY);
