// SPDX-License-Identifier: Apache-2.0
/** The past values most like one that is outside its band: whoever knows what was behind them knows where to look first. */
import type { EvaluatedNumber } from './evaluate-number.ts';
import { inUnit } from './sentence.ts';

/** As an alert lists it, among the facts of `violation_data`. */
export type SimilarValue = {
  readonly metric_time: string;
  readonly value: number;
  /** The value in its unit. */
  readonly text: string;
  /** People left it out of learning, or said that such values are to be expected. */
  readonly is_excluded?: true;
  readonly is_expected?: true;
};

const SIMILAR_MAX = 3;

/** The nearest first, of equally near ones the newest; none where past values are restated, or this one is missing. */
export function similarValues({ watched, value }: Pick<EvaluatedNumber, 'watched' | 'value'>): readonly SimilarValue[] {
  const { history, isRestated = false, traits } = watched;
  if (isRestated || watched.value === null) return [];
  return history
    .flatMap(({ value: past, ...point }) => (past === null || !Number.isFinite(past) ? [] : [{ ...point, past }]))
    .toSorted((one, other) => Math.abs(one.past - value) - Math.abs(other.past - value) || other.timeMs - one.timeMs)
    .slice(0, SIMILAR_MAX)
    .map(({ past, timeMs, isExcluded, isExpected = false }) => ({
      metric_time: new Date(timeMs).toISOString(),
      value: past,
      text: inUnit(past, traits.unit),
      ...(isExcluded ? { is_excluded: true } : {}),
      ...(isExpected ? { is_expected: true } : {}),
    }));
}
