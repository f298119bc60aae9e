// SPDX-License-Identifier: Apache-2.0
/** How complete each column of a group of rows is, and what its numbers come to: figures that add up over groups. */
import type { ColumnCounts } from '../column-counts.ts';
import type { Cell } from '../engine/engine.ts';
import type { MeasuredColumn } from '../plan/columns.ts';
import type { SegmentFigures } from '../scan.ts';
import type { NumberRanges } from './number-ranges.ts';

/** Squares are not taken, but sums of larger doubles may overflow. */
const SUMMABLE = 1e150;

export type FigureColumns = {
  /** Added to the columns of the inner SELECT. */
  readonly inner: readonly string[];
  readonly aggregates: readonly string[];
  /** By the values of the aggregates. */
  readonly read: (values: readonly Cell[]) => Omit<SegmentFigures, 'rows'>;
};

/** What was counted of the whole. */
export type WholeFigures = { readonly ranges: NumberRanges; readonly counts: ColumnCounts; readonly records: number };

/** Of a column that is filled in all records nothing has to be read to know how many of a group it fills. */
export function figureColumns(columns: readonly MeasuredColumn[], { ranges, counts, records }: WholeFigures): FigureColumns {
  const inner: string[] = [];
  const aggregates = columns.flatMap((column, index) => {
    const filled = counts.filledOf(column.name) === records ? 'count(*)' : `count(c${index})`;
    if (filled !== 'count(*)') inner.push(`${filledValue(column)} AS c${index}`);
    if (column.kind !== 'number') return [filled, 'NULL', 'NULL'];
    inner.push(`${column.double} AS d${index}`);
    const { count = 0, min = 0, max = 0 } = ranges.rangeOf(column.name, null) ?? {};
    const numbers = count === records ? 'count(*)' : `count(d${index})`;
    if (Math.max(-min, max) < SUMMABLE) return [filled, numbers, `sum(d${index})`];
    // A value that overflows leaves the column without a mean, as it does for the whole.
    const sum = `CASE WHEN max(abs(d${index})) < ${SUMMABLE} THEN sum(d${index}) FILTER (WHERE abs(d${index}) < ${SUMMABLE}) END`;
    return [filled, numbers, sum];
  });
  return {
    inner,
    aggregates,
    read: (values) => ({
      filled: columns.map((_, index) => Number(values[3 * index])),
      numbers: columns.map((_, index) => Number(values[3 * index + 1])),
      sums: columns.map((_, index) => sumOf(values[3 * index + 2])),
    }),
  };
}

function filledValue({ value, isEmpty }: MeasuredColumn): string {
  return isEmpty === null ? value : `CASE WHEN NOT (${isEmpty}) THEN ${value} END`;
}

function sumOf(sum: Cell | undefined): number | null {
  return sum === null || sum === undefined ? null : Number(sum);
}
