// SPDX-License-Identifier: Apache-2.0
/** Which monitors of the tenant are listed, and in which order, as it stands in the address. */
import { type AddressOf, readAddress } from '../../ui/address.ts';

export const MONITOR_KINDS = ['metric', 'expression', 'rule', 'prebuilt'] as const;
export type MonitorKind = (typeof MONITOR_KINDS)[number];

export const KIND_LABELS: { readonly [kind in MonitorKind]: string } = {
  metric: 'metric',
  expression: 'expression',
  rule: 'rule',
  prebuilt: 'pre-built',
};

export const MONITOR_STATES = ['open', 'errored', 'on', 'off'] as const;
export type MonitorState = (typeof MONITOR_STATES)[number];

export const STATE_LABELS: { readonly [state in MonitorState]: string } = {
  open: 'Open incident',
  errored: 'Errored',
  on: 'On',
  off: 'Off',
};

const SORTS = ['name', 'asset', 'kind', 'impact', 'state'] as const;
export type MonitorSort = (typeof SORTS)[number];

const FIELDS = { q: 'text', asset: 'text', kind: MONITOR_KINDS, state: MONITOR_STATES, sort: SORTS, desc: 'flag' } as const;

/** Of which `asset` is an id. */
export type MonitorFilter = AddressOf<typeof FIELDS>;

export function monitorFilter(search: Readonly<Record<string, unknown>>): MonitorFilter {
  return readAddress(search, FIELDS);
}
