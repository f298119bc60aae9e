// SPDX-License-Identifier: Apache-2.0
import type { ObservabilityClient } from '@sextant/sdk';
import { type QueryClient, queryOptions } from '@tanstack/react-query';

const CHANNELS_KEY = ['observability', 'channels'];

export function channelList(client: ObservabilityClient) {
  return queryOptions({ queryKey: CHANNELS_KEY, queryFn: ({ signal }) => client.listChannels({ signal }) });
}

export function refreshChannels(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: CHANNELS_KEY });
}
