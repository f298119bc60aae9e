import type { MetricHistoryItem, MetricPoint } from '@sextant/contracts-observability';

export type NewMetricPoint = MetricPoint & Partial<Pick<MetricHistoryItem, 'lower_bound' | 'upper_bound' | 'is_violation'>>;

/** What is undefined does not filter; null asks for points of the whole. Times are inclusive. */
export type MetricHistoryFilter = {
  readonly asset_id: string;
  readonly metric_name?: string;
  readonly metric_aggregation?: string;
  readonly attribute?: string | null;
  readonly segment?: string | null;
  readonly monitor_id?: string | null;
  readonly from_time?: string;
  readonly to_time?: string;
  readonly limit?: number;
};

/** One point: the series and the job that measured it. */
export type MetricPointKey = Pick<MetricPoint, 'metric_name' | 'metric_aggregation' | 'attribute' | 'segment' | 'monitor_id'> & {
  readonly asset_id: string;
  readonly job_id: string;
};

export type MetricPointStore = {
  /** All or none. @throws MetadataMissing for an unknown job of the asset */
  readonly append: (scan: {
    readonly asset_id: string;
    readonly job_id: string;
    readonly metric_time: string;
    readonly points: readonly NewMetricPoint[];
  }) => Promise<void>;
  /** The newest that fit the limit, oldest first. */
  readonly history: (filter: MetricHistoryFilter) => Promise<readonly MetricHistoryItem[]>;
  /** @throws MetadataMissing */
  readonly setExcluded: (point: MetricPointKey, isExcluded: boolean) => Promise<void>;
  /** Forgets points measured before a time; returns how many. */
  readonly deleteBefore: (time: string) => Promise<number>;
};
