// SPDX-License-Identifier: Apache-2.0
import type { Asset, IncidentDetail, IncidentState, Monitor } from '@sextant/contracts-observability';
import type { NewAlert } from '@sextant/observability-metadata';

/** One step in the life of an incident. */
export type IncidentEvent = {
  readonly incident: IncidentDetail;
  readonly state: IncidentState;
  /** The alerts of this step; none when it was resolved. */
  readonly alerts: readonly NewAlert[];
  readonly asset: Asset;
  /** Undefined when the monitor has been deleted. */
  readonly monitor: Monitor | undefined;
  /** A person's e-mail address, or `system`. */
  readonly actor: string;
  /** The incident that is the cause of it: itself where it stands alone, and when left out. */
  readonly rootId?: number;
};

export function rootOf({ incident, rootId }: Pick<IncidentEvent, 'incident' | 'rootId'>): number {
  return rootId ?? incident.id;
}

/** The more severe, the higher. */
export function rankOfSeverity(severity: IncidentDetail['severity']): number {
  return ['', 'LOW', 'MEDIUM', 'HIGH'].indexOf(severity);
}
