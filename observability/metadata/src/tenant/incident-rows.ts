// SPDX-License-Identifier: Apache-2.0
/** Incidents and their steps as rows. */
import type { Incident, IncidentHistoryItem } from '@sextant/contracts-observability';
import type { Schema } from '../database/schema.ts';
import { fromJson, toTime } from '../database/values.ts';

export type IncidentRow = Schema['incidents'];

/** What a list item needs; the metrics of the detail are larger. */
export const LISTED = [
  'id',
  'project_id',
  'asset_id',
  'last_upload_ms',
  'created_ms',
  'severity',
  'impact',
  'status',
  'ticket_id',
  'alert_policy_id',
  'alert_policy_name',
  'description',
  'tags',
  'kind',
] as const;

export function toIncident(row: Pick<IncidentRow, (typeof LISTED)[number]>): Incident {
  const { id, project_id, asset_id, ticket_id, alert_policy_id, alert_policy_name, description } = row;
  return {
    id,
    project_id,
    asset_id,
    last_upload_timestamp: toTime(row.last_upload_ms),
    created_time: toTime(row.created_ms),
    // The store wrote these from an `Incident`.
    severity: row.severity as Incident['severity'],
    impact: (row.impact ?? '') as Incident['impact'],
    status: row.status as Incident['status'],
    ticket_id: ticket_id ?? 0,
    alert_policy_id,
    alert_policy_name,
    description,
    tags: fromJson<readonly string[]>(row.tags),
    kind: row.kind as Incident['kind'],
  };
}

export function toHistoryItem({ event_ms, state, alert_refs }: Schema['incident_history']): IncidentHistoryItem {
  // The store wrote the state from an `IncidentHistoryItem`.
  return { timestamp: toTime(event_ms), state: state as IncidentHistoryItem['state'], alert_refs: fromJson(alert_refs) };
}
