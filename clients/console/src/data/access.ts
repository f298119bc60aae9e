// SPDX-License-Identifier: Apache-2.0
import { AuthenticationError, VectorClient } from '@sextant/sdk';
import { queryOptions } from '@tanstack/react-query';
import { refreshing } from './services/query-client.ts';

/** Whether requests without a credential are refused. The service says it to whoever asks for something without one. */
export function enforced({ url }: VectorClient) {
  return queryOptions({
    queryKey: ['vector', 'enforced'],
    queryFn: async ({ signal }) => {
      try {
        await new VectorClient({ url }).listCollections({ signal });
        return false;
      } catch (error) {
        if (error instanceof AuthenticationError) return true;
        throw error;
      }
    },
  });
}

export function adminExists(vector: VectorClient) {
  return queryOptions({ queryKey: ['vector', 'admin'], queryFn: ({ signal }) => vector.adminExists({ signal }) });
}

const TOKENS_KEY = ['vector', 'tokens'];

export function accessTokens(vector: VectorClient) {
  return queryOptions({ queryKey: TOKENS_KEY, queryFn: ({ signal }) => vector.listAccessTokens({ signal }) });
}

export const refreshAccessTokens = refreshing(TOKENS_KEY);
