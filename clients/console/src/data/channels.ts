import type { ObservabilityClient } from '@sextant/sdk';
import { queryOptions } from '@tanstack/react-query';

export const CHANNELS_KEY = ['observability', 'channels'];

export function channelList(client: ObservabilityClient) {
  return queryOptions({ queryKey: CHANNELS_KEY, queryFn: ({ signal }) => client.listChannels({ signal }) });
}

/** Users beyond these are counted, not named. */
const USERS_MAX = 100;

/** The monitors that tell a channel. */
export function channelUsers(client: ObservabilityClient, channel: string) {
  return queryOptions({
    queryKey: ['observability', 'monitors', 'of-channel', channel],
    queryFn: ({ signal }) => client.listTenantMonitors({ channel, limit: USERS_MAX }, { signal }),
  });
}
