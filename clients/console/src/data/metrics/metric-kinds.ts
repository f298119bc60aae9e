// SPDX-License-Identifier: Apache-2.0
/** What a monitor can watch, in words: the metrics of the service, and the kinds that every asset has from the start. */
import type { PredefinedMetric } from '@sextant/sdk';

export type MetricId = PredefinedMetric['predefined_metric'];

export type MetricKind = {
  readonly label: string;
  /** What it notices. */
  readonly sentence: string;
};

type Kinds = { readonly [Id in MetricId]?: MetricKind };

const PREBUILT = {
  RECORD_COUNT_DRIFTS: { label: 'Record count drifts', sentence: 'Detects too few or too many records or points.' },
  RECORD_COUNT_CORRELATION_DRIFTS: {
    label: 'Record count correlation drifts',
    sentence: 'Detects a record count that no longer correlates with the record count of a parent in the lineage.',
  },
  FRESHNESS_DRIFTS: { label: 'Freshness drifts', sentence: 'Detects data or files that are older than usual.' },
  COMPLETENESS_DRIFTS: { label: 'Completeness drifts', sentence: 'Detects more missing values than usual.' },
  DQ_RULES_VIOLATION: { label: 'DQ rules violation', sentence: 'Detects rules that fewer records meet than usual.' },
  RECORD_ID_UNIQUENESS_DRIFTS: { label: 'Record id uniqueness drifts', sentence: 'Detects duplicate record ids.' },
  UNIQUENESS_DRIFTS: { label: 'Uniqueness drifts', sentence: 'Detects more duplicate values or vectors than usual.' },
  UNIQUENESS_CORRELATION_DRIFTS: {
    label: 'Uniqueness correlation drifts',
    sentence: 'Detects uniqueness that no longer correlates with the uniqueness of the same attribute in a parent.',
  },
  SCHEMA_DRIFTS: { label: 'Schema drifts', sentence: 'Detects attributes that were added, removed or changed their data type.' },
  DATA_DRIFTS: {
    label: 'Data drifts',
    sentence:
      'Detects changes in the length, characters or patterns of texts, and vectors that have another dimension, hold NaN or infinite components, or are all zero.',
  },
  NUMERIC_VALUE_DRIFTS: { label: 'Numeric value drifts', sentence: 'Detects shifts of numbers, dates and vector norms.' },
  TOP_VALUES_DRIFTS: { label: 'Top values drifts', sentence: 'Detects values that enter or leave the ten most frequent values.' },
  VALUE_DISTRIBUTION_DRIFTS: {
    label: 'Value distribution drifts',
    sentence: 'Detects changes in the shares of frequent values, and shifts of the centroid of the vectors.',
  },
  DATA_DIFFERENCE: { label: 'Data difference', sentence: 'Not available: comparisons of two assets cannot be set up yet.' },
  PII_EXPOSURE: { label: 'PII exposure', sentence: 'Detects more values with personal data than usual.' },
  DATA_PROCESS_FAILURE: { label: 'Data process failure', sentence: 'Detects scans that fail.' },
  REJECTED_ROWS_VIOLATION: {
    label: 'Rejected rows violation',
    sentence: 'Detects, from the first scan on, that more than 0.1 percent of the rows could not be read.',
  },
  TYPE_MISMATCH_VIOLATION: {
    label: 'Type mismatch violation',
    sentence: 'Detects, from the first scan on, values that do not match the type of their attribute.',
  },
  VECTOR_DRIFTS: {
    label: 'Vector drifts',
    sentence:
      'Detects vectors that moved away from where earlier vectors were, are rounded, truncated or near-duplicates, or do not match their text.',
  },
  SEARCH_RECALL_DRIFTS: {
    label: 'Search recall drifts',
    sentence: 'Detects an index that finds fewer of the nearest neighbours than usual.',
  },
  WRONG_CELLS_DRIFTS: {
    label: 'Wrong cells drifts',
    sentence: 'Detects more values that look wrong than usual, if scans of the asset search for wrong cells.',
  },
} satisfies Kinds;

const VOLUME = {
  RECORD_COUNT: { label: 'Record count', sentence: 'Watches how many records there are.' },
  FRESHNESS: { label: 'Freshness', sentence: 'Watches the age of the newest data, in hours.' },
  REJECTED_ROWS: { label: 'Rejected rows', sentence: 'Watches the share of rows that could not be read, in percent.' },
  SCHEMA: { label: 'Schema', sentence: 'Watches how many attributes were added, removed or changed their data type.' },
} satisfies Kinds;

const PRESENCE = {
  TYPE_MISMATCH: {
    label: 'Type mismatches',
    sentence: 'Watches the share of values that do not match the type of their attribute, in percent.',
  },
  WRONG_CELLS: { label: 'Wrong cells', sentence: 'Watches the share of values that look wrong, in percent.' },
  COMPLETENESS: { label: 'Completeness', sentence: 'Watches the share of records that have a value, in percent.' },
  NULL_PERCENTAGE: { label: 'Null percentage', sentence: 'Watches the share of nulls, in percent.' },
  EMPTY_PERCENTAGE: { label: 'Empty percentage', sentence: 'Watches the share of empty values, in percent.' },
  UNIQUENESS: { label: 'Uniqueness', sentence: 'Watches the share of values that occur only once, in percent.' },
  DISTINCT_COUNT: { label: 'Distinct count', sentence: 'Watches the number of distinct values.' },
  DUPLICATE_COUNT: { label: 'Duplicate count', sentence: 'Watches how many records repeat the record id of another.' },
  CORRECTNESS: { label: 'Correctness', sentence: 'Watches the share of records that meet each rule, in percent.' },
  CONTAINS_PII: { label: 'Personal data', sentence: 'Watches the share of values with personal data, in percent.' },
} satisfies Kinds;

const NUMBERS = {
  MIN: { label: 'Minimum', sentence: 'Watches the minimum of the values.' },
  MAX: { label: 'Maximum', sentence: 'Watches the maximum of the values.' },
  MEAN: { label: 'Mean', sentence: 'Watches the mean of the values.' },
  MEDIAN: { label: 'Median', sentence: 'Watches the median of the values.' },
  STDDEV: { label: 'Standard deviation', sentence: 'Watches the standard deviation of the values.' },
  QUANTILE: { label: 'Quantiles', sentence: 'Watches the 5th, 25th, 75th and 95th percentiles of the values.' },
} satisfies Kinds;

const TEXTS = {
  LENGTH: { label: 'Length', sentence: 'Watches how many characters texts have.' },
  LETTER_COUNT: { label: 'Letters', sentence: 'Watches how many letters texts have.' },
  DIGIT_COUNT: { label: 'Digits', sentence: 'Watches how many digits texts have.' },
  SPACE_COUNT: { label: 'Spaces', sentence: 'Watches how many spaces texts have.' },
  SPECIAL_CHARACTER_COUNT: { label: 'Special characters', sentence: 'Watches how many special characters texts have.' },
  PATTERN: {
    label: 'Patterns',
    sentence: 'Watches how far the character patterns of texts differ from the usual ones, from 0 (the same) to 1 (all new).',
  },
} satisfies Kinds;

const FREQUENT = {
  TOP_VALUE: { label: 'Top values', sentence: 'Watches how many values enter or leave the ten most frequent values.' },
  VALUE_DISTRIBUTION: {
    label: 'Value distribution',
    sentence: 'Watches how far the shares of frequent values differ from the usual ones, from 0 (the same) to 1 (all new).',
  },
} satisfies Kinds;

const EXPRESSIONS = {
  CUSTOM: { label: 'Custom metrics', sentence: 'Watches the results of all expression monitors.' },
} satisfies Kinds;

const VECTORS = {
  VECTOR_DIMENSION_CONFORMITY: {
    label: 'Dimension conformity',
    sentence: 'Watches the share of vectors with the dimension of the collection, in percent.',
  },
  VECTOR_NAN_COUNT: { label: 'NaN vectors', sentence: 'Watches how many vectors hold NaN components.' },
  VECTOR_INFINITE_COUNT: { label: 'Infinite vectors', sentence: 'Watches how many vectors hold infinite components.' },
  VECTOR_ZERO_COUNT: { label: 'Zero vectors', sentence: 'Watches how many vectors are all zero.' },
  VECTOR_NORM: { label: 'Norms', sentence: 'Watches the norms (lengths) of vectors.' },
  VECTOR_DUPLICATE_COUNT: { label: 'Duplicate vectors', sentence: 'Watches how many vectors are duplicates of another.' },
  PAYLOAD_COMPLETENESS: { label: 'Payload completeness', sentence: 'Watches the share of points that have a payload member, in percent.' },
  INDEX_COVERAGE: { label: 'Index coverage', sentence: 'Watches the share of points that are indexed, in percent.' },
  VECTOR_CONSTANT_COUNT: { label: 'Constant vectors', sentence: 'Watches how many vectors have the same number in all components.' },
  VECTOR_TRUNCATED_COUNT: { label: 'Truncated vectors', sentence: 'Watches how many vectors end with zeros.' },
  VECTOR_SAMPLE_COUNT: { label: 'Compared vectors', sentence: 'Watches how many vectors are compared with the reference.' },
  VECTOR_FAR_SHARE: {
    label: 'Far vectors',
    sentence: 'Watches the share of vectors that lie far from the vectors of the reference, in percent.',
  },
  VECTOR_NORM_OUTLIER_SHARE: { label: 'Norm outliers', sentence: 'Watches the share of vectors with an unusual norm, in percent.' },
  VECTOR_INPUT_NORM: { label: 'Norms as written', sentence: 'Watches the norms of vectors before the collection normalised them.' },
  VECTOR_INPUT_NORM_OUTLIER_SHARE: {
    label: 'Outliers of norms as written',
    sentence: 'Watches the share of newly written vectors that had an unusual norm before they were normalised, in percent.',
  },
  VECTOR_ROUNDED_SHARE: {
    label: 'Rounded vectors',
    sentence: 'Watches the share of vectors with fewer distinct component values than usual, in percent.',
  },
  VECTOR_NEAR_DUPLICATE_SHARE: { label: 'Near-duplicate vectors', sentence: 'Watches the share of near-duplicate vectors, in percent.' },
  VECTOR_CELL_SHIFT: {
    label: 'Cell changes',
    sentence: 'Watches how much the emptiest and the fullest region of the vector space changed, from 0 (not at all) to 1 (completely).',
  },
  VECTOR_NEW_SHARE: { label: 'New vectors', sentence: 'Watches the share of vectors that were added since the last scan, in percent.' },
  VECTOR_MEAN_SHIFT: {
    label: 'Shift of new and removed vectors',
    sentence:
      'Watches how far the mean of the vectors added or removed since the last scan lies from the mean of the others, in standard deviations expected by chance.',
  },
  VECTOR_TEXT_MISMATCH_SHARE: {
    label: 'Text mismatches',
    sentence: 'Watches the share of points whose text does not match their vector, in percent.',
  },
  VECTOR_TEXT_MEMBER: {
    label: 'Points with text',
    sentence: 'Watches the share of points whose payload holds the text of the vector, in percent.',
  },
  VECTOR_TEXT_AGREEMENT: {
    label: 'Agreement of text and vector',
    sentence: 'Watches how well the words of a text predict its vector, from 0 (not at all) to 1 (exactly).',
  },
  SEARCH_RECALL: { label: 'Search recall', sentence: 'Watches the share of the true nearest neighbours that searches find, in percent.' },
  CENTROID_SHIFT: { label: 'Centroid shift', sentence: 'Watches how far the centroid of the vectors has moved.' },
} satisfies Kinds;

/** The compiler holds that none of the contract is missing. */
const KINDS: Readonly<Record<MetricId, MetricKind>> = {
  ...PREBUILT,
  ...VOLUME,
  ...PRESENCE,
  ...NUMBERS,
  ...TEXTS,
  ...FREQUENT,
  ...EXPRESSIONS,
  ...VECTORS,
};

/** In the order in which they are offered. */
const GROUPS: { readonly [group: string]: Kinds } = {
  'Metric groups of the pre-built monitors': PREBUILT,
  'Volume, freshness and schema': VOLUME,
  'Completeness, uniqueness and validity': PRESENCE,
  'Numbers and dates': NUMBERS,
  Texts: TEXTS,
  'Frequent values': FREQUENT,
  'Rules and expressions of other monitors': EXPRESSIONS,
  Vectors: VECTORS,
};

/** Of everything, or of what there is of tables and files. */
export function metricGroups({ withVectors }: { readonly withVectors: boolean }) {
  return Object.entries(GROUPS)
    .filter(([, kinds]) => withVectors || kinds !== VECTORS)
    .map(([group, kinds]) => ({ group, items: Object.entries(kinds).map(([value, { label }]) => ({ value, label })) }));
}

/** Undefined for a metric that is not of this release. */
export function metricKind(id: string): MetricKind | undefined {
  return isMetricId(id) ? KINDS[id] : undefined;
}

export function isMetricId(id: string): id is MetricId {
  return Object.hasOwn(KINDS, id);
}

export function isOfVectors(id: string): boolean {
  return Object.hasOwn(VECTORS, id);
}

/** The name of a measured metric; what is unknown here is spelled out. */
export function metricLabel(id: string): string {
  return metricKind(id)?.label ?? id.toLowerCase().replaceAll('_', ' ');
}

/** Metrics of the whole asset, unless attributes are named. */
const OF_ASSET: ReadonlySet<string> = new Set<MetricId>([
  'RECORD_COUNT',
  'COMPLETENESS',
  'UNIQUENESS',
  'NULL_PERCENTAGE',
  'EMPTY_PERCENTAGE',
  'CORRECTNESS',
  'DUPLICATE_COUNT',
  'INDEX_COVERAGE',
  'SCHEMA',
  'REJECTED_ROWS',
]);

/** What a monitor of it watches that names no attribute. */
export function isOfAsset(id: string): boolean {
  return OF_ASSET.has(id);
}

/** Those that nothing is measured for, and why a look at the past says nothing. */
const WITHOUT_HISTORY: { readonly [Id in MetricId]?: string } = {
  DATA_PROCESS_FAILURE: 'This monitor raises an alert when a scan fails. It measures nothing, so there is no history to try it on.',
  DATA_DIFFERENCE: 'This monitor is not evaluated, because comparisons of two assets cannot be set up yet.',
};

export function whyWithoutHistory(id: string): string | undefined {
  return isMetricId(id) ? WITHOUT_HISTORY[id] : undefined;
}
