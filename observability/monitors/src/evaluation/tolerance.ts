// SPDX-License-Identifier: Apache-2.0
/**
 * The smallest departure from what is expected that is worth telling, for learned thresholds. A band that was learned from a few quiet
 * scans is narrower than chance allows, so each is kept at least as wide as two things ask: what sampling alone may do to a value measured
 * on so many records (concentration inequalities, which hold for any distribution), and the least effect that matters to anybody (effect
 * sizes after Cohen, "Statistical Power Analysis for the Behavioral Sciences", 2nd edition 1988).
 */
import type { SeriesKey } from './evaluation.ts';
import { type Place, plainSeries, type ScanSeries } from './scan-series.ts';

/** By how much a value may differ from `expected`, in the unit of the metric. */
export type Tolerance = (expected: number) => number;

/** One false alarm by sampling per monitor in so many scans, whatever the number of its series (Bonferroni). */
const SCANS_PER_FALSE_ALARM = 1000;
/** Cohen's h of two shares; 0.2 is his "small". At one half it is 2.5 points, at 98 % 0.8 points, at 100 % 0.06 points. */
const SHARE_EFFECT = 0.05;
/** Cohen's d of two means; 0.2 is his "small". */
const MEAN_EFFECT = 0.1;
/** Shares of the expected value. */
const RECORDS_EFFECT = 0.05;
const DEVIATION_EFFECT = 0.15;
const CHARACTERS_EFFECT = 0.05;
const RATIO_EFFECT = 0.05;
/** A new extreme is one when it lies as far beyond the past range as that is wide. */
const EXTREME_EFFECT = 1;
/** Points that are written are indexed later, some percent of them may be under way. */
const COVERAGE_EFFECT = 5;
/** Centroids: the cosine distance of eight degrees, and a tenth of the mean norm. */
const COSINE_EFFECT = 0.01;
const EUCLID_EFFECT = 0.1;

/** Cosine of what the words of a text foretell with its vector. */
const AGREEMENT_EFFECT = 0.05;
/** Standard deviations of what chance gives. */
const MEAN_SHIFT_EFFECT = 4;
/** Percent. */
const RECALL_EFFECT = 0.5;
/** Into which a scan divides the vectors at most. */
const CELLS = 128;
const CELL_EFFECT = 0.01;

/** ln(2 / chance) for each of the series of a monitor: what the inequalities below need. */
export function confidenceOf(familySize: number): number {
  return Math.log(2 * SCANS_PER_FALSE_ALARM * Math.max(1, familySize));
}

/**
 * Of a share (0 to 1) measured on n records: Bernstein's inequality (Boucheron, Lugosi, Massart, "Concentration Inequalities", 2013,
 * section 2.8) and h.
 */
export function shareTolerance(share: number, records: number, confidence: number): number {
  const within = Math.min(1, Math.max(0, share));
  const variance = within * (1 - within);
  const chance = Math.sqrt((2 * variance * confidence) / records) + (2 * confidence) / (3 * records);
  const angle = 2 * Math.asin(Math.sqrt(within));
  const lower = Math.sin(Math.max(0, angle - SHARE_EFFECT) / 2) ** 2;
  const upper = Math.sin(Math.min(Math.PI, angle + SHARE_EFFECT) / 2) ** 2;
  return Math.max(chance, within - lower, upper - within);
}

/** The tolerance of one series; none where nothing is known of its nature, as of metrics that people define. */
export function toleranceOf(series: SeriesKey, scan: ScanSeries, confidence: number): Tolerance {
  const { metric_name: metric, metric_aggregation: aggregation, attribute, segment } = series;
  const place = { attribute, segment };
  const records = Math.max(1, scan.recordsOf(segment));
  switch (metric) {
    case 'COMPLETENESS':
    case 'NULL_PERCENTAGE':
    case 'EMPTY_PERCENTAGE':
    case 'PAYLOAD_COMPLETENESS':
    case 'CORRECTNESS':
    case 'VECTOR_DIMENSION_CONFORMITY':
    case 'REJECTED_ROWS':
    case 'TYPE_MISMATCH':
      return (expected) => 100 * shareTolerance(expected / 100, records, confidence);
    case 'UNIQUENESS':
    case 'CONTAINS_PII':
      return (expected) => 100 * shareTolerance(expected / 100, scan.presentOf(place), confidence);
    case 'INDEX_COVERAGE':
      return () => COVERAGE_EFFECT;
    case 'RECORD_COUNT':
      return (expected) => Math.max(RECORDS_EFFECT * expected, segment === null ? 0 : countTolerance(expected, confidence));
    case 'DISTINCT_COUNT':
      return (expected) => Math.max(RECORDS_EFFECT * expected, countTolerance(expected, confidence));
    case 'DUPLICATE_COUNT':
    case 'VECTOR_DUPLICATE_COUNT':
    case 'VECTOR_NAN_COUNT':
    case 'VECTOR_INFINITE_COUNT':
    case 'VECTOR_ZERO_COUNT':
    case 'VECTOR_CONSTANT_COUNT':
    case 'VECTOR_TRUNCATED_COUNT':
      return (expected) => records * shareTolerance(expected / records, records, confidence);
    case 'MIN':
    case 'MAX':
    case 'MEAN':
    case 'MEDIAN':
    case 'STDDEV':
    case 'QUANTILE':
    case 'VECTOR_NORM':
      return numberTolerance(aggregation, numbersOf(series, scan), confidence);
    case 'LENGTH':
    case 'LETTER_COUNT':
    case 'DIGIT_COUNT':
    case 'SPACE_COUNT':
    case 'SPECIAL_CHARACTER_COUNT':
      return charactersTolerance(series, scan, confidence);
    case 'CENTROID_SHIFT': {
      const norm = scan.typicalOf(plainSeries('VECTOR_NORM', 'mean', place)) ?? 0;
      return () => (aggregation === 'cosine' ? COSINE_EFFECT : EUCLID_EFFECT * norm);
    }
    case 'VECTOR_FAR_SHARE':
    case 'VECTOR_NORM_OUTLIER_SHARE':
    case 'VECTOR_ROUNDED_SHARE':
    case 'VECTOR_NEAR_DUPLICATE_SHARE':
    case 'VECTOR_TEXT_MISMATCH_SHARE':
      return (expected) => 100 * rareShareTolerance(expected / 100, comparedOf(place, scan), confidence);
    case 'VECTOR_INPUT_NORM_OUTLIER_SHARE':
      return (expected) => 100 * rareShareTolerance(expected / 100, writtenOf(place, scan), confidence);
    case 'WRONG_CELLS':
      return (expected) => 100 * rareShareTolerance(expected / 100, records, confidence);
    case 'VECTOR_CELL_SHIFT':
      return (expected) => cellTolerance(expected, comparedOf(place, scan), confidence);
    case 'VECTOR_MEAN_SHIFT':
      return () => MEAN_SHIFT_EFFECT;
    case 'VECTOR_TEXT_AGREEMENT':
      return () => AGREEMENT_EFFECT;
    case 'SEARCH_RECALL': {
      const share = scan.valueOf(plainSeries(metric, 'ratio', place));
      const least = scan.valueOf(plainSeries(metric, 'lower', place));
      return () => Math.max(RECALL_EFFECT, share === null || least === null ? 0 : share - least);
    }
    case 'VECTOR_SAMPLE_COUNT':
    case 'VECTOR_NEW_SHARE':
    case 'VECTOR_TEXT_MEMBER':
    case 'VECTOR_INPUT_NORM':
    case 'FRESHNESS':
    case 'PATTERN':
    case 'TOP_VALUE':
    case 'VALUE_DISTRIBUTION':
    case 'SCHEMA':
    case 'CUSTOM':
      return () => 0;
  }
}

function writtenOf(place: Place, scan: ScanSeries): number {
  return Math.max(1, scan.valueOf(plainSeries('VECTOR_INPUT_NORM', 'count', place)) ?? 0);
}

/** How many vectors the scan compared. */
export function comparedOf(place: Place, scan: ScanSeries): number {
  return Math.max(1, scan.valueOf(plainSeries('VECTOR_SAMPLE_COUNT', 'count', place)) ?? 0);
}

/**
 * Of a share (0 to 1) of so few among n records that Bernstein's inequality is twice too wide: the share that Chernoff's bound gives up on, where the
 * divergence n * KL(share, expected) reaches the confidence (Boucheron, Lugosi, Massart, section 2.2). An expected share of nothing counts as one record.
 */
export function rareShareTolerance(expected: number, records: number, confidence: number): number {
  const from = Math.min(1, Math.max(expected, 1 / records));
  let [low, high] = [from, 1];
  for (let round = 0; round < 50; round += 1) {
    const middle = (low + high) / 2;
    if (records * divergence(middle, from) < confidence) low = middle;
    else high = middle;
  }
  return high - expected;
}

/** Of two shares, in nats. */
function divergence(share: number, expected: number): number {
  const part = (one: number, other: number) => (one === 0 ? 0 : other === 0 ? Number.POSITIVE_INFINITY : one * Math.log(one / other));
  return part(share, expected) + part(1 - share, 1 - expected);
}

/** Of the greatest change of the root of a cell's share between two samples, whose deviation is the same for all shares. */
function cellTolerance(expected: number, compared: number, confidence: number): number {
  const chance = Math.sqrt((confidence + Math.log(CELLS)) / compared);
  return Math.max(CELL_EFFECT, chance - expected);
}

/** Of the ratio of two counts. */
export function ratioTolerance(expected: number): number {
  return RATIO_EFFECT * Math.abs(expected);
}

/** Bernstein's inequality for a sum of rare events. */
function countTolerance(expected: number, confidence: number): number {
  return Math.sqrt(2 * Math.max(0, expected) * confidence) + (2 * confidence) / 3;
}

/** What is typical of the numbers of one attribute, or of the norms of one vector. */
type Numbers = {
  readonly present: number;
  readonly typical: (aggregation: string) => number;
  /** Between two neighbouring values, if they lay evenly. */
  readonly step: number;
};

const METRIC_OF = { min: 'MIN', max: 'MAX', mean: 'MEAN', median: 'MEDIAN', stddev: 'STDDEV' } as const;

function numbersOf({ metric_name: metric, attribute, segment }: SeriesKey, scan: ScanSeries): Numbers {
  const place: Place = { attribute, segment };
  const typical = (aggregation: string): number => {
    const own = aggregation in METRIC_OF ? METRIC_OF[aggregation as keyof typeof METRIC_OF] : 'QUANTILE';
    return scan.typicalOf(plainSeries(metric === 'VECTOR_NORM' ? metric : own, aggregation, place)) ?? 0;
  };
  const distinct = scan.typicalOf(plainSeries('DISTINCT_COUNT', 'count', place)) ?? Number.POSITIVE_INFINITY;
  const step = distinct > 1 ? (typical('max') - typical('min')) / (distinct - 1) : 0;
  return { present: scan.presentOf(place), typical, step };
}

/** Quantiles with the two between which the distribution is taken for even around them. */
const QUANTILES: {
  readonly [aggregation: string]: { readonly share: number; readonly from: string; readonly to: string; readonly between: number };
} = {
  p05: { share: 0.05, from: 'p05', to: 'p25', between: 0.2 },
  p25: { share: 0.25, from: 'p25', to: 'p75', between: 0.5 },
  median: { share: 0.5, from: 'p25', to: 'p75', between: 0.5 },
  p75: { share: 0.75, from: 'p25', to: 'p75', between: 0.5 },
  p95: { share: 0.95, from: 'p75', to: 'p95', between: 0.2 },
};

function numberTolerance(aggregation: string, { present, typical, step }: Numbers, confidence: number): Tolerance {
  const deviation = typical('stddev');
  if (aggregation === 'min' || aggregation === 'max') return () => EXTREME_EFFECT * (typical('max') - typical('min'));
  if (aggregation === 'mean') return () => deviation * Math.max(MEAN_EFFECT, Math.sqrt((2 * confidence) / present));
  if (aggregation === 'stddev') return (expected) => expected * Math.max(DEVIATION_EFFECT, Math.sqrt(confidence / present));
  const quantile = QUANTILES[aggregation];
  if (quantile === undefined) return () => 0;
  const { share, from, to, between } = quantile;
  const spread = typical(to) - typical(from);
  // The share of records below a quantile varies as any share does, and the slope of the distribution turns that into values.
  const chance = Math.sqrt((2 * share * (1 - share) * confidence) / present) * (spread / between);
  return () => Math.max(MEAN_EFFECT * spread, chance) + step;
}

function charactersTolerance(series: SeriesKey, scan: ScanSeries, confidence: number): Tolerance {
  const { metric_name: metric, metric_aggregation: aggregation, attribute, segment } = series;
  const place = { attribute, segment };
  const typical = (name: string): number => scan.typicalOf(plainSeries(metric, name, place)) ?? 0;
  const range = typical('max') - typical('min');
  if (aggregation !== 'mean') return () => EXTREME_EFFECT * range;
  // Hoeffding, "Probability Inequalities for Sums of Bounded Random Variables", 1963, theorem 2.
  const chance = range * Math.sqrt(confidence / (2 * scan.presentOf(place)));
  return (expected) => Math.max(CHARACTERS_EFFECT * expected, chance);
}
