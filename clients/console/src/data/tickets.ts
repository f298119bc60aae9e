// SPDX-License-Identifier: Apache-2.0
import type { ObservabilityClient, PreviewTicket, TrackerConnection } from '@sextant/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { refreshing } from './services/query-client.ts';

const TEMPLATES_KEY = ['observability', 'ticket-templates'];
const TRACKER_KEY = ['observability', 'tracker-connection'];

export function templateList(client: ObservabilityClient) {
  return queryOptions({ queryKey: TEMPLATES_KEY, queryFn: ({ signal }) => client.listTicketTemplates({ signal }) });
}

export function templateDetail(client: ObservabilityClient, id: number) {
  return queryOptions({
    queryKey: [...TEMPLATES_KEY, id],
    queryFn: ({ signal }) => client.getTicketTemplate({ template_id: id }, { signal }),
    refetchOnWindowFocus: false,
  });
}

export function ticketPreview(client: ObservabilityClient, body: PreviewTicket) {
  return queryOptions({
    queryKey: [...TEMPLATES_KEY, 'preview', body],
    queryFn: ({ signal }) => client.previewTicket(body, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });
}

/** Null where no tracker is connected. */
export function trackerConnection(client: ObservabilityClient) {
  return queryOptions({
    queryKey: TRACKER_KEY,
    queryFn: async ({ signal }): Promise<TrackerConnection | null> => {
      const stored = await client.getTrackerConnection({ signal });
      // An empty object stands for none.
      return 'base_url' in stored ? (stored as TrackerConnection) : null;
    },
  });
}

export const refreshTemplates = refreshing(TEMPLATES_KEY);

export const refreshTracker = refreshing(TRACKER_KEY);
