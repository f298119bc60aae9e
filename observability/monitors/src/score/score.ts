// SPDX-License-Identifier: Apache-2.0
/**
 * The data quality score: `sum(value * weight) / sum(weight)` over completeness, accuracy, consistency and timeliness, 0 to 100, as the published
 * guide defines it. A dimension of which nothing is known takes no part in either sum. An open incident of high severity caps the whole.
 */
import type { DqScoreConfig, ScoreBand, ScorePart, ScorePartChange } from '@sextant/contracts-observability';
import type { ScoreMeasure } from './measures.ts';

/** Equal weights: the published answer for an asset that nobody has configured. */
export const DEFAULT_DQ_SCORE: DqScoreConfig = {
  enabled: true,
  weights: { completeness: 0.25, accuracy: 0.25, consistency: 0.25, timeliness: 0.25 },
};

/** What lies below is noise of floating point, which would put 90 below 90. */
const PRECISION = 1e10;

export type Score = {
  /** Null where no dimension that has a weight is known. */
  readonly score: number | null;
  /** In the order of the measures. */
  readonly parts: readonly ScorePart[];
  /** Points by which the cap lies below what the parts add up to. */
  readonly deduction: number;
};

/** Weights of any scale; at least one is above 0. The cap is the most that the score may be. */
export function scoreOf(measures: readonly ScoreMeasure[], weights: DqScoreConfig['weights'], cap = 100): Score {
  // Divided by the largest first: sums of very large numbers have an end, and shares of very small ones lose their digits.
  const largest = Math.max(...Object.values(weights));
  const weightOf = ({ dimension, value }: ScoreMeasure): number => (value === null ? 0 : weights[dimension] / largest);
  const total = measures.reduce((sum, measure) => sum + weightOf(measure), 0);
  const parts = measures.map((measure): ScorePart => {
    const { dimension, value, measured_from } = measure;
    const weight = total === 0 ? 0 : weightOf(measure) / total;
    return { dimension, value, weight, contribution: weight * (value ?? 0), measured_from };
  });
  const sum = parts.reduce((points, { contribution }) => points + contribution, 0);
  if (total === 0 || !saysSomething(parts)) return { score: null, parts, deduction: 0 };
  const mean = Math.min(100, Math.max(0, Math.round(sum * PRECISION) / PRECISION));
  const score = Math.min(mean, cap);
  return { score, parts, deduction: mean - score };
}

/**
 * Whether the data themselves were measured, or something speaks against them. That no incident is open after a scan that read no values is no reason to
 * call them good.
 */
function saysSomething(parts: readonly ScorePart[]): boolean {
  return parts.some(
    ({ dimension, value, weight }) =>
      value !== null && ((value < 100 && weight > 0) || dimension === 'completeness' || dimension === 'accuracy'),
  );
}

/** Published as 90 to 100, 75 to 89, 60 to 74 and 0 to 59: a score between two whole numbers belongs to the lower band. */
export function bandOf(score: number): ScoreBand {
  if (score >= 90) return 'excellent';
  if (score >= 75) return 'good';
  return score >= 60 ? 'fair' : 'poor';
}

/**
 * What each dimension has to do with the difference of two scores. Its contribution changes with its value and with its weight; each change counts at
 * the mean of the other factor, which leaves no remainder (the Shapley value of two factors).
 */
export function explainChange(before: readonly ScorePart[], after: readonly ScorePart[]): readonly ScorePartChange[] {
  return after.map((now) => {
    const then = before.find(({ dimension }) => dimension === now.dimension);
    // An unknown value has no weight: its appearance is a change of weight alone.
    const valueThen = then?.value ?? now.value ?? 0;
    const valueNow = now.value ?? valueThen;
    const weightThen = then?.weight ?? 0;
    const of_value = ((valueNow - valueThen) * (weightThen + now.weight)) / 2;
    const of_weight = ((now.weight - weightThen) * (valueThen + valueNow)) / 2;
    return { dimension: now.dimension, difference: of_value + of_weight, of_value, of_weight };
  });
}
