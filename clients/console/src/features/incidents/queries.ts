/** What the incident portal asks. Keys begin with `observability`, so that another sign-in forgets them all. */
import type { ObservabilityClient } from '@sextant/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

export const PAGE_INCIDENTS = 100;
const CALM_MS = 30_000;

/** As it stands in the address; each list is joined by commas. */
export type IncidentFilter = {
  readonly impacts?: string | undefined;
  readonly severities?: string | undefined;
  readonly text?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

export function incidentPages(client: ObservabilityClient, { impacts, severities, text, from, to }: IncidentFilter) {
  return infiniteQueryOptions({
    queryKey: ['observability', 'incidents', { impacts, severities, text, from, to }],
    queryFn: ({ pageParam, signal }) =>
      client.listIncidents(
        {
          limit: PAGE_INCIDENTS,
          offset: pageParam,
          ...(impacts !== undefined && { impacts }),
          ...(severities !== undefined && { severities }),
          ...(text !== undefined && { text_to_search: text }),
          ...(from !== undefined && { from_time: `${from}T00:00:00Z` }),
          ...(to !== undefined && { to_time: `${to}T23:59:59Z` }),
        },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < PAGE_INCIDENTS ? undefined : pages.length * PAGE_INCIDENTS),
    refetchInterval: CALM_MS,
  });
}

export function incidentDetail(client: ObservabilityClient, id: number) {
  return queryOptions({
    queryKey: ['observability', 'incident', id],
    queryFn: ({ signal }) => client.getIncident({ incident_id: id }, { signal }),
  });
}

export function incidentActivity(client: ObservabilityClient, id: number) {
  return queryOptions({
    queryKey: ['observability', 'incident', id, 'activity'],
    queryFn: ({ signal }) => client.incidentActivity({ incident_id: id }, { signal }),
  });
}

export function incidentSummary(client: ObservabilityClient) {
  return queryOptions({
    queryKey: ['observability', 'incidents', 'summary'],
    queryFn: ({ signal }) => client.incidentSummary({ signal }),
    refetchInterval: CALM_MS,
  });
}
