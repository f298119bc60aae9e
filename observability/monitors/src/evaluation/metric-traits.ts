// SPDX-License-Identifier: Apache-2.0
/** What is known of each metric before any is measured: its range, which departures are bad, and its words. */
import type { MetricName } from '@sextant/contracts-observability';
import type { SeriesTraits } from '../bands/band.ts';

/** Which side of a learned band is bad. */
export type Side = 'below' | 'above' | 'both';

export type MetricTraits = {
  readonly side: Side;
  /** What the models of bands need to know. */
  readonly range: Omit<SeriesTraits, 'familySize'>;
  /** Where a series has been here at every scan, any departure is reported. */
  readonly perfect?: number;
  /** Where a series has been here at every scan, it may leave by what sampling explains and nobody minds, and no further. */
  readonly limit?: number;
  /** Whether anything but the perfect value is a fault as long as nothing is known of the series: such a vector cannot be searched with. */
  readonly isFaultAtOnce?: true;
  /** From which the models of learned bands count, where that is not zero: what is usual stands near it, and how far off says how much is news. */
  readonly zero?: number;
  /** A time is in milliseconds since 1970, a duration in milliseconds. */
  readonly unit: 'percent' | 'records' | 'hours' | 'bits' | 'number' | 'time' | 'duration';
  /** In a sentence: "completeness of `email`". */
  readonly words: string;
  /** Whether there is a value for the whole asset; a monitor of such a metric without attributes watches that. */
  readonly isOfAsset: boolean;
};

const PERCENT = { range: { minimum: 0, maximum: 100, isCount: false }, unit: 'percent' } as const;
const COUNT = { range: { minimum: 0, isCount: true }, unit: 'records' } as const;
const CHARACTERS = { side: 'both', range: { minimum: 0 }, unit: 'number', isOfAsset: false } as const;
const NUMBER = { side: 'both', range: {}, unit: 'number', isOfAsset: false } as const;
const AMOUNT = { minimum: 0, isCount: false } as const;
const BROKEN = { ...COUNT, side: 'above', perfect: 0, isFaultAtOnce: true, isOfAsset: false } as const;
/** Of so few that half a percent of all is much: how far they spread follows from their number, which their tolerance knows. */
const RARE_SHARE = { side: 'above', range: { minimum: 0, isCount: false }, unit: 'percent', isOfAsset: false } as const;
const STALE_TEXTS: MetricTraits = { ...RARE_SHARE, words: 'share of vectors older than their text' };
const MEAN_SHIFT: MetricTraits = {
  side: 'above',
  range: { isCount: false },
  unit: 'number',
  words: 'distance of new vectors from the others',
  isOfAsset: false,
};
const MEAN_SHIFT_OF_GONE: MetricTraits = { ...MEAN_SHIFT, words: 'distance of removed vectors from the others' };
const NEW_AND_FAR: MetricTraits = { ...RARE_SHARE, words: 'share of vectors that are new and far from the reference' };
const NEW_PAIRS: MetricTraits = { ...RARE_SHARE, words: 'share of new near-duplicate vectors' };
const BITS = { range: { minimum: 0, maximum: 1, isCount: false }, unit: 'bits' } as const;

const TRAITS: { readonly [Metric in MetricName]: MetricTraits } = {
  RECORD_COUNT: { ...COUNT, side: 'both', words: 'record count', isOfAsset: true },
  COMPLETENESS: { ...PERCENT, side: 'below', limit: 100, words: 'completeness', isOfAsset: true },
  UNIQUENESS: { ...PERCENT, side: 'below', limit: 100, words: 'uniqueness', isOfAsset: true },
  DISTINCT_COUNT: { ...COUNT, side: 'both', words: 'number of distinct values', isOfAsset: false },
  NULL_PERCENTAGE: { ...PERCENT, side: 'above', limit: 0, words: 'share of nulls', isOfAsset: true },
  EMPTY_PERCENTAGE: { ...PERCENT, side: 'above', limit: 0, words: 'share of empty values', isOfAsset: true },
  FRESHNESS: { side: 'above', range: AMOUNT, unit: 'hours', words: 'age of the newest data', isOfAsset: false },
  MIN: { ...NUMBER, side: 'below', words: 'minimum' },
  MAX: { ...NUMBER, side: 'above', words: 'maximum' },
  MEAN: { ...NUMBER, range: { isCount: false }, words: 'mean' },
  MEDIAN: { ...NUMBER, words: 'median' },
  STDDEV: { ...NUMBER, range: AMOUNT, words: 'standard deviation' },
  QUANTILE: { ...NUMBER, words: 'quantile' },
  LENGTH: { ...CHARACTERS, words: 'length' },
  LETTER_COUNT: { ...CHARACTERS, words: 'number of letters' },
  DIGIT_COUNT: { ...CHARACTERS, words: 'number of digits' },
  SPACE_COUNT: { ...CHARACTERS, words: 'number of spaces' },
  SPECIAL_CHARACTER_COUNT: { ...CHARACTERS, words: 'number of special characters' },
  PATTERN: { side: 'above', ...BITS, words: 'change of the patterns', isOfAsset: false },
  TOP_VALUE: { ...COUNT, side: 'above', words: 'number of values that entered or left the most frequent ones', isOfAsset: false },
  VALUE_DISTRIBUTION: { side: 'above', ...BITS, words: 'change of the distribution', isOfAsset: false },
  CONTAINS_PII: { ...PERCENT, side: 'above', limit: 0, words: 'share of values with personal data', isOfAsset: false },
  SCHEMA: { ...COUNT, side: 'above', words: 'number of schema changes', isOfAsset: true },
  CORRECTNESS: { ...PERCENT, side: 'below', perfect: 100, words: 'correctness', isOfAsset: true },
  CUSTOM: { side: 'both', range: {}, unit: 'number', words: 'metric', isOfAsset: true },
  DUPLICATE_COUNT: { ...COUNT, side: 'above', perfect: 0, words: 'number of duplicates', isOfAsset: true },
  VECTOR_DIMENSION_CONFORMITY: {
    ...PERCENT,
    side: 'below',
    perfect: 100,
    words: 'share of vectors of the right dimension',
    isOfAsset: false,
  },
  VECTOR_NAN_COUNT: { ...BROKEN, words: 'number of vectors with NaN' },
  VECTOR_INFINITE_COUNT: { ...BROKEN, words: 'number of infinite vectors' },
  VECTOR_ZERO_COUNT: { ...BROKEN, words: 'number of zero vectors' },
  VECTOR_NORM: { ...NUMBER, range: AMOUNT, words: 'norm' },
  VECTOR_DUPLICATE_COUNT: { ...COUNT, side: 'above', perfect: 0, words: 'number of duplicate vectors', isOfAsset: false },
  PAYLOAD_COMPLETENESS: { ...PERCENT, side: 'below', limit: 100, words: 'completeness', isOfAsset: false },
  INDEX_COVERAGE: { ...PERCENT, side: 'below', words: 'share of points in the index', isOfAsset: true },
  REJECTED_ROWS: { ...PERCENT, side: 'above', limit: 0, words: 'share of rejected rows', isOfAsset: true },
  TYPE_MISMATCH: { ...PERCENT, side: 'above', limit: 0, words: 'share of values of another type', isOfAsset: false },
  VECTOR_CONSTANT_COUNT: { ...BROKEN, words: 'number of vectors whose components are all equal' },
  VECTOR_TRUNCATED_COUNT: { ...COUNT, side: 'above', perfect: 0, words: 'number of vectors that end with zeros', isOfAsset: false },
  VECTOR_SAMPLE_COUNT: { ...COUNT, side: 'both', words: 'number of compared vectors', isOfAsset: false },
  VECTOR_FAR_SHARE: { ...RARE_SHARE, words: 'share of vectors far from the reference' },
  VECTOR_NORM_OUTLIER_SHARE: { ...RARE_SHARE, words: 'share of vectors with an unusual norm' },
  VECTOR_INPUT_NORM: { ...NUMBER, range: AMOUNT, words: 'norm of vectors before normalization' },
  VECTOR_INPUT_NORM_OUTLIER_SHARE: { ...RARE_SHARE, words: 'share of vectors with an unusual norm before normalization' },
  VECTOR_ROUNDED_SHARE: { ...RARE_SHARE, words: 'share of rounded vectors' },
  VECTOR_NEAR_DUPLICATE_SHARE: { ...RARE_SHARE, words: 'share of near-duplicate vectors' },
  VECTOR_CELL_SHIFT: { side: 'above', range: AMOUNT, unit: 'number', words: 'change of a cell', isOfAsset: false },
  VECTOR_NEW_SHARE: { ...PERCENT, side: 'both', words: 'share of new vectors', isOfAsset: false },
  VECTOR_MEAN_SHIFT: MEAN_SHIFT,
  VECTOR_TEXT_MISMATCH_SHARE: { ...RARE_SHARE, words: 'share of points whose text and vector disagree' },
  VECTOR_TEXT_MEMBER: { ...PERCENT, side: 'below', words: 'share of points with the text of the vector', isOfAsset: false },
  VECTOR_TEXT_AGREEMENT: {
    side: 'below',
    range: { isCount: false },
    unit: 'number',
    words: 'agreement of text and vector',
    isOfAsset: false,
  },
  WRONG_CELLS: { ...RARE_SHARE, words: 'share of values that look wrong' },
  SEARCH_RECALL: {
    side: 'below',
    limit: 100,
    zero: 100,
    range: { isCount: false },
    unit: 'percent',
    words: 'recall of searches',
    isOfAsset: false,
  },
  CENTROID_SHIFT: { side: 'above', range: AMOUNT, unit: 'number', words: 'shift of the centroid', isOfAsset: false },
};

/** Extremes matter outwards: that the largest value is smaller this time says less than what the quantiles say of it. */
const EXTREMES: { readonly [aggregation: string]: Side } = { min: 'below', max: 'above' };
const WITH_EXTREMES: readonly MetricName[] = [
  'LENGTH',
  'LETTER_COUNT',
  'DIGIT_COUNT',
  'SPACE_COUNT',
  'SPECIAL_CHARACTER_COUNT',
  'VECTOR_NORM',
];

export const METRICS: readonly MetricName[] = Object.keys(TRAITS).filter(isMetricName);

export function isMetricName(name: string): name is MetricName {
  return Object.hasOwn(TRAITS, name);
}

export function traitsOf(metric: MetricName, aggregation: string): MetricTraits {
  if (metric === 'VECTOR_TEXT_MISMATCH_SHARE' && aggregation === 'stale') return STALE_TEXTS;
  if (metric === 'VECTOR_NEAR_DUPLICATE_SHARE' && aggregation === 'new') return NEW_PAIRS;
  if (metric === 'VECTOR_FAR_SHARE' && aggregation === 'new') return NEW_AND_FAR;
  if (metric === 'VECTOR_MEAN_SHIFT' && aggregation === 'gone') return MEAN_SHIFT_OF_GONE;
  const traits = TRAITS[metric];
  const outward = WITH_EXTREMES.includes(metric) ? EXTREMES[aggregation] : undefined;
  return outward === undefined ? traits : { ...traits, side: outward };
}

/** Of an attribute whose values are times. */
export function traitsOfTimes(metric: MetricName, aggregation: string): MetricTraits {
  const traits = traitsOf(metric, aggregation);
  if (metric === 'STDDEV') return { ...traits, unit: 'duration' };
  if (!isOfValues(metric)) return traits;
  // A newest date that is older than usual is stale.
  return { ...traits, range: { ...traits.range, isCount: false }, unit: 'time', ...(metric === 'MAX' ? { side: 'both' } : {}) };
}

/** Metrics that are themselves such values as the attribute has, as its deviation is not. */
const OF_VALUES: readonly MetricName[] = ['MIN', 'MAX', 'MEAN', 'MEDIAN', 'QUANTILE'];

export function isOfValues(metric: MetricName): boolean {
  return OF_VALUES.includes(metric);
}
