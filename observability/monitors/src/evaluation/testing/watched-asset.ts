// SPDX-License-Identifier: Apache-2.0
/** An asset of tests: scans are written down as points, and evaluated with all that came before. */
import type { MetricName, MetricPoint, Monitor, SchemaChange, Threshold } from '@sextant/contracts-observability';
import type { SeriesPoint } from '../../bands/band.ts';
import { REPORTED_SCANS } from '../acceptance.ts';
import { evaluate } from '../evaluate.ts';
import type { Evaluation, EvaluationRequest, SeriesKey, Verdict } from '../evaluation.ts';
import { seriesId } from '../scan-series.ts';

export const DAY_MS = 86_400_000;
/** Its values are dates. */
export const TIME_ATTRIBUTE = 'born';
export const LEARNED: Threshold = {
  threshold_type: 'ML',
  threshold1: null,
  threshold2: null,
  extrapolation_strategy: 'IGNORE',
  history_limit: 0,
};

type Place = Partial<Pick<MetricPoint, 'attribute' | 'segment' | 'monitor_id'>>;

export function point(metric_name: MetricName, metric_aggregation: string, value: number | null, place: Place = {}): MetricPoint {
  return { metric_name, metric_aggregation, attribute: null, segment: null, monitor_id: null, ...place, value };
}

/** A monitor that watches a metric, or what a pre-built one does. */
export function predefined(name: string, changes: Partial<Monitor> & { readonly attributes?: readonly string[] } = {}): Monitor {
  const { attributes = [], ...others } = changes;
  return { ...MONITOR, id: name, name, monitor: { predefined_metric: name, attributes }, ...others };
}

export function rule(id: string, changes: Partial<Monitor> = {}): Monitor {
  const monitor = { expression: 'VALIDATE a EXPECT IS_TRUE', options: { ignore_nulls: false, empty_values: [] }, variables: [] };
  return { ...MONITOR, id, name: `rule ${id}`, type: 'RULE', monitor, ...changes };
}

export function userMetric(id: string, changes: Partial<Monitor> = {}): Monitor {
  return {
    ...MONITOR,
    id,
    name: `metric ${id}`,
    type: 'METRIC',
    monitor: { expression: 'sum(a)', options: { ignore_nulls: false }, raw_sql: false },
    ...changes,
  };
}

export function bounds(lower: number | null, upper: number | null): Threshold {
  return { ...LEARNED, threshold_type: 'STATIC', threshold1: lower, threshold2: upper };
}

const MONITOR: Monitor = {
  id: '1',
  asset_id: 'a',
  type: 'PREDEFINED_METRIC',
  name: 'monitor',
  enabled: true,
  description: null,
  impact: null,
  tags: null,
  created_by: 'somebody',
  created_at: '2026-01-01T00:00:00.000Z',
  modified_by: 'somebody',
  modified_at: '2026-01-01T00:00:00.000Z',
  monitor: { predefined_metric: 'RECORD_COUNT', attributes: [] },
  threshold: LEARNED,
  notification: null,
  ticketing: null,
};

export class WatchedAsset {
  readonly #monitors: readonly Monitor[];
  readonly #histories = new Map<string, SeriesPoint[]>();
  readonly #parents: EvaluationRequest['parents'];
  /** Newest first. */
  readonly #earlier: { readonly points: readonly MetricPoint[]; readonly schemaChanges: readonly SchemaChange[] }[] = [];
  #timeMs = Date.UTC(2026, 0, 1);

  constructor(monitors: readonly Monitor[], parents: EvaluationRequest['parents'] = []) {
    this.#monitors = monitors;
    this.#parents = parents;
  }

  /** As `historyOf` of a request. */
  readonly historyOf = (series: SeriesKey): readonly SeriesPoint[] => this.#histories.get(seriesId(series)) ?? [];

  /** Evaluates a scan, a day after the one before, and remembers it. */
  scan(points: readonly MetricPoint[], schemaChanges: readonly SchemaChange[] = [], more: Partial<EvaluationRequest> = {}): Evaluation {
    const evaluation = evaluate({
      monitors: this.#monitors,
      points,
      metricTimeMs: this.#timeMs,
      timeAttributes: [TIME_ATTRIBUTE],
      schemaChanges,
      recentSchemaChanges: this.#earlier.map((scan) => scan.schemaChanges),
      samples: [],
      historyOf: this.historyOf,
      previousSeries: this.#earlier[0]?.points ?? [],
      recentSeries: this.#earlier.slice(0, REPORTED_SCANS).flatMap((scan) => scan.points),
      parents: this.#parents,
      ...more,
    });
    this.#remember(points, schemaChanges);
    return evaluation;
  }

  #remember(points: readonly MetricPoint[], schemaChanges: readonly SchemaChange[]): void {
    for (const measured of points) {
      const history = this.#histories.get(seriesId(measured)) ?? [];
      history.push({ timeMs: this.#timeMs, value: measured.value, isExcluded: false });
      this.#histories.set(seriesId(measured), history);
    }
    this.#earlier.unshift({ points, schemaChanges });
    this.#timeMs += DAY_MS;
  }

  /** A person says of the newest value of a series that it was to be expected. */
  expectNewest(series: SeriesKey): void {
    const history = this.#histories.get(seriesId(series)) ?? [];
    this.#histories.set(
      seriesId(series),
      history.map((point, index) => (index === history.length - 1 ? { ...point, isExpected: true } : point)),
    );
  }

  /** The same scan so many times. Nobody reads what is found in them, and an evaluation leaves nothing behind. */
  repeat(times: number, points: (index: number) => readonly MetricPoint[]): void {
    for (let index = 0; index < times; index += 1) this.#remember(points(index), []);
  }

  /** The verdict of the only monitor on a scan. */
  evaluate(points: readonly MetricPoint[], schemaChanges: readonly SchemaChange[] = []): Verdict {
    const [verdict] = this.scan(points, schemaChanges).verdicts;
    if (verdict === undefined) throw new Error('the asset has no monitor');
    return verdict;
  }
}
