// SPDX-License-Identifier: Apache-2.0
/**
 * The service as the benchmark sees it: each value is a scan of a metric, evaluated with the history that the service reads and what it kept of
 * the series.
 */

import type { MetricPoint, Monitor } from '@sextant/contracts-observability';
import type { SeriesMemory, SeriesPoint, Surprise } from '../bands/band.ts';
import { evaluate } from '../evaluation/evaluate.ts';
import type { SeriesKey } from '../evaluation/evaluation.ts';

/** Of an evaluation. */
const SCANS_READ = 1000;

/** What the values are: of a metric that somebody defined, of records, a share of so many records, or the age of the newest data in hours. */
export type MeasuredAs =
  | { readonly kind: 'metric' }
  | { readonly kind: 'rows' }
  | { readonly kind: 'completeness'; readonly records: number }
  | { readonly kind: 'freshness' };

export type Judged = {
  /** Whether enough was known to say anything. */
  readonly isKnown: boolean;
  readonly isViolation: boolean;
  readonly surprise: Surprise | undefined;
  readonly band: readonly [number | null, number | null];
};

export type ProductJudge = {
  /** Of the value that comes next. */
  readonly judge: (timeMs: number, value: number) => Judged;
  readonly learn: (timeMs: number, value: number) => void;
};

const ATTRIBUTE = 'a';
const COUNT = seriesOf('RECORD_COUNT', 'count', null);
const SERIES: { readonly [Kind in MeasuredAs['kind']]: SeriesKey } = {
  metric: { ...seriesOf('CUSTOM', 'value', null), monitor_id: '1' },
  rows: COUNT,
  completeness: seriesOf('COMPLETENESS', 'ratio', ATTRIBUTE),
  freshness: seriesOf('FRESHNESS', 'min', null),
};

const MONITOR: Monitor = {
  id: '1',
  asset_id: 'a',
  type: 'METRIC',
  name: 'series',
  enabled: true,
  description: null,
  impact: null,
  tags: null,
  created_by: '',
  created_at: '',
  modified_by: '',
  modified_at: '',
  monitor: { expression: 'value', options: { ignore_nulls: false }, raw_sql: false },
  threshold: { threshold_type: 'ML', threshold1: null, threshold2: null, extrapolation_strategy: 'IGNORE', history_limit: 0 },
  notification: null,
  ticketing: null,
};

const MONITORS: { readonly [Kind in MeasuredAs['kind']]: Monitor } = {
  metric: MONITOR,
  rows: predefined('RECORD_COUNT_DRIFTS'),
  completeness: predefined('COMPLETENESS_DRIFTS'),
  freshness: predefined('FRESHNESS_DRIFTS'),
};

/** Judges the values of a series one after another, as scans do. */
export function productJudge(measured?: MeasuredAs): ProductJudge {
  const { judge, learn } = productMonitor(1, measured);
  return {
    judge: (timeMs, value) => judge(timeMs, [value])[0] ?? NOT_JUDGED,
    learn: (timeMs, value) => learn(timeMs, [value]),
  };
}

export type ProductMonitor = {
  /** Of the values of all series that one scan measures; undefined where a series has none. */
  readonly judge: (timeMs: number, values: readonly (number | undefined)[]) => readonly Judged[];
  readonly learn: (timeMs: number, values: readonly (number | undefined)[]) => void;
};

/** One monitor of so many series, each of a segment of its own. */
export function productMonitor(size: number, measured: MeasuredAs = { kind: 'metric' }): ProductMonitor {
  const watched = Array.from({ length: size }, (_, index) => beginSeries(measured, size === 1 ? null : `${index}`));
  const byKey = new Map(watched.map((one) => [one.key.segment, one]));
  return {
    judge: (timeMs, values) => {
      const { points, verdicts } = evaluate({
        monitors: [MONITORS[measured.kind]],
        points: watched.flatMap(({ key, companions }, index) => {
          const value = values[index];
          return value === undefined ? [] : [{ ...key, value }, ...companions];
        }),
        metricTimeMs: timeMs,
        schemaChanges: [],
        samples: [],
        historyOf: ({ segment }) => byKey.get(segment)?.history ?? [],
        memoryOf: ({ segment }) => byKey.get(segment)?.memory ?? NO_MEMORY,
        previousSeries: watched.flatMap(({ key, history }) => (history.length === 0 ? [] : [key])),
        parents: [],
      });
      const isKnown = verdicts[0]?.outcome !== 'unknown';
      const { metric_name: watchedMetric } = SERIES[measured.kind];
      const judged = new Map(points.flatMap((point) => (point.metric_name === watchedMetric ? [[point.segment, point] as const] : [])));
      return watched.map(({ key }) => {
        const point = judged.get(key.segment);
        return {
          isKnown,
          isViolation: point?.is_violation ?? false,
          surprise: point?.surprise,
          band: [point?.lower_bound ?? null, point?.upper_bound ?? null],
        };
      });
    },
    learn: (timeMs, values) => {
      for (const [index, { history }] of watched.entries()) {
        const value = values[index];
        if (value === undefined) continue;
        history.push({ timeMs, value, isExcluded: false });
        if (history.length > SCANS_READ) history.shift();
      }
    },
  };
}

const NOT_JUDGED: Judged = { isKnown: false, isViolation: false, surprise: undefined, band: [null, null] };
const NO_MEMORY: SeriesMemory = { kept: undefined, keep: () => undefined };

type WatchedSeries = {
  readonly key: SeriesKey;
  readonly companions: readonly MetricPoint[];
  readonly history: SeriesPoint[];
  readonly memory: SeriesMemory;
};

function beginSeries(measured: MeasuredAs, segment: string | null): WatchedSeries {
  let kept: Uint8Array | undefined;
  return {
    key: { ...SERIES[measured.kind], segment },
    companions: measured.kind === 'completeness' ? [{ ...COUNT, segment, value: measured.records }] : [],
    history: [],
    memory: {
      get kept() {
        return kept;
      },
      keep: (state) => {
        kept = state;
      },
    },
  };
}

function seriesOf(metric_name: SeriesKey['metric_name'], metric_aggregation: string, attribute: string | null): SeriesKey {
  return { metric_name, metric_aggregation, attribute, segment: null, monitor_id: null };
}

function predefined(predefined_metric: 'RECORD_COUNT_DRIFTS' | 'COMPLETENESS_DRIFTS' | 'FRESHNESS_DRIFTS'): Monitor {
  return { ...MONITOR, id: predefined_metric, type: 'PREDEFINED_METRIC', monitor: { predefined_metric, attributes: [] } };
}
