// SPDX-License-Identifier: Apache-2.0
/** A reference implementation of the incident store's queries: arrays and loops. */
import {
  type Asset,
  type Incident,
  type IncidentDistribution,
  type IncidentFilter,
  type IncidentSummary,
  NO_ASSIGNEE,
  NO_IMPACT,
} from '@sextant/contracts-observability';

export type ModelIncident = Incident & { readonly closed_time: string | null; readonly assignee: string | null };
export type ModelAsset = Pick<Asset, 'id' | 'name' | 'type' | 'connection_id'>;

const DAY_MS = 86_400_000;

export function matching(
  incidents: readonly ModelIncident[],
  assets: readonly ModelAsset[],
  filter: IncidentFilter,
): readonly ModelIncident[] {
  const holds = <Value>(values: readonly Value[] | undefined, value: Value) =>
    values === undefined || values.length === 0 || values.includes(value);
  return incidents
    .filter((incident) => {
      const asset = assets.find(({ id }) => id === incident.asset_id);
      if (asset === undefined) return false;
      const text = filter.text_to_search?.toLowerCase();
      return (
        holds(filter.project_ids, incident.project_id) &&
        holds(filter.connection_types, asset.type) &&
        holds(filter.connection_ids, String(asset.connection_id)) &&
        holds(filter.asset_ids, incident.asset_id) &&
        holds(filter.statuses, incident.status) &&
        holds(filter.alert_policy_ids, incident.alert_policy_id) &&
        holds(filter.severities, incident.severity) &&
        holds(filter.impacts, incident.impact || NO_IMPACT) &&
        holds(filter.assignees, incident.assignee ?? NO_ASSIGNEE) &&
        (filter.tags === undefined || filter.tags.length === 0 || incident.tags.some((tag) => filter.tags?.includes(tag))) &&
        (filter.from_time === undefined || Date.parse(incident.created_time) >= Date.parse(filter.from_time)) &&
        (filter.to_time === undefined || Date.parse(incident.created_time) <= Date.parse(filter.to_time)) &&
        (text === undefined || [incident.alert_policy_name, asset.name].some((name) => name.toLowerCase().includes(text)))
      );
    })
    .toSorted((left, right) => Date.parse(right.created_time) - Date.parse(left.created_time) || right.id - left.id);
}

export function distributionOf(found: readonly ModelIncident[], filter: IncidentFilter): IncidentDistribution {
  const days = found.map(({ created_time }) => created_time.slice(0, 10)).toSorted();
  const first = filter.from_time === undefined ? days[0] : new Date(filter.from_time).toISOString().slice(0, 10);
  const last = filter.to_time === undefined ? days.at(-1) : new Date(filter.to_time).toISOString().slice(0, 10);
  const incidents: IncidentDistribution['incidents'][number][] = [];
  if (first === undefined || last === undefined) return { incidents };
  for (let ms = Date.parse(first); ms <= Date.parse(last); ms += DAY_MS) {
    const date = new Date(ms).toISOString().slice(0, 10);
    const today = found.filter(({ created_time }) => created_time.startsWith(date));
    const severe = (level: string) => today.filter(({ severity }) => severity === level).length;
    const impact = (level: string) => today.filter((incident) => incident.impact === level).length;
    incidents.push({
      date,
      counts: { LOW: severe('LOW'), MEDIUM: severe('MEDIUM'), HIGH: severe('HIGH'), '': severe('') },
      counts_by_impact: { LOW: impact('LOW'), MEDIUM: impact('MEDIUM'), HIGH: impact('HIGH') },
    });
  }
  return { incidents };
}

export function summaryOf(incidents: readonly ModelIncident[], nowMs: number): IncidentSummary {
  const withStatus = (status: string) => incidents.filter((incident) => incident.status === status);
  const byTag = (status: string) => {
    const counts: Record<string, number> = {};
    for (const { tags } of withStatus(status)) for (const tag of new Set(tags)) counts[tag] = (counts[tag] ?? 0) + 1;
    return counts;
  };
  const meanHours = (afterMs: number, untilMs: number) => {
    const durations = incidents.flatMap(({ created_time, closed_time }) => {
      const closedMs = closed_time === null ? Number.NaN : Date.parse(closed_time);
      return closedMs > afterMs && closedMs <= untilMs ? [closedMs - Date.parse(created_time)] : [];
    });
    if (durations.length === 0) return 0;
    return Math.floor(durations.reduce((sum, ms) => sum + ms, 0) / durations.length / 3_600_000 + 0.5);
  };
  return {
    total: incidents.length,
    open: withStatus('OPEN').length,
    closed: withStatus('CLOSED').length,
    mean_time_to_resolve: meanHours(nowMs - 30 * DAY_MS, nowMs),
    previous_mean_time_to_resolve: meanHours(nowMs - 60 * DAY_MS, nowMs - 30 * DAY_MS),
    open_by_tag: byTag('OPEN'),
    closed_by_tag: byTag('CLOSED'),
  };
}
