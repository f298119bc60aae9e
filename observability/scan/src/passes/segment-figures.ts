// SPDX-License-Identifier: Apache-2.0
/** How complete each column of a group of rows is, and what its numbers come to: figures that add up over groups. */
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

/** @param ranges of the whole: between which values the numbers lie */
export function figureColumns(columns: readonly MeasuredColumn[], ranges: NumberRanges): FigureColumns {
  return {
    inner: columns.flatMap(({ value, isEmpty, kind, double }, index) => [
      `${isEmpty === null ? value : `CASE WHEN NOT (${isEmpty}) THEN ${value} END`} AS c${index}`,
      ...(kind === 'number' ? [`${double} AS d${index}`] : []),
    ]),
    aggregates: columns.flatMap(({ kind, name }, index) => {
      const filled = `count(c${index})`;
      if (kind !== 'number') return [filled, 'NULL', 'NULL'];
      const { min = 0, max = 0 } = ranges.rangeOf(name, null) ?? {};
      if (Math.max(-min, max) < SUMMABLE) return [filled, `count(d${index})`, `sum(d${index})`];
      // A value that overflows leaves the column without a mean, as it does for the whole.
      const sum = `CASE WHEN max(abs(d${index})) < ${SUMMABLE} THEN sum(d${index}) FILTER (WHERE abs(d${index}) < ${SUMMABLE}) END`;
      return [filled, `count(d${index})`, sum];
    }),
    read: (values) => ({
      filled: columns.map((_, index) => Number(values[3 * index])),
      numbers: columns.map((_, index) => Number(values[3 * index + 1])),
      sums: columns.map((_, index) => sumOf(values[3 * index + 2])),
    }),
  };
}

function sumOf(sum: Cell | undefined): number | null {
  return sum === null || sum === undefined ? null : Number(sum);
}
