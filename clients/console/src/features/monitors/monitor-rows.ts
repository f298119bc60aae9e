// SPDX-License-Identifier: Apache-2.0
/** Monitors of all assets, each with its asset and whether it has an open incident. */
import type { Asset, Check, Incident, Monitor } from '@sextant/sdk';
import { isPrebuilt } from '../../data/monitors.ts';
import { KIND_LABELS, type MonitorFilter, type MonitorKind, type MonitorSort, type MonitorState } from './monitor-filter.ts';
import { watchText } from './monitor-text.ts';

export type MonitorRow = {
  readonly monitor: Monitor;
  readonly asset: Pick<Asset, 'id' | 'name' | 'project_id'>;
  readonly kind: MonitorKind;
  readonly watches: string;
  readonly hasOpen: boolean;
  /** Why the last scan could not evaluate it; null where it could. */
  readonly error: string | null;
};

type Listings = {
  readonly monitors: readonly Monitor[];
  readonly assets: readonly Pick<Asset, 'id' | 'name' | 'project_id'>[];
  readonly openIncidents: readonly Pick<Incident, 'asset_id' | 'alert_policy_id'>[];
  readonly erroredChecks: readonly Pick<Check, 'asset_id' | 'monitor_id' | 'reason'>[];
};

/** Those whose asset is known; one that was made or deleted between the two readings is missing until the next. */
export function monitorRows({ monitors, assets, openIncidents, erroredChecks }: Listings): readonly MonitorRow[] {
  const assetOf = new Map(assets.map((asset) => [asset.id, asset]));
  const open = new Set(openIncidents.map(({ asset_id, alert_policy_id }) => `${asset_id}/${alert_policy_id}`));
  const errors = new Map(erroredChecks.map(({ asset_id, monitor_id, reason }) => [`${asset_id}/${monitor_id}`, reason ?? '']));
  return monitors.flatMap((monitor) => {
    const asset = assetOf.get(monitor.asset_id);
    if (asset === undefined) return [];
    const key = `${asset.id}/${monitor.id}`;
    const error = monitor.enabled ? (errors.get(key) ?? null) : null;
    return [{ monitor, asset, kind: kindOf(monitor), watches: watchText(monitor), hasOpen: open.has(key), error }];
  });
}

export function kindOf(monitor: Pick<Monitor, 'id' | 'type'>): MonitorKind {
  if (isPrebuilt(monitor)) return 'prebuilt';
  if (monitor.type === 'RULE') return 'rule';
  return monitor.type === 'METRIC' ? 'expression' : 'metric';
}

/** Those that pass all but the state, so that each choice can be shown with its count. */
export function filteredMonitors(rows: readonly MonitorRow[], { q = '', asset: assetId, kind }: MonitorFilter): readonly MonitorRow[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    if ((assetId !== undefined && row.asset.id !== assetId) || (kind !== undefined && row.kind !== kind)) return false;
    if (words.length === 0) return true;
    const text = `${row.monitor.name} ${row.asset.name} ${row.watches} ${row.monitor.tags?.join(' ') ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export function inState(rows: readonly MonitorRow[], state: MonitorState | undefined): readonly MonitorRow[] {
  if (state === undefined) return rows;
  return rows.filter(({ monitor, hasOpen, error }) => {
    if (state === 'open') return hasOpen;
    return state === 'errored' ? error !== null : monitor.enabled === (state === 'on');
  });
}

const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
const IMPACTS = { HIGH: 0, MEDIUM: 1, LOW: 2 } as const;

/** Of equal ones those that people made come first, then by name and asset. */
export function sortedMonitors(rows: readonly MonitorRow[], { sort = 'state', desc = false }: MonitorFilter): readonly MonitorRow[] {
  const sign = desc ? -1 : 1;
  return rows.toSorted(
    (a, b) => sign * compared(a, b, sort) || ofPeople(a, b) || byName(a, b) || names.compare(a.asset.name, b.asset.name),
  );
}

function compared(a: MonitorRow, b: MonitorRow, sort: MonitorSort): number {
  switch (sort) {
    case 'name':
      return byName(a, b);
    case 'asset':
      return names.compare(a.asset.name, b.asset.name);
    case 'kind':
      return names.compare(KIND_LABELS[a.kind], KIND_LABELS[b.kind]);
    case 'impact':
      return impactPlace(a) - impactPlace(b);
    case 'state':
      return statePlace(a) - statePlace(b);
  }
}

function byName(a: MonitorRow, b: MonitorRow): number {
  return names.compare(a.monitor.name, b.monitor.name);
}

function ofPeople(a: MonitorRow, b: MonitorRow): number {
  return Number(a.kind === 'prebuilt') - Number(b.kind === 'prebuilt');
}

function impactPlace({ monitor: { impact } }: MonitorRow): number {
  return impact === null ? Object.keys(IMPACTS).length : IMPACTS[impact];
}

/** What asks for somebody first. */
function statePlace({ hasOpen, error, monitor: { enabled } }: MonitorRow): number {
  if (hasOpen || error !== null) return 0;
  return enabled ? 1 : 2;
}
