import type { ObservabilityClient, PreviewTicket, TrackerConnection } from '@sextant/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';

export const TEMPLATES_KEY = ['observability', 'ticket-templates'];
export const TRACKER_KEY = ['observability', 'tracker-connection'];

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

/** The monitors that make tickets by a template. */
export function templateUsers(client: ObservabilityClient, id: number) {
  return queryOptions({
    queryKey: ['observability', 'monitors', 'of-template', id],
    queryFn: ({ signal }) => client.listTenantMonitors({ ticket_template_id: id, limit: 100 }, { signal }),
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

const INCIDENTS = 20;

/** To try a template on. */
export function newestIncidents(client: ObservabilityClient) {
  return queryOptions({
    queryKey: ['observability', 'incidents', 'newest', INCIDENTS],
    queryFn: ({ signal }) => client.listIncidents({ limit: INCIDENTS }, { signal }),
  });
}
