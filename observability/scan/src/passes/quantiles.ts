/**
 * Quantiles, exact as long as the values of all columns fit their share of memory, since exact ones cannot spill; beyond that by t-digest, as
 * DuckDB's own SUMMARIZE does (https://duckdb.org/docs/stable/sql/functions/aggregates#approximate-aggregates).
 */
import type { Cell, Engine } from '../engine/engine.ts';
import type { MeasuredColumn } from '../plan/columns.ts';
import type { SegmentDimension } from '../plan/segments.ts';
import type { PointCollector } from '../points.ts';
import { type AggregateGroup, runPass } from './pass.ts';

const QUANTILES = [
  { share: 0.05, metric: 'QUANTILE', aggregation: 'p05' },
  { share: 0.25, metric: 'QUANTILE', aggregation: 'p25' },
  { share: 0.5, metric: 'MEDIAN', aggregation: 'median' },
  { share: 0.75, metric: 'QUANTILE', aggregation: 'p75' },
  { share: 0.95, metric: 'QUANTILE', aggregation: 'p95' },
] as const;

export type QuantileOptions = {
  readonly columns: readonly MeasuredColumn[];
  readonly dimensions: readonly SegmentDimension[];
  readonly accuracy: 'exact' | 'approximate';
};

export async function measureQuantiles(
  engine: Engine,
  { columns, dimensions, accuracy }: QuantileOptions,
  points: PointCollector,
): Promise<void> {
  const shares = QUANTILES.map(({ share }) => share);
  const groups = columns.flatMap(({ name, double }, index): AggregateGroup[] => {
    if (double === null) return [];
    const sql = engine.dialect.quantiles(`double_${index}`, shares, accuracy);
    return [{ inner: [`${double} AS double_${index}`], aggregates: [{ sql, receive: (value, segment) => receive(name, segment, value) }] }];
  });
  await runPass(engine, { groups, dimensions });

  function receive(attribute: string, segment: string | null, json: Cell): void {
    const quantiles: unknown = json === null ? null : JSON.parse(String(json));
    QUANTILES.forEach(({ metric, aggregation }, position) => {
      const quantile: unknown = Array.isArray(quantiles) ? quantiles[position] : null;
      points.add(metric, aggregation, { attribute, segment, value: typeof quantile === 'number' ? quantile : null });
    });
  }
}
