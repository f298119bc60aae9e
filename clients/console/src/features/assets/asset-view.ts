// SPDX-License-Identifier: Apache-2.0
/** Which part of an asset is shown, as it stands in the address. */
import type { MetricHistoryItem } from '@sextant/sdk';
import { type AddressOf, readAddress } from '../../ui/address.ts';

export const TABS = ['overview', 'score', 'attributes', 'scans', 'monitors', 'suggestions', 'schema', 'lineage', 'settings'] as const;
export type AssetTab = (typeof TABS)[number];

const DAY_MS = 86_400_000;

/** Up to the last scan, so that the charts of an asset that is no longer scanned are not empty. */
const daysBefore = (days: number) => (measured: readonly MetricHistoryItem[]) => {
  const [last] = measured;
  return last === undefined ? undefined : new Date(Date.parse(last.metric_time) - days * DAY_MS).toISOString();
};

export const RANGES = [
  { value: 'day', label: '24 h', from: daysBefore(1) },
  { value: 'week', label: '7 d', from: daysBefore(7) },
  { value: 'month', label: '30 d', from: daysBefore(30) },
  { value: 'quarter', label: '90 d', from: daysBefore(90) },
  { value: 'all', label: 'All', from: () => undefined },
] as const;

const FIELDS = { tab: TABS, of: 'text', segment: 'text', range: RANGES.map(({ value }) => value), job: 'text' } as const;

/** `of` is what the charts are of, `job` the scan whose findings are open. */
export type AssetView = AddressOf<typeof FIELDS>;

export function assetView(search: Readonly<Record<string, unknown>>): AssetView {
  return readAddress(search, FIELDS);
}
