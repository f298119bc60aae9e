/**
 * How complete each column is and what its numbers come to, for each value of a few columns with few values: what a scan keeps for the next one, so that a
 * change can be told by the rows that made it. One statement; its cost is bounded by the cells that it reads.
 */
import type { Column } from '@sextant/observability-connectors';
import type { Cell, Engine } from '../engine/engine.ts';
import type { MeasuredColumn } from '../plan/columns.ts';
import { shownText } from '../plan/shown-value.ts';
import { valueGroups } from '../plan/value-groups.ts';
import type { SegmentProfile } from '../scan.ts';
import type { NumberRanges } from './number-ranges.ts';
import { figureColumns } from './segment-figures.ts';

/** Columns that rows are grouped by, and values that one of them may have: the profile is kept as JSON, of some ten kilobytes. */
const GROUPED_MAX = 3;
export const PROFILE_VALUES_MAX = 20;
const MEASURED_MAX = 40;
/** Cells that are read beyond those of one grouping, which is a few percent of a scan. */
const CELLS_MAX = 20_000_000;

export type ProfileScope = {
  readonly engine: Engine;
  /** Columns with few values, those that were used before first. */
  readonly grouped: readonly Column[];
  readonly measured: readonly MeasuredColumn[];
  readonly ranges: NumberRanges;
  readonly records: number;
};

/** Undefined where there is nothing to group by. */
export async function profileSegments({ engine, grouped, measured, ranges, records }: ProfileScope): Promise<SegmentProfile | undefined> {
  const columns = measured.slice(0, MEASURED_MAX);
  const affordable = Math.max(1, Math.floor(CELLS_MAX / Math.max(1, records * columns.length)));
  const by = grouped.slice(0, Math.min(GROUPED_MAX, affordable));
  if (by.length === 0 || columns.length === 0) return undefined;
  const groups = valueGroups(by, engine.dialect);
  const figures = figureColumns(columns, ranges);
  const rows = await engine.query(
    `SELECT ${[...groups.key, 'count(*)', ...figures.aggregates].join(', ')} FROM (SELECT ${[...groups.inner, ...figures.inner].join(', ')} FROM ${engine.relation}) AS r ` +
      `${groups.groupBy} ORDER BY ${groups.order} LIMIT ${by.length * (PROFILE_VALUES_MAX + 2)}`,
  );
  const shownValue = (value: Cell, column: Column | undefined): string | null =>
    value === null || column === undefined ? null : shownText(column, engine.dialect)(String(value));
  return {
    attributes: columns.map(({ name }) => name),
    groups: rows.map(([column, value = null, count, ...values]) => ({
      attribute: by[Number(column)]?.name ?? '',
      value: shownValue(value, by[Number(column)]),
      rows: Number(count),
      ...figures.read(values),
    })),
  };
}
