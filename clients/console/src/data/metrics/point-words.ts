import type { MetricHistoryItem } from '@sextant/sdk';
import { type SeriesUnit, valueText } from './series.ts';

/** A point that has a value; without one there was nothing to measure. */
export type MeasuredPoint = MetricHistoryItem & { readonly value: number };

/** What is to be said of a point beside its value. */
export function pointNotes(
  series: SeriesUnit,
  { lower_bound: lower, upper_bound: upper, is_violation: isViolation, is_excluded: isExcluded }: MeasuredPoint,
): readonly string[] {
  const text = (bound: number | null, none: string) => (bound === null ? none : valueText(series, bound));
  return [
    ...(lower === null && upper === null
      ? ['no band was learned yet']
      : [`expected ${text(lower, 'anything')} to ${text(upper, 'anything')}`]),
    ...(isViolation ? ['out of the band'] : []),
    ...(isExcluded ? ['left out of learning'] : []),
  ];
}
