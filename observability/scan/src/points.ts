/** Gathers what the passes find and turns counts into metrics. */
import type { MetricName, MetricPoint } from '@sextant/contracts-observability';

type Place = {
  readonly attribute: string | null;
  readonly segment: string | null;
  readonly value: number | null;
  readonly monitorId?: string;
};
type Counts = { present: number; empty: number; unique: number | null; distinct: number | null };

export class PointCollector {
  readonly #points: MetricPoint[] = [];
  readonly #records = new Map<string | null, number>();
  /** By segment, then by attribute. */
  readonly #counts = new Map<string | null, Map<string, Counts>>();

  add(metric: MetricName, aggregation: string, { attribute, segment, value, monitorId }: Place): void {
    this.#points.push({
      metric_name: metric,
      metric_aggregation: aggregation,
      attribute,
      segment,
      monitor_id: monitorId ?? null,
      value: finite(value),
    });
  }

  records(segment: string | null, count: number): void {
    this.#records.set(segment, count);
  }

  present(attribute: string, segment: string | null, count: number): void {
    this.#countsOf(attribute, segment).present = count;
  }

  empty(attribute: string, segment: string | null, count: number): void {
    this.#countsOf(attribute, segment).empty = count;
  }

  /** Values, and those of them that occur once. */
  distinct(attribute: string, segment: string | null, counts: { readonly distinct: number; readonly unique: number }): void {
    Object.assign(this.#countsOf(attribute, segment), counts);
  }

  presentOf(attribute: string, segment: string | null): number {
    return this.#counts.get(segment)?.get(attribute)?.present ?? 0;
  }

  recordsOf(segment: string | null): number {
    return this.#records.get(segment) ?? 0;
  }

  /** All points; segments in which no row lies have a record count of zero and nothing else. */
  finish(segments: readonly string[]): readonly MetricPoint[] {
    for (const segment of [null, ...segments]) {
      const records = this.recordsOf(segment);
      this.add('RECORD_COUNT', 'count', { attribute: null, segment, value: records });
      if (records > 0 || segment === null) this.#finishSegment(segment, records);
    }
    return this.#points;
  }

  #finishSegment(segment: string | null, records: number): void {
    const sums = { COMPLETENESS: 0, NULL_PERCENTAGE: 0, EMPTY_PERCENTAGE: 0 };
    const attributes = [...(this.#counts.get(segment) ?? [])];
    for (const [attribute, { present, empty, unique, distinct }] of attributes) {
      const percent = (count: number): number | null => percentage(count, records);
      const shares = {
        COMPLETENESS: percent(present - empty),
        NULL_PERCENTAGE: percent(records - present),
        EMPTY_PERCENTAGE: percent(empty),
      };
      for (const metric of ['COMPLETENESS', 'NULL_PERCENTAGE', 'EMPTY_PERCENTAGE'] as const) {
        sums[metric] += shares[metric] ?? 0;
        this.add(metric, 'ratio', { attribute, segment, value: shares[metric] });
      }
      if (distinct === null || unique === null) continue;
      this.add('DISTINCT_COUNT', 'count', { attribute, segment, value: distinct });
      this.add('DUPLICATE_COUNT', 'count', { attribute, segment, value: present - distinct });
      this.add('UNIQUENESS', 'ratio', { attribute, segment, value: percentage(unique, present) });
    }
    if (attributes.length === 0) return;
    for (const metric of ['COMPLETENESS', 'NULL_PERCENTAGE', 'EMPTY_PERCENTAGE'] as const) {
      this.add(metric, 'ratio', { attribute: null, segment, value: records === 0 ? null : sums[metric] / attributes.length });
    }
  }

  #countsOf(attribute: string, segment: string | null): Counts {
    const bySegment = this.#counts.get(segment) ?? new Map<string, Counts>();
    this.#counts.set(segment, bySegment);
    const counts = bySegment.get(attribute) ?? { present: 0, empty: 0, unique: null, distinct: null };
    bySegment.set(attribute, counts);
    return counts;
  }
}

/** Null where there is nothing to take a share of. */
export function percentage(count: number, total: number): number | null {
  return total === 0 ? null : (100 * count) / total;
}

function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}
