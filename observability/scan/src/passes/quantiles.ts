/** Exact quantiles. They hold all values of a column at a time and cannot spill, so only so many columns share a statement. */
import type { Engine } from '../engine/engine.ts';
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
  readonly records: number;
  /** Values that may be held at a time. */
  readonly valuesHeld: number;
};

export async function measureQuantiles(engine: Engine, options: QuantileOptions, points: PointCollector): Promise<void> {
  const { columns, dimensions, records, valuesHeld } = options;
  const numeric = columns.flatMap((column) => (column.double === null ? [] : [{ name: column.name, double: column.double }]));
  const perColumn = Math.max(1, records * (1 + dimensions.length));
  const together = Math.max(1, Math.floor(valuesHeld / perColumn));
  for (let start = 0; start < numeric.length; start += together) {
    const groups = numeric.slice(start, start + together).map(
      ({ name, double }, index): AggregateGroup => ({
        inner: [`${double} AS double_${index}`],
        aggregates: [
          {
            sql: engine.dialect.quantiles(
              `double_${index}`,
              QUANTILES.map(({ share }) => share),
            ),
            receive: (value, segment) => {
              const quantiles: unknown = value === null ? null : JSON.parse(String(value));
              QUANTILES.forEach(({ metric, aggregation }, position) => {
                const quantile: unknown = Array.isArray(quantiles) ? quantiles[position] : null;
                points.add(metric, aggregation, { attribute: name, segment, value: typeof quantile === 'number' ? quantile : null });
              });
            },
          },
        ],
      }),
    );
    await runPass(engine, { groups, dimensions });
  }
}
