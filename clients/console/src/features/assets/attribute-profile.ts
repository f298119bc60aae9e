// SPDX-License-Identifier: Apache-2.0
/** What one scan says of each attribute, gathered from its points. */
import type { MetricHistoryItem } from '@sextant/sdk';

export type Quantiles = {
  readonly min: number;
  readonly p05: number;
  readonly p25: number;
  readonly median: number;
  readonly p75: number;
  readonly p95: number;
  readonly max: number;
};
export type FrequentValue = { readonly value: string; readonly percent: number };

export type AttributeProfile = {
  readonly completeness: number | null;
  readonly distinct: number | null;
  readonly uniqueness: number | null;
  readonly mean: number | null;
  /** Of numbers and dates. */
  readonly quantiles: Quantiles | null;
  /** The most frequent first. */
  readonly frequent: readonly FrequentValue[];
};

const QUANTILES = [
  ['min', 'MIN', undefined],
  ['p05', 'QUANTILE', 'p05'],
  ['p25', 'QUANTILE', 'p25'],
  ['median', 'MEDIAN', undefined],
  ['p75', 'QUANTILE', 'p75'],
  ['p95', 'QUANTILE', 'p95'],
  ['max', 'MAX', undefined],
] as const;

/** By the name of the attribute; segments are left aside. */
export function attributeProfiles(points: readonly MetricHistoryItem[]): ReadonlyMap<string, AttributeProfile> {
  const whole = points.filter(
    ({ attribute, segment, monitor_id: monitorId }) => attribute !== null && segment === null && monitorId === null,
  );
  const byAttribute = Map.groupBy(whole, ({ attribute }) => attribute ?? '');
  return new Map([...byAttribute].map(([name, own]) => [name, profileOf(own)]));
}

function profileOf(points: readonly MetricHistoryItem[]): AttributeProfile {
  const measure = (metric: string, aggregation?: string): number | null =>
    points.find((each) => each.metric_name === metric && (aggregation === undefined || each.metric_aggregation === aggregation))?.value ??
    null;
  return {
    completeness: measure('COMPLETENESS'),
    distinct: measure('DISTINCT_COUNT'),
    uniqueness: measure('UNIQUENESS'),
    mean: measure('MEAN'),
    quantiles: quantilesOf(measure),
    frequent: points
      .flatMap(({ metric_name: metric, metric_aggregation: value, value: percent }) =>
        metric === 'VALUE_DISTRIBUTION' && percent !== null ? [{ value, percent }] : [],
      )
      .toSorted((a, b) => b.percent - a.percent),
  };
}

function quantilesOf(measure: (metric: string, aggregation?: string) => number | null): Quantiles | null {
  const known = QUANTILES.map(([name, metric, aggregation]) => [name, measure(metric, aggregation)] as const);
  if (known.some(([, value]) => value === null)) return null;
  const of = (wanted: keyof Quantiles) => known.find(([name]) => name === wanted)?.[1] ?? 0;
  return { min: of('min'), p05: of('p05'), p25: of('p25'), median: of('median'), p75: of('p75'), p95: of('p95'), max: of('max') };
}
