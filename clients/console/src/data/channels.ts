// SPDX-License-Identifier: Apache-2.0
import type { ObservabilityClient } from '@sextant/sdk';
import { queryOptions } from '@tanstack/react-query';
import { refreshing } from './services/query-client.ts';

const CHANNELS_KEY = ['observability', 'channels'];

export function channelList(client: ObservabilityClient) {
  return queryOptions({ queryKey: CHANNELS_KEY, queryFn: ({ signal }) => client.listChannels({ signal }) });
}

export const refreshChannels = refreshing(CHANNELS_KEY);
