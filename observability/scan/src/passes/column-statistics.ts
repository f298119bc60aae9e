// SPDX-License-Identifier: Apache-2.0
/** What the first pass says of each column: how much is there, between which values its numbers lie, its lengths. */
import type { Dialect } from '../dialect/dialect.ts';
import type { MeasuredColumn } from '../plan/columns.ts';
import type { PointCollector } from '../points.ts';
import type { NumberRanges } from './number-ranges.ts';
import type { Aggregate, AggregateGroup } from './pass.ts';
import { QUANTILES } from './quantiles.ts';

/** Of larger doubles a sum may be none, which ends a statement; a column that holds one has no mean and no deviation. */
const SUMMABLE = 1e150;

const OF_NEXT_PASS = [
  ['MEAN', 'mean'],
  ['STDDEV', 'stddev'],
  ...QUANTILES.map(({ metric, aggregation }) => [metric, aggregation] as const),
] as const;

export type StatisticsScope = { readonly dialect: Dialect; readonly points: PointCollector; readonly ranges: NumberRanges };

export function columnStatistics(column: MeasuredColumn, index: number, { dialect, points, ranges }: StatisticsScope): AggregateGroup {
  const name = (kind: string): string => `${kind}_${index}`;
  const inner = [`${column.value} AS ${name('value')}`];
  const aggregates: Aggregate[] = [
    count(`count(${name('value')})`, (value, segment) => points.countsOf(segment).setPresent(column.name, value)),
  ];
  if (column.isEmpty !== null) {
    inner.push(`${column.isEmpty} AS ${name('empty')}`);
    aggregates.push(
      count(`count(*) FILTER (WHERE ${name('empty')})`, (value, segment) => points.countsOf(segment).setEmpty(column.name, value)),
    );
  }
  if (column.double !== null) {
    inner.push(`${column.double} AS ${name('double')}`);
    aggregates.push(...numberAggregates(column, name('double'), { dialect, points, ranges }));
  }
  if (column.kind === 'text') {
    inner.push(`${dialect.length(column.text)} AS ${name('length')}`);
    aggregates.push(...lengthAggregates(column.name, name('length'), dialect, points));
  }
  return { inner, aggregates };
}

function numberAggregates(
  { name: attribute, isSquarable }: MeasuredColumn,
  double: string,
  { dialect, points, ranges }: StatisticsScope,
): readonly Aggregate[] {
  const summed = isSquarable ? double : `CASE WHEN abs(${double}) < ${dialect.number(SUMMABLE)} THEN ${double} END`;
  const end = (name: 'min' | 'max'): Aggregate => ({
    sql: `${name}(${double})`,
    receive: (cell, segment) => {
      const value = cell === null ? null : Number(cell);
      ranges.set(attribute, segment, name, value);
      points.add(name === 'min' ? 'MIN' : 'MAX', name, { attribute, segment, value });
    },
  });
  return [
    count(`count(${double})`, (value, segment) => {
      ranges.setCount(attribute, segment, value);
      // Until the next pass has measured them; of no values it measures nothing.
      for (const [metric, aggregation] of OF_NEXT_PASS) points.add(metric, aggregation, { attribute, segment, value: null });
    }),
    end('min'),
    end('max'),
    { sql: `sum(${summed})`, receive: (sum, segment) => ranges.set(attribute, segment, 'sum', sum === null ? null : Number(sum)) },
  ];
}

function lengthAggregates(attribute: string, length: string, dialect: Dialect, points: PointCollector): readonly Aggregate[] {
  const point = (sql: string, aggregation: string, read: (cell: number, segment: string | null) => number): Aggregate => ({
    sql,
    receive: (cell, segment) =>
      points.add('LENGTH', aggregation, { attribute, segment, value: cell === null ? null : read(Number(cell), segment) }),
  });
  return [
    point(`min(${length})`, 'min', (value) => value),
    point(`max(${length})`, 'max', (value) => value),
    point(dialect.sumOfIntegers(length), 'mean', (sum, segment) => sum / points.countsOf(segment).presentOf(attribute)),
  ];
}

function count(sql: string, receive: (value: number, segment: string | null) => void): Aggregate {
  return { sql, receive: (value, segment) => receive(Number(value ?? 0), segment) };
}
