/** The data quality score of an asset, and the parts that make it up. */
import type { MetricPoint } from './metrics.ts';

export const SCORE_DIMENSIONS = ['completeness', 'accuracy', 'consistency', 'timeliness'] as const;
export type ScoreDimension = (typeof SCORE_DIMENSIONS)[number];

export const SCORE_BANDS = ['excellent', 'good', 'fair', 'poor'] as const;
export type ScoreBand = (typeof SCORE_BANDS)[number];

/** What the value of a dimension was measured from. */
export type ScoreSource = {
  /** One sentence for people. */
  readonly sentence: string;
  /** The values that count, the lowest first, at most 20. */
  readonly metrics: readonly Pick<MetricPoint, 'metric_name' | 'metric_aggregation' | 'attribute' | 'monitor_id' | 'value'>[];
  /** The open incidents that count, at most 100. */
  readonly incident_ids: readonly number[];
};

/** One of the four dimensions in a score. The contributions of the parts add up to the score. */
export type ScorePart = {
  readonly dimension: ScoreDimension;
  /** 0 to 100; null where nothing could be measured, and then the part has no weight. */
  readonly value: number | null;
  /** Share of the score, 0 to 1; those of all parts add up to 1. */
  readonly weight: number;
  /** Points of the score: value * weight. */
  readonly contribution: number;
  readonly measured_from: ScoreSource;
};

/** What a dimension had to do with the difference of two scores. The differences of all dimensions add up to that of the scores. */
export type ScorePartChange = {
  readonly dimension: ScoreDimension;
  readonly difference: number;
  /** How much of the difference comes from another value, and how much from another weight. */
  readonly of_value: number;
  readonly of_weight: number;
};

export type ScoreChange = {
  /** Time of the scan that is compared with, and its score. */
  readonly since: string;
  readonly from_score: number;
  readonly difference: number;
  readonly parts: readonly ScorePartChange[];
};

/** The score of one scan. */
export type ScoreHistoryItem = {
  readonly job_id: string;
  readonly metric_time: string;
  readonly score: number;
  readonly band: ScoreBand;
  readonly parts: readonly ScorePart[];
  /** From the item before it; null for the first one. */
  readonly change: ScoreChange | null;
};

/**
 * Why there is a score or none: `scored`; the configuration says `disabled`; `not_scanned` yet; `not_measured` where the last scan measured nothing
 * that has a weight.
 */
export const SCORE_STATES = ['scored', 'disabled', 'not_scanned', 'not_measured'] as const;
export type ScoreState = (typeof SCORE_STATES)[number];

/** The score of an asset as it is now: what its last scan measured, and the incidents that are open at this moment. */
export type CurrentScore = {
  readonly asset_id: string;
  readonly state: ScoreState;
  readonly score: number | null;
  readonly band: ScoreBand | null;
  /** The last scan; null before the first. */
  readonly job_id: string | null;
  readonly metric_time: string | null;
  /** Empty unless there is a score. */
  readonly parts: readonly ScorePart[];
  /** From the scan before the last one; null where either has no score. */
  readonly change: ScoreChange | null;
};

/** One row of the overview. */
export type AssetScore = Pick<CurrentScore, 'asset_id' | 'state' | 'score' | 'band' | 'metric_time'> & {
  readonly asset_name: string;
  readonly project_id: number;
};
