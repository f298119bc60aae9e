// SPDX-License-Identifier: Apache-2.0
/** What was counted of each column of one segment, and the shares that follow. */
import type { MetricName } from '@sextant/contracts-observability';

type Counts = { present: number; empty: number; distinct: number | null; unique: number | null };

/** Different values, and those of them that occur once. */
export type ValueCounts = { readonly distinct: number; readonly unique: number };

type Metric = {
  readonly metric: MetricName;
  readonly aggregation: 'count' | 'ratio';
  readonly attribute: string | null;
  readonly value: number | null;
};

/** Shares that the asset has as the average of its attributes. */
const AVERAGED = ['COMPLETENESS', 'NULL_PERCENTAGE', 'EMPTY_PERCENTAGE', 'CORRECTNESS'] as const;

export class ColumnCounts {
  readonly #byAttribute = new Map<string, Counts>();
  readonly #correct = new Map<string, number>();
  readonly #frequent = new Map<string, readonly string[]>();

  /** Records with a value. */
  setPresent(attribute: string, count: number): void {
    this.#of(attribute).present = count;
  }

  /** Records whose value counts as empty. */
  setEmpty(attribute: string, count: number): void {
    this.#of(attribute).empty = count;
  }

  /** Values, and those of them that occur once. */
  setDistinct(attribute: string, { distinct, unique }: ValueCounts): void {
    Object.assign(this.#of(attribute), { distinct, unique });
  }

  /** The most frequent values, as they are shown. */
  setFrequent(attribute: string, values: readonly string[]): void {
    this.#frequent.set(attribute, values);
  }

  /** Records whose attribute meets all its rules; it need not be one that is measured otherwise. */
  setCorrect(attribute: string, count: number): void {
    this.#correct.set(attribute, count);
  }

  presentOf(attribute: string): number {
    return this.#byAttribute.get(attribute)?.present ?? 0;
  }

  /** Records with a value that does not count as empty. */
  filledOf(attribute: string): number {
    const { present = 0, empty = 0 } = this.#byAttribute.get(attribute) ?? {};
    return present - empty;
  }

  /** Null where they were not counted. */
  distinctOf(attribute: string): number | null {
    return this.#byAttribute.get(attribute)?.distinct ?? null;
  }

  /** Null where they were not counted. */
  valuesOf(attribute: string): ValueCounts | null {
    const { distinct = null, unique = null } = this.#byAttribute.get(attribute) ?? {};
    return distinct === null || unique === null ? null : { distinct, unique };
  }

  /** All values that occur, where the most frequent ones are all; else undefined. */
  allValuesOf(attribute: string): readonly string[] | undefined {
    const values = this.#frequent.get(attribute);
    return values?.length === this.distinctOf(attribute) ? values : undefined;
  }

  metrics(records: number): readonly Metric[] {
    const shares = new Map(AVERAGED.map((metric) => [metric, [] as (number | null)[]]));
    const metrics: Metric[] = [];
    const share = (metric: (typeof AVERAGED)[number], attribute: string, count: number): void => {
      const value = percentage(count, records);
      shares.get(metric)?.push(value);
      metrics.push({ metric, aggregation: 'ratio', attribute, value });
    };
    for (const [attribute, { present, empty, distinct, unique }] of this.#byAttribute) {
      share('COMPLETENESS', attribute, present - empty);
      share('NULL_PERCENTAGE', attribute, records - present);
      share('EMPTY_PERCENTAGE', attribute, empty);
      if (!this.#correct.has(attribute)) shares.get('CORRECTNESS')?.push(percentage(records, records));
      // In a segment where every value is null there is no group of values.
      metrics.push({ metric: 'DISTINCT_COUNT', aggregation: 'count', attribute, value: distinct ?? 0 });
      metrics.push({ metric: 'DUPLICATE_COUNT', aggregation: 'count', attribute, value: present - (distinct ?? 0) });
      metrics.push({ metric: 'UNIQUENESS', aggregation: 'ratio', attribute, value: percentage(unique ?? 0, present) });
    }
    for (const [attribute, count] of this.#correct) share('CORRECTNESS', attribute, count);
    for (const [metric, values] of shares) {
      if (values.length > 0) metrics.push({ metric, aggregation: 'ratio', attribute: null, value: average(values) });
    }
    return metrics;
  }

  #of(attribute: string): Counts {
    const counts = this.#byAttribute.get(attribute) ?? { present: 0, empty: 0, distinct: null, unique: null };
    this.#byAttribute.set(attribute, counts);
    return counts;
  }
}

/** Null where there is nothing to take a share of. */
export function percentage(count: number, total: number): number | null {
  return total === 0 ? null : (100 * count) / total;
}

function average(values: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const value of values) {
    if (value === null) return null;
    sum += value;
  }
  return sum / values.length;
}
