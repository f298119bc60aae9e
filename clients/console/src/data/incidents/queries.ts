// SPDX-License-Identifier: Apache-2.0
/** What is read of incidents: pages and counts of the list, and everything about one of them. */
import type { Incident, IncidentDetail, ObservabilityClient } from '@sextant/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { refreshScores } from '../scores.ts';
import { queryClient, refreshing } from '../services/query-client.ts';
import { filterQuery, type IncidentFilter } from './filter.ts';

/** What one request of the list brings; those that are in sight are asked for. */
export const PAGE_INCIDENTS = 100;
const ALL_KEY = ['observability', 'incidents'];
const oneKey = (id: number) => ['observability', 'incident', id];

const CALM_MS = 30_000;
const BUSY_MS = 2_000;
const DELIVERIES = 200;
/** From which what can be filtered by is taken: monitors that had an incident of late. */
const NEWEST = 1_000;

export type Impact = Exclude<Incident['impact'], ''>;
export const IMPACTS = ['HIGH', 'MEDIUM', 'LOW'] as const satisfies readonly Impact[];

/** As the service writes it among impacts, for incidents whose monitor says none. */
export const NOT_RATED = 'NONE';

export function incidentPage(client: ObservabilityClient, filter: IncidentFilter, page: number) {
  return queryOptions({
    queryKey: [...ALL_KEY, 'page', filter, page],
    queryFn: ({ signal }) =>
      client.listIncidents({ ...filterQuery(filter), limit: PAGE_INCIDENTS, offset: page * PAGE_INCIDENTS }, { signal }),
    refetchInterval: CALM_MS,
  });
}

export type IncidentCounts = { readonly total: number; readonly byImpact: { readonly [Level in Impact]: number } };

/** How many pass a filter. The list does not say; the distribution counts each once. */
export function incidentCounts(client: ObservabilityClient, filter: IncidentFilter) {
  return queryOptions({
    queryKey: [...ALL_KEY, 'counts', filter],
    queryFn: async ({ signal }): Promise<IncidentCounts> => {
      const { incidents } = await client.incidentDistribution(filterQuery(filter), { signal });
      const byImpact = { LOW: 0, MEDIUM: 0, HIGH: 0 };
      let total = 0;
      for (const { counts, counts_by_impact: impacts } of incidents) {
        total += counts.LOW + counts.MEDIUM + counts.HIGH + counts[''];
        for (const impact of IMPACTS) byImpact[impact] += impacts[impact];
      }
      return { total, byImpact };
    },
    refetchInterval: CALM_MS,
  });
}

export function newestIncidents(client: ObservabilityClient, filter: IncidentFilter, limit: number) {
  return queryOptions({
    queryKey: [...ALL_KEY, 'newest', filter, limit],
    queryFn: ({ signal }) => client.listIncidents({ ...filterQuery(filter), limit }, { signal }),
    refetchInterval: CALM_MS,
  });
}

/** The monitors that had an incident of late, with their names. */
export function knownPolicies(client: ObservabilityClient) {
  return queryOptions({
    ...newestIncidents(client, {}, NEWEST),
    placeholderData: keepPreviousData,
    refetchInterval: false,
    staleTime: CALM_MS,
  });
}

export function incidentDetail(client: ObservabilityClient, id: number) {
  return queryOptions({
    queryKey: oneKey(id),
    queryFn: ({ signal }) => client.getIncident({ incident_id: id }, { signal }),
    refetchInterval: CALM_MS,
  });
}

export function incidentActivity(client: ObservabilityClient, id: number) {
  return queryOptions({
    queryKey: [...oneKey(id), 'activity'],
    queryFn: ({ signal }) => client.incidentActivity({ incident_id: id }, { signal }),
    refetchInterval: CALM_MS,
  });
}

/** Why it is there, and which others have the same cause. */
export function incidentStory(client: ObservabilityClient, id: number) {
  return queryOptions({
    queryKey: [...oneKey(id), 'story'],
    queryFn: ({ signal }) => client.incidentStory({ incident_id: id }, { signal }),
    refetchInterval: CALM_MS,
  });
}

export function similarIncidents(client: ObservabilityClient, id: number) {
  return queryOptions({
    queryKey: [...oneKey(id), 'similar'],
    queryFn: ({ signal }) => client.similarIncidents({ incident_id: id }, { signal }),
  });
}

export function incidentSummary(client: ObservabilityClient) {
  return queryOptions({
    queryKey: [...ALL_KEY, 'summary'],
    queryFn: ({ signal }) => client.incidentSummary({ signal }),
    refetchInterval: CALM_MS,
  });
}

/** The alerts that the history of an incident refers to, newest first. */
export function incidentAlerts(client: ObservabilityClient, { id, asset_id, history }: IncidentDetail) {
  const references = history.flatMap((each) => each.alert_refs);
  return queryOptions({
    queryKey: [...oneKey(id), 'alerts', references.length],
    queryFn: async ({ signal }) => {
      const upload_dates = [...new Set(references.map((each) => each.metric_time))];
      const violation_names = [...new Set(references.map((each) => each.violation_name))];
      const alerts = await client.alertsByFilters({ sources: [asset_id], upload_dates, violation_names }, { signal });
      return alerts.toSorted((a, b) => Date.parse(b.metric_time) - Date.parse(a.metric_time));
    },
    enabled: references.length > 0,
  });
}

/** What went out because of an incident: messages, its ticket. */
export function incidentDeliveries(client: ObservabilityClient, id: number) {
  return queryOptions({
    queryKey: [...oneKey(id), 'deliveries'],
    queryFn: ({ signal }) => client.listDeliveries({ incident_id: id, limit: DELIVERIES }, { signal }),
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'PENDING') === true ? BUSY_MS : CALM_MS),
  });
}

/** Null where it has none. */
export function incidentTicket(client: ObservabilityClient, { id, ticket_id }: Pick<Incident, 'id' | 'ticket_id'>) {
  return queryOptions({
    queryKey: [...oneKey(id), 'ticket', ticket_id],
    queryFn: ({ signal }) => (ticket_id === 0 ? null : client.getTicket({ incident_id: id }, { signal })),
    refetchInterval: CALM_MS,
  });
}

/** What is open now, of all assets. */
export function openIncidents(client: ObservabilityClient) {
  return queryOptions({
    queryKey: [...ALL_KEY, 'open'],
    queryFn: ({ signal }) => client.listIncidents({ statuses: 'OPEN' }, { signal }),
    refetchInterval: CALM_MS,
  });
}

/** Of each day of a period, those that began on it. */
export function incidentsByDay(client: ObservabilityClient, period: Pick<IncidentFilter, 'from' | 'to'>) {
  return queryOptions({
    queryKey: [...ALL_KEY, 'by-day', period],
    queryFn: ({ signal }) => client.incidentDistribution(filterQuery(period), { signal }),
  });
}

/** Of each kind; those that are shown are chosen among them. */
const RELATED_MAX = 100;
/** Before and after the beginning of an incident: what else began then may have the same cause. */
export const NEAR_MS = 2 * 3_600_000;

/** Incidents of some assets, and those that began about the time when this one did. */
export function incidentsNear(client: ObservabilityClient, { id, created_time }: Incident, assetIds: readonly string[] | undefined) {
  return queryOptions({
    queryKey: [...ALL_KEY, 'related', id, created_time],
    queryFn: async ({ signal }) => {
      const beganMs = Date.parse(created_time);
      const near = { from_time: new Date(beganMs - NEAR_MS).toISOString(), to_time: new Date(beganMs + NEAR_MS).toISOString() };
      const linked = { asset_ids: (assetIds ?? []).slice(0, RELATED_MAX).join(',') };
      const lists = await Promise.all([linked, near].map((query) => client.listIncidents({ ...query, limit: RELATED_MAX }, { signal })));
      return lists.flat();
    },
    enabled: assetIds !== undefined,
  });
}

export function incidentTicketPreview(client: ObservabilityClient, id: number, templateId: number | undefined) {
  return queryOptions({
    queryKey: [...oneKey(id), 'ticket-preview', templateId],
    queryFn: ({ signal }) => client.previewTicket({ template_id: templateId, incident_id: id }, { signal }),
  });
}

export const refreshIncidents = refreshing(ALL_KEY);

/** After its ticket was made or given up, which the incident names. */
export function refreshTicket(id: number): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: oneKey(id), exact: true });
}

/** After something was done about an incident, it and all lists and counts are read again. */
export async function refreshIncident(id: number): Promise<void> {
  await Promise.all([queryClient.invalidateQueries({ queryKey: oneKey(id) }), refreshIncidents(), refreshScores()]);
}
