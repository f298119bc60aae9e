// SPDX-License-Identifier: Apache-2.0
/** How the values of an attribute moved: shares of its values, or the statistics of its numbers, before and after. */
import type { IncidentEvidence, MetricName } from '@sextant/contracts-observability';
import type { SeriesKey } from '../evaluation/evaluation.ts';
import { median, plainSeries, type ScanSeries } from '../evaluation/scan-series.ts';
import { valueBefore } from './before.ts';

export type DistributionEvidence = Extract<IncidentEvidence, { kind: 'DISTRIBUTION' }>;
type Movement = DistributionEvidence['changes'][number];
type Place = { readonly attribute: string; readonly segment: string | null };

/** Values that moved most. */
const CHANGES_MAX = 8;
/** In percent points; less is noise of a sample. */
const LEAST_MOVE = 0.1;

const STATISTICS: readonly (readonly [MetricName, string])[] = [
  ['MIN', 'min'],
  ['QUANTILE', 'p05'],
  ['QUANTILE', 'p25'],
  ['MEDIAN', 'median'],
  ['QUANTILE', 'p75'],
  ['QUANTILE', 'p95'],
  ['MAX', 'max'],
  ['MEAN', 'mean'],
  ['STDDEV', 'stddev'],
];
/** Statistics that a few records do not move. */
const ROBUST: ReadonlySet<string> = new Set(['p25', 'median', 'p75', 'mean', 'stddev']);
/** A change of the unit multiplies by one factor, further from 1 than prices move, */
const FACTOR_MIN = 1.5;
/** and all statistics by the same, but for what the records of the day do. */
const FACTOR_SPREAD = 1.15;
const FACTORS_MIN = 3;

export function movedStatistics({ attribute, segment }: Place, scan: ScanSeries): DistributionEvidence | undefined {
  const changes = STATISTICS.flatMap(([metric, name]): readonly Movement[] => {
    const series = plainSeries(metric, name, { attribute, segment });
    const [before, after] = [valueBefore(series, scan), scan.valueOf(series)];
    return before === null && after === null ? [] : [{ name, before, after }];
  });
  if (changes.length === 0) return undefined;
  return {
    kind: 'DISTRIBUTION',
    attribute,
    segment,
    measure: 'STATISTIC',
    changes,
    factor: scan.isTime(attribute) ? null : factorOf(changes),
  };
}

/** By which all statistics were multiplied; null where they moved apart. */
export function factorOf(changes: readonly Movement[]): number | null {
  const factors = changes.flatMap(({ name, before, after }) =>
    ROBUST.has(name) && before !== null && after !== null && before !== 0 && after / before > 0 ? [after / before] : [],
  );
  const factor = median(factors);
  if (factor === undefined || factors.length < FACTORS_MIN) return null;
  const isOne = factors.every((each) => each / factor <= FACTOR_SPREAD && factor / each <= FACTOR_SPREAD);
  return isOne && Math.max(factor, 1 / factor) >= FACTOR_MIN ? factor : null;
}

export function movedShares({ attribute, segment }: Place, scan: ScanSeries): DistributionEvidence | undefined {
  const place = { attribute, segment };
  const series: readonly (readonly [string, SeriesKey])[] = [
    ['(null)', plainSeries('NULL_PERCENTAGE', 'ratio', place)],
    ['(empty)', plainSeries('EMPTY_PERCENTAGE', 'ratio', place)],
    ...scan
      .latelyOf('VALUE_DISTRIBUTION')
      .filter(({ series: each }) => each.attribute === attribute && each.segment === segment)
      .map(({ series: each }) => [each.metric_aggregation, each] as const),
  ];
  const changes = series
    .map(([name, each]): Movement => ({ name, before: valueBefore(each, scan), after: scan.valueOf(each) }))
    .filter((change) => moveOf(change) >= LEAST_MOVE)
    .toSorted((one, other) => moveOf(other) - moveOf(one))
    .slice(0, CHANGES_MAX);
  return changes.length === 0 ? undefined : { kind: 'DISTRIBUTION', attribute, segment, measure: 'SHARE', changes, factor: null };
}

/** A value that is not listed has next to no share. */
function moveOf({ before, after }: Movement): number {
  return Math.abs((after ?? 0) - (before ?? 0));
}
