// SPDX-License-Identifier: Apache-2.0
/** The metrics of the page `/metrics` in the form in which OpenTelemetry sends them: the same names, labels and values. */
import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import { AggregationTemporality, DataPointType, type MetricData, type MetricProducer } from '@opentelemetry/sdk-metrics';
import type { GatheredMetric } from '../metrics.ts';
import type { MetricSource } from './open-telemetry.ts';

type Times = { readonly startTime: HrTime; readonly endTime: HrTime };

export function metricProducer(
  source: MetricSource,
  { resource, startedMs, nowMs }: { resource: Resource; startedMs: number; nowMs: () => number },
): MetricProducer {
  return {
    collect: async () => {
      const times = { startTime: hrTime(startedMs), endTime: hrTime(nowMs()) };
      const metrics = (await source()).map((metric) => metricData(metric, times));
      return { resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'sextant' }, metrics }] }, errors: [] };
    },
  };
}

function metricData(metric: GatheredMetric, times: Times): MetricData {
  const { name, help, type, values } = metric;
  const base = {
    descriptor: { name, description: help, unit: unitOf(name), valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  if (type === 'histogram') return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(metric, times) };
  const dataPoints = values.map(({ labels, value }) => ({ ...times, attributes: attributesOf(labels), value }));
  return type === 'counter'
    ? { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...base, dataPointType: DataPointType.GAUGE, dataPoints };
}

type HistogramPoint = {
  attributes: Attributes;
  readonly boundaries: number[];
  /** Up to each boundary, those below it included; then all. */
  readonly below: number[];
  sum: number;
};

/** Prometheus counts up to each bound and from zero, OpenTelemetry between the bounds. */
function histograms({ name, values }: GatheredMetric, times: Times) {
  const points = new Map<string, HistogramPoint>();
  for (const { labels, value, metricName } of values) {
    const { le, ...others } = labels;
    const key = JSON.stringify(Object.entries(others).toSorted(([one], [other]) => (one < other ? -1 : 1)));
    const point = points.get(key) ?? { attributes: attributesOf(others), boundaries: [], below: [], sum: 0 };
    points.set(key, point);
    if (metricName === `${name}_sum`) point.sum = value;
    if (metricName !== `${name}_bucket` || le === undefined) continue;
    if (le !== '+Inf') point.boundaries.push(Number(le));
    point.below.push(value);
  }
  return [...points.values()].map(({ attributes, boundaries, below, sum }) => ({
    ...times,
    attributes,
    value: { buckets: { boundaries, counts: below.map((count, at) => count - (below[at - 1] ?? 0)) }, sum, count: below.at(-1) ?? 0 },
  }));
}

function attributesOf(labels: { readonly [name: string]: string | number }): Attributes {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));
}

function unitOf(name: string): string {
  if (/_seconds(_|$)/.test(name)) return 's';
  return /_bytes(_|$)/.test(name) ? 'By' : '1';
}

function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}
