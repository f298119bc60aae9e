/** Which part of an asset is shown, as it stands in the address. */
import type { MetricHistoryItem } from '@sextant/sdk';

export const TABS = ['overview', 'score', 'attributes', 'scans', 'monitors', 'schema', 'lineage', 'settings'] as const;
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

export type AssetView = {
  readonly tab?: AssetTab | undefined;
  /** What the charts are of. */
  readonly of?: string | undefined;
  readonly segment?: string | undefined;
  readonly range?: (typeof RANGES)[number]['value'] | undefined;
  /** The scan whose findings are open. */
  readonly job?: string | undefined;
};

export function assetView(search: Readonly<Record<string, unknown>>): AssetView {
  const tab = TABS.find((each) => each === search.tab);
  const range = RANGES.find(({ value }) => value === search.range)?.value;
  const text = (name: 'of' | 'segment' | 'job') => {
    const value = search[name];
    // Digits of an address arrive as a number.
    return typeof value === 'string' || typeof value === 'number' ? { [name]: String(value) } : {};
  };
  return { ...(tab !== undefined && { tab }), ...(range !== undefined && { range }), ...text('of'), ...text('segment'), ...text('job') };
}
