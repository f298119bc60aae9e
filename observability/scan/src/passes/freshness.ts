// SPDX-License-Identifier: Apache-2.0
/** How old the newest record is, and up to where a delta scan has read. */
import type { Column } from '@sextant/observability-connectors';
import type { Dialect } from '../dialect/dialect.ts';
import type { PointCollector } from '../points.ts';
import type { AggregateGroup } from './pass.ts';

const HOUR_MS = 3_600_000;

export type FreshnessOptions = {
  readonly column: Column;
  readonly dialect: Dialect;
  readonly nowMs: number;
  readonly points: PointCollector;
  /** The newest timestamp of the whole, as the engine writes it. */
  readonly onWatermark: (watermark: string) => void;
};

export function freshness({ column, dialect, nowMs, points, onWatermark }: FreshnessOptions): AggregateGroup {
  return {
    inner: [`${dialect.timestamp(dialect.identifier(column.name), column)} AS dated`],
    aggregates: [
      {
        sql: dialect.epochMs('max(dated)'),
        receive: (value, segment) =>
          points.add('FRESHNESS', 'min', {
            attribute: column.name,
            segment,
            value: value === null ? null : hoursSince(Number(value), nowMs),
          }),
      },
      {
        sql: dialect.castText('max(dated)'),
        receive: (value, segment) => {
          if (value !== null && segment === null) onWatermark(String(value));
        },
      },
    ],
  };
}

/** A time that has yet to come is as fresh as can be. */
export function hoursSince(timeMs: number, nowMs: number): number {
  return Math.max(0, nowMs - timeMs) / HOUR_MS;
}
