/** What one pass says of each column: how much is there, its numbers, its lengths. */
import type { Dialect } from '../dialect/dialect.ts';
import type { Cell } from '../engine/engine.ts';
import type { MeasuredColumn } from '../plan/columns.ts';
import type { PointCollector } from '../points.ts';
import type { Aggregate, AggregateGroup } from './pass.ts';

/** Squares of larger doubles overflow, which ends a statement; a column that holds one has no mean and no deviation. */
const SQUARABLE = '1e150';

export function columnStatistics(column: MeasuredColumn, index: number, dialect: Dialect, points: PointCollector): AggregateGroup {
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
    aggregates.push(...numberAggregates(column, name('double'), points));
  }
  if (column.kind === 'text') {
    inner.push(`${dialect.length(column.text)} AS ${name('length')}`);
    for (const [sql, aggregation] of [
      ['min', 'min'],
      ['max', 'max'],
      ['avg', 'mean'],
    ] as const)
      aggregates.push(point(`CAST(${sql}(${name('length')}) AS double precision)`, points, 'LENGTH', aggregation, column.name));
  }
  return { inner, aggregates };
}

function numberAggregates({ name: attribute, isSquarable }: MeasuredColumn, double: string, points: PointCollector): readonly Aggregate[] {
  const guarded = (aggregate: string): string =>
    isSquarable
      ? `${aggregate}(${double})`
      : `CASE WHEN max(abs(${double})) < ${SQUARABLE} THEN ${aggregate}(${double}) FILTER (WHERE abs(${double}) < ${SQUARABLE}) END`;
  return [
    point(`min(${double})`, points, 'MIN', 'min', attribute),
    point(`max(${double})`, points, 'MAX', 'max', attribute),
    point(guarded('avg'), points, 'MEAN', 'mean', attribute),
    point(guarded('stddev_samp'), points, 'STDDEV', 'stddev', attribute),
  ];
}

function count(sql: string, receive: (value: number, segment: string | null) => void): Aggregate {
  return { sql, receive: (value, segment) => receive(Number(value ?? 0), segment) };
}

function point(
  sql: string,
  points: PointCollector,
  metric: 'MIN' | 'MAX' | 'MEAN' | 'STDDEV' | 'LENGTH',
  aggregation: string,
  attribute: string,
): Aggregate {
  return {
    sql,
    receive: (value: Cell, segment) =>
      points.add(metric, aggregation, { attribute, segment, value: value === null ? null : Number(value) }),
  };
}
