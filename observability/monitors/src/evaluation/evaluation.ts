// SPDX-License-Identifier: Apache-2.0
/** What the monitors of an asset say of one scan. No store and no clock: all that it needs is handed in. */
import type {
  CHECK_ERROR,
  IncidentEvidence,
  Level,
  MetricName,
  MetricPoint,
  Monitor,
  RowSample,
  SchemaChange,
} from '@sextant/contracts-observability';
import type { Band, SeriesMemory, SeriesPoint, Surprise } from '../bands/band.ts';
import type { WatchedSchema } from './watch-fault.ts';

/** Why a monitor could not be evaluated, in words for people. */
export type CheckFailure = { readonly monitor_id: string; readonly reason: string };

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
  /** Of a table or file: what the scan found of its attributes, and which of them it measured. */
  readonly schema?: WatchedSchema & { readonly measured: readonly string[] };
  /** Monitors of which something could not be measured, with the reason. */
  readonly failures?: readonly CheckFailure[];
  /** Why metrics that were measured have no value, as far as the scan knows. */
  readonly valueless?: readonly (CheckFailure & Pick<MetricPoint, 'segment'>)[];
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
  readonly metric_name: MetricName | typeof CHECK_ERROR;
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
 * What one monitor found. `errored`: what it watches, or part of it, could not be evaluated, and nothing else of it is violated. `unknown`: there is
 * too little history or no value, so an open incident stays as it is.
 */
export type Verdict = {
  readonly monitor: Monitor;
  readonly outcome: 'violated' | 'clear' | 'errored' | 'unknown';
  /** Why it is errored or unknown, and what of a violated monitor could not be evaluated. */
  readonly reason?: string;
  /** Of an unknown one: whether it only waits for more scans. */
  readonly awaitsHistory?: boolean;
  readonly violations: readonly Violation[];
  /** What the scan says of their causes; left out where it says nothing. */
  readonly evidence?: readonly IncidentEvidence[];
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
