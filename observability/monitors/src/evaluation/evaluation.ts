/** What the monitors of an asset say of one scan. No store and no clock: all that it needs is handed in. */
import type { Level, MetricName, MetricPoint, Monitor, RowSample, SchemaChange } from '@sextant/contracts-observability';
import type { Band, SeriesMemory, SeriesPoint, Surprise } from '../bands/band.ts';

/** Names one series of an asset. */
export type SeriesKey = Pick<MetricPoint, 'metric_name' | 'metric_aggregation' | 'attribute' | 'segment' | 'monitor_id'>;

export type EvaluationRequest = {
  /** All monitors of the asset; the disabled ones say nothing. */
  readonly monitors: readonly Monitor[];
  readonly points: readonly MetricPoint[];
  readonly metricTimeMs: number;
  /** Attributes whose values are dates or times. */
  readonly timeAttributes?: readonly string[];
  readonly schemaChanges: readonly SchemaChange[];
  /** Those of each earlier scan, newest first: changes last, and what undoes one is none. */
  readonly recentSchemaChanges?: readonly (readonly SchemaChange[])[];
  readonly samples: readonly RowSample[];
  /** Earlier points of a series of this asset, oldest first; empty for a series that is new. */
  readonly historyOf: (series: SeriesKey) => readonly SeriesPoint[];
  /** What was kept of a series by the evaluation before; nothing is kept when left out. */
  readonly memoryOf?: (series: SeriesKey) => SeriesMemory;
  /** The series that the scan before had, for values that have gone. */
  readonly previousSeries: readonly SeriesKey[];
  /** Those that any of the latest `REPORTED_SCANS` scans had; of the scan before alone when left out. */
  readonly recentSeries?: readonly SeriesKey[];
  /** Assets that feed this one, with their newest values of the same two metrics; for the correlation monitors. */
  readonly parents: readonly {
    readonly asset_id: string;
    readonly name: string;
    readonly historyOf: (series: SeriesKey) => readonly SeriesPoint[];
  }[];
};

/** One value outside its band, or one change that nobody expected. */
export type Violation = {
  readonly monitor_id: string;
  /** `FEATURE.<series>` for an attribute, `DATA.<series>` for the asset: names the violation within its asset, the same at each scan. */
  readonly violation_name: string;
  /** What kind of alert it makes, in upper snake case, such as SCHEMA_CHANGE or METRIC_DRIFT. */
  readonly type: string;
  readonly metric_name: MetricName;
  readonly metric_aggregation: string;
  readonly attribute: string | null;
  readonly segment: string | null;
  /** The measured series, whose point people can exclude; null where no point was measured. */
  readonly series: SeriesKey | null;
  /** Name of the rule whose correctness was watched. */
  readonly rule: string | null;
  readonly value: number;
  readonly band: Band;
  readonly priority: Level;
  /** One sentence for people: what was measured, what was expected. */
  readonly sentence: string;
  /** Further facts for `violation_data`. */
  readonly facts: { readonly [name: string]: unknown };
};

/**
 * What one monitor found. `unknown`: nothing could be evaluated (too little history, no value), so an open incident stays as it is.
 */
export type Verdict = {
  readonly monitor: Monitor;
  readonly outcome: 'violated' | 'clear' | 'unknown';
  readonly violations: readonly Violation[];
};

export type Evaluation = {
  /** The points of the scan with the bands that they were compared with. */
  readonly points: readonly (MetricPoint & {
    readonly lower_bound: number | null;
    readonly upper_bound: number | null;
    readonly is_violation: boolean;
    /** Of a learned band that somebody was asked about. */
    readonly surprise?: Surprise;
  })[];
  /** One for each enabled monitor. */
  readonly verdicts: readonly Verdict[];
};
