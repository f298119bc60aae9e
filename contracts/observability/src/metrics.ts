/** What a scan measures. */

export const METRIC_NAMES = [
  'RECORD_COUNT',
  'COMPLETENESS',
  'UNIQUENESS',
  'DISTINCT_COUNT',
  'NULL_PERCENTAGE',
  'EMPTY_PERCENTAGE',
  'FRESHNESS',
  'MIN',
  'MAX',
  'MEAN',
  'MEDIAN',
  'STDDEV',
  'QUANTILE',
  'LENGTH',
  'LETTER_COUNT',
  'DIGIT_COUNT',
  'SPACE_COUNT',
  'SPECIAL_CHARACTER_COUNT',
  'PATTERN',
  'TOP_VALUE',
  'VALUE_DISTRIBUTION',
  'CONTAINS_PII',
  'SCHEMA',
  'CORRECTNESS',
  'CUSTOM',
  'DUPLICATE_COUNT',
  'VECTOR_DIMENSION_CONFORMITY',
  'VECTOR_NAN_COUNT',
  'VECTOR_INFINITE_COUNT',
  'VECTOR_ZERO_COUNT',
  'VECTOR_NORM',
  'VECTOR_DUPLICATE_COUNT',
  'PAYLOAD_COMPLETENESS',
  'INDEX_COVERAGE',
  'CENTROID_SHIFT',
] as const;

export type MetricName = (typeof METRIC_NAMES)[number];

/** One number of one scan. Percentages are 0 to 100, freshness and ages are hours. */
export type MetricPoint = {
  readonly metric_name: MetricName;
  /** `count`, `ratio`, `min`, `max`, `mean`, `median`, `stddev`, `p05`, `p25`, `p75`, `p95`, or the value for TOP_VALUE, PATTERN and VALUE_DISTRIBUTION. */
  readonly metric_aggregation: string;
  readonly attribute: string | null;
  /** `attribute=value`, null for the whole. */
  readonly segment: string | null;
  /** Id of the monitor whose rule or expression was measured. */
  readonly monitor_id: string | null;
  readonly value: number | null;
};

/** A stored point, as the metric history returns it. */
export type MetricHistoryItem = MetricPoint & {
  readonly metric_time: string;
  readonly job_id: string;
  readonly lower_bound: number | null;
  readonly upper_bound: number | null;
  readonly is_violation: boolean;
  readonly is_excluded: boolean;
};

export type SchemaChange = {
  readonly kind: 'ADDED' | 'REMOVED' | 'RETYPED';
  readonly attribute: string;
  readonly before: string | null;
  readonly after: string | null;
};

/** Rows that failed a rule or could not be read, and points of a vector collection that are at fault; personal data in them is masked. */
export type RowSample = {
  readonly monitor_id: string | null;
  /** Why the row is here. */
  readonly reason: string;
  /** By the id attributes of the asset; of a vector collection the id of the point. */
  readonly record_id: string | null;
  readonly row: { readonly [attribute: string]: string | null };
};
