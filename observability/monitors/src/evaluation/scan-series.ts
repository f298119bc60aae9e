// SPDX-License-Identifier: Apache-2.0
/** The points of one scan and what came before them, in the ways that the monitors ask for them. */
import type { MetricName, MetricPoint } from '@sextant/contracts-observability';
import type { SeriesMemory, SeriesPoint } from '../bands/band.ts';
import type { EvaluationRequest, SeriesKey } from './evaluation.ts';

/** A series of the asset; null where this scan has no value for it. */
export type Measured = { readonly series: SeriesKey; readonly value: number | null };

export type Place = { readonly attribute: string | null; readonly segment: string | null };

/** Past values that say what is typical. */
const TYPICAL_OF = 20;

export function seriesId({ metric_name, metric_aggregation, attribute, segment, monitor_id }: SeriesKey): string {
  return JSON.stringify([metric_name, metric_aggregation, attribute, segment, monitor_id]);
}

/** A series of the whole asset or of an attribute that belongs to no rule or expression. */
export function plainSeries(metric_name: MetricName, metric_aggregation: string, { attribute, segment }: Place): SeriesKey {
  return { metric_name, metric_aggregation, attribute, segment, monitor_id: null };
}

export class ScanSeries {
  readonly timeMs: number;
  readonly #request: EvaluationRequest;
  readonly #byId: ReadonlyMap<string, MetricPoint>;
  readonly #byMetric: ReadonlyMap<MetricName, readonly Measured[]>;
  readonly #histories = new Map<string, readonly SeriesPoint[]>();
  readonly #typical = new Map<string, number | undefined>();

  constructor(request: EvaluationRequest) {
    this.timeMs = request.metricTimeMs;
    this.#request = request;
    this.#byId = new Map(request.points.map((point) => [seriesId(point), point]));
    const gone = request.previousSeries.filter((series) => !this.#byId.has(seriesId(series)));
    const measured = [
      ...request.points.map((point): Measured => ({ series: point, value: point.value })),
      ...gone.map((series): Measured => ({ series, value: null })),
    ];
    this.#byMetric = Map.groupBy(measured, ({ series }) => series.metric_name);
  }

  /** Series of this scan, and those of the scan before that have gone. */
  of(metric: MetricName): readonly Measured[] {
    return this.#byMetric.get(metric) ?? [];
  }

  /** Those that have gone within the latest scans too. */
  latelyOf(metric: MetricName): readonly Measured[] {
    const found = this.of(metric);
    const known = new Set(found.map(({ series }) => seriesId(series)));
    const recent = this.#request.recentSeries?.filter((series) => series.metric_name === metric && !known.has(seriesId(series))) ?? [];
    return [...found, ...recent.map((series): Measured => ({ series, value: null }))];
  }

  /** Whether the values of an attribute are times, and numbers of them milliseconds since 1970. */
  isTime(attribute: string | null): boolean {
    return attribute !== null && this.#request.timeAttributes?.includes(attribute) === true;
  }

  /** Null where this scan has no value. */
  valueOf(series: SeriesKey): number | null {
    return this.#byId.get(seriesId(series))?.value ?? null;
  }

  historyOf(series: SeriesKey): readonly SeriesPoint[] {
    const id = seriesId(series);
    const history = this.#histories.get(id) ?? this.#request.historyOf(series);
    this.#histories.set(id, history);
    return history;
  }

  memoryOf(series: SeriesKey): SeriesMemory | undefined {
    return this.#request.memoryOf?.(series);
  }

  /** The median of the latest values, of this scan where there are none; undefined for a series without any. */
  typicalOf(series: SeriesKey): number | undefined {
    const id = seriesId(series);
    if (!this.#typical.has(id))
      this.#typical.set(id, median(learned(this.historyOf(series)).slice(-TYPICAL_OF)) ?? this.valueOf(series) ?? undefined);
    return this.#typical.get(id);
  }

  recordsOf(segment: string | null): number {
    return this.valueOf(plainSeries('RECORD_COUNT', 'count', { attribute: null, segment })) ?? 0;
  }

  /** Records in which the attribute has a value. */
  presentOf(place: Place): number {
    const missing = this.valueOf(plainSeries('NULL_PERCENTAGE', 'ratio', place)) ?? 0;
    return Math.max(1, Math.round(this.recordsOf(place.segment) * (1 - missing / 100)));
  }
}

/** Points that teach, oldest first. */
export function learnedPoints(history: readonly SeriesPoint[]): readonly { readonly timeMs: number; readonly value: number }[] {
  return history.flatMap(({ timeMs, value, isExcluded }) => (value === null || isExcluded ? [] : [{ timeMs, value }]));
}

/** Their values. */
export function learned(history: readonly SeriesPoint[]): readonly number[] {
  return learnedPoints(history).map(({ value }) => value);
}

export function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((first, second) => first - second);
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  return upper === undefined || lower === undefined ? undefined : (lower + upper) / 2;
}
