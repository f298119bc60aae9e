// SPDX-License-Identifier: Apache-2.0
/** What an evaluation needs, in a form that goes to another thread. */
import type { MetricPoint, Monitor, RowSample, SchemaChange } from '@sextant/contracts-observability';
import type { DetectorState, TenantMetadata } from '@sextant/observability-metadata';
import {
  type CountedRule,
  type Evaluation,
  type EvaluationRequest,
  evaluate,
  explained,
  type FileChange,
  REPORTED_SCANS,
  SCHEMA_SCANS,
  type SegmentMove,
  type SeriesKey,
} from '@sextant/observability-monitors';
import type { ScanOutcome } from '../jobs/scan-job.ts';
import { historyIn, newestSeries, type PackedPast, readPast, seriesKey, seriesOf } from './past.ts';
import { watchesProcess } from './process-failure.ts';

export type EvaluationInput = {
  readonly monitors: readonly Monitor[];
  readonly points: readonly MetricPoint[];
  readonly metricTimeMs: number;
  readonly timeAttributes: readonly string[];
  readonly schemaChanges: readonly SchemaChange[];
  readonly recentSchemaChanges: readonly (readonly SchemaChange[])[];
  readonly samples: readonly RowSample[];
  readonly failures: ScanOutcome['failures'];
  readonly valueless?: NonNullable<EvaluationRequest['valueless']>;
  readonly schema: NonNullable<EvaluationRequest['schema']> | undefined;
  readonly ruleCounts: readonly CountedRule[];
  readonly segmentMoves: readonly SegmentMove[];
  readonly fileChanges?: readonly FileChange[];
  readonly past: PackedPast;
  /** What learned thresholds kept of the series. */
  readonly detectorStates: readonly DetectorState[];
  readonly parents: readonly { readonly asset_id: string; readonly name: string; readonly past: PackedPast }[];
};

/** About 4 MB in columns; 100 columns with 10 metrics each are remembered for 200 scans. */
const POINTS_MAX = 200_000;
/** Of two kilobytes each; the series beyond learn from their points at each scan. */
const DETECTOR_STATES_MAX = 2000;
const PARENTS_MAX = 20;
const PARENT_POINTS_MAX = 10_000;
const SCHEMA_CHANGES: SeriesKey = {
  metric_name: 'SCHEMA',
  metric_aggregation: 'count',
  attribute: null,
  segment: null,
  monitor_id: null,
};
/** What a light scan measures. */
const LIGHT_METRICS: ReadonlySet<string> = new Set(['RECORD_COUNT', 'FRESHNESS', 'SCHEMA']);
/** What the correlation monitors compare. */
const PARENT_METRICS = ['RECORD_COUNT', 'UNIQUENESS'] as const;

export async function loadEvaluationInput(tenant: TenantMetadata, assetId: string, scan: ScanOutcome): Promise<EvaluationInput> {
  const enabled = (await tenant.monitors.list(assetId)).filter((monitor) => monitor.enabled && !watchesProcess(monitor));
  const { metrics, metric_time } = scan;
  const past = await readPast(tenant, assetId, { before: metric_time, pointsPerScan: metrics.length, pointsMax: POINTS_MAX });
  return {
    monitors: enabled,
    points: metrics,
    metricTimeMs: Date.parse(metric_time),
    timeAttributes: await timeAttributes(tenant, assetId),
    schemaChanges: scan.schema_changes,
    recentSchemaChanges: await recentSchemaChanges(tenant, assetId, past),
    samples: scan.samples,
    failures: scan.failures,
    ...(scan.valueless === undefined ? {} : { valueless: scan.valueless }),
    schema: await schemaOf(tenant, assetId, scan),
    ruleCounts: scan.rule_counts,
    segmentMoves: scan.segment_moves,
    ...(scan.file_changes === undefined ? {} : { fileChanges: scan.file_changes }),
    past,
    detectorStates: await tenant.detectorStates.list(assetId),
    parents: enabled.some(comparesWithParents) ? await loadParents(tenant, assetId) : [],
  };
}

/** With what learned thresholds keep of the series for the next scan; of one that this scan lacks, what they had. */
export type EvaluatedInput = Evaluation & { readonly detectorStates: readonly DetectorState[] };

export function evaluateInput(input: EvaluationInput): EvaluatedInput {
  const request = requestOf(input);
  const states = new Map(input.detectorStates.map((one) => [seriesKey(one.series), one]));
  const memoryOf = (series: SeriesKey) => {
    const key = seriesKey(series);
    const keep = (state: Uint8Array) => {
      if (states.has(key) || states.size < DETECTOR_STATES_MAX) states.set(key, { series: seriesOf(series), state });
    };
    return { kept: states.get(key)?.state, keep };
  };
  return { ...explained(request, evaluate({ ...request, memoryOf })), detectorStates: [...states.values()] };
}

export function requestOf({
  schema,
  ...input
}: EvaluationInput): EvaluationRequest & Pick<EvaluationInput, 'ruleCounts' | 'segmentMoves' | 'fileChanges'> {
  // What a light scan does not measure has not gone.
  const isLight = schema?.options.only_light_scan === 'true';
  const isExpected = ({ metric_name }: SeriesKey) => !isLight || LIGHT_METRICS.has(metric_name);
  return {
    ...input,
    ...(schema === undefined ? {} : { schema }),
    historyOf: historyIn(input.past),
    previousSeries: newestSeries(input.past, 1).filter(isExpected),
    recentSeries: newestSeries(input.past, REPORTED_SCANS).filter(isExpected),
    parents: input.parents.map(({ asset_id, name, past }) => ({ asset_id, name, historyOf: historyIn(past) })),
  };
}

/** As the scan found it; undefined for a vector collection, whose payload has no fixed members. */
async function schemaOf(tenant: TenantMetadata, assetId: string, { columns, options }: ScanOutcome): Promise<EvaluationInput['schema']> {
  if (columns === undefined) return undefined;
  const monitored = new Set((await tenant.attributes.list(assetId)).filter((attribute) => attribute.monitored).map(({ name }) => name));
  const measured = columns.filter(({ name }) => monitored.has(name)).map(({ name }) => name);
  return { attributes: columns, options, measured };
}

export async function timeAttributes(tenant: TenantMetadata, assetId: string): Promise<readonly string[]> {
  const attributes = await tenant.attributes.list(assetId);
  return attributes.filter(({ data_type }) => data_type === 'DATE' || data_type === 'TIMESTAMP').map(({ name }) => name);
}

/** Of each scan, newest first. Their points say how many changes there were, so that only scans with any are asked for them. */
async function recentSchemaChanges(
  tenant: TenantMetadata,
  assetId: string,
  past: PackedPast,
): Promise<readonly (readonly SchemaChange[])[]> {
  const counts = historyIn(past)(SCHEMA_CHANGES).slice(-SCHEMA_SCANS);
  const changed = counts.filter(({ value }) => value !== 0);
  const [first] = changed;
  if (first === undefined) return [];
  const scans = await tenant.metricPoints.scans(assetId, new Date(first.timeMs).toISOString());
  const jobs = new Map(scans.map(({ job_id, metric_time }) => [Date.parse(metric_time), job_id]));
  const changes: (readonly SchemaChange[])[] = [];
  for (const { timeMs, value } of counts.toReversed()) {
    const jobId = value === 0 ? undefined : jobs.get(timeMs);
    changes.push(jobId === undefined ? [] : await tenant.jobFindings.schemaChanges(jobId));
  }
  return changes;
}

/** With their newest values of the metrics that are compared. */
export async function loadParents(tenant: TenantMetadata, assetId: string): Promise<EvaluationInput['parents']> {
  const { parents } = await tenant.lineage.get(assetId);
  const loaded = [];
  for (const id of parents.slice(0, PARENTS_MAX)) {
    const { name } = await tenant.assets.get(id);
    const past = await readPast(tenant, id, { pointsPerScan: 10, pointsMax: PARENT_POINTS_MAX, metricNames: PARENT_METRICS });
    loaded.push({ asset_id: id, name, past });
  }
  return loaded;
}

export function comparesWithParents({ monitor }: Pick<Monitor, 'monitor'>): boolean {
  return 'predefined_metric' in monitor && monitor.predefined_metric.endsWith('_CORRELATION_DRIFTS');
}
