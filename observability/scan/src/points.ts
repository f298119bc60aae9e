// SPDX-License-Identifier: Apache-2.0
/** Gathers what the passes find. */
import type { MetricName, MetricPoint } from '@sextant/contracts-observability';
import { ColumnCounts } from './column-counts.ts';

type Place = {
  readonly attribute: string | null;
  readonly segment: string | null;
  readonly value: number | null;
  readonly monitorId?: string | null;
};

export class PointCollector {
  /** By what they are about: a pass that runs again after a failure replaces what it found before. */
  readonly #points = new Map<string, MetricPoint>();
  readonly #records = new Map<string | null, number>();
  /** By segment. */
  readonly #counts = new Map<string | null, ColumnCounts>();

  add(metric: MetricName, aggregation: string, { attribute, segment, value, monitorId = null }: Place): void {
    this.#points.set(JSON.stringify([metric, aggregation, attribute, segment, monitorId]), {
      metric_name: metric,
      metric_aggregation: aggregation,
      attribute,
      segment,
      monitor_id: monitorId,
      // The zeros of either sign are one number, of which an engine gives either.
      value: value === null || !Number.isFinite(value) ? null : value === 0 ? 0 : value,
    });
  }

  setRecords(segment: string | null, count: number): void {
    this.#records.set(segment, count);
  }

  recordsOf(segment: string | null): number {
    return this.#records.get(segment) ?? 0;
  }

  countsOf(segment: string | null): ColumnCounts {
    const counts = this.#counts.get(segment) ?? new ColumnCounts();
    this.#counts.set(segment, counts);
    return counts;
  }

  /** All points. A segment in which no row lies has a record count of zero and nothing else. */
  finish(segments: readonly string[]): readonly MetricPoint[] {
    for (const segment of [null, ...segments]) {
      const records = this.recordsOf(segment);
      this.add('RECORD_COUNT', 'count', { attribute: null, segment, value: records });
      if (records === 0 && segment !== null) continue;
      for (const { metric, aggregation, attribute, value } of this.countsOf(segment).metrics(records)) {
        this.add(metric, aggregation, { attribute, segment, value });
      }
    }
    return [...this.#points.values()];
  }
}
