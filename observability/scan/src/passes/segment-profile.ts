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

/** Columns that rows are grouped by, and values that one of them may have: the profile is kept as JSON, of some ten kilobytes. */
const GROUPED_MAX = 3;
export const PROFILE_VALUES_MAX = 20;
const MEASURED_MAX = 40;
/** Cells that are read beyond those of one grouping, which is a few percent of a scan. */
const CELLS_MAX = 20_000_000;
/** Squares are not taken, but sums of larger doubles may overflow. */
const SUMMABLE = '1e150';

export type ProfileScope = {
  readonly engine: Engine;
  /** Columns with few values, those that were used before first. */
  readonly grouped: readonly Column[];
  readonly measured: readonly MeasuredColumn[];
  readonly records: number;
};

/** Undefined where there is nothing to group by. */
export async function profileSegments({ engine, grouped, measured, records }: ProfileScope): Promise<SegmentProfile | undefined> {
  const columns = measured.slice(0, MEASURED_MAX);
  const affordable = Math.max(1, Math.floor(CELLS_MAX / Math.max(1, records * columns.length)));
  const by = grouped.slice(0, Math.min(GROUPED_MAX, affordable));
  if (by.length === 0 || columns.length === 0) return undefined;
  const groups = valueGroups(by, engine.dialect);
  const inner = columns.flatMap(({ value, isEmpty, kind, double }, index) => [
    `${isEmpty === null ? value : `CASE WHEN NOT (${isEmpty}) THEN ${value} END`} AS c${index}`,
    ...(kind === 'number' ? [`${double} AS d${index}`] : []),
  ]);
  const aggregates = columns.flatMap(({ kind }, index) => {
    const filled = `count(c${index})`;
    if (kind !== 'number') return [filled, 'NULL', 'NULL'];
    // A value that overflows leaves the column without a mean, as it does for the whole.
    const sum = `CASE WHEN max(abs(d${index})) < ${SUMMABLE} THEN sum(d${index}) FILTER (WHERE abs(d${index}) < ${SUMMABLE}) END`;
    return [filled, `count(d${index})`, sum];
  });
  const rows = await engine.query(
    `SELECT ${[...groups.key, 'count(*)', ...aggregates].join(', ')} FROM (SELECT ${[...groups.inner, ...inner].join(', ')} FROM ${engine.relation}) AS r ` +
      `${groups.groupBy} ORDER BY ${groups.order} LIMIT ${by.length * (PROFILE_VALUES_MAX + 2)}`,
  );
  const shownValue = (value: Cell, column: Column | undefined): string | null =>
    value === null || column === undefined ? null : shownText(column, engine.dialect)(String(value));
  return {
    attributes: columns.map(({ name }) => name),
    groups: rows.map(([column, value = null, count, ...figures]) => ({
      attribute: by[Number(column)]?.name ?? '',
      value: shownValue(value, by[Number(column)]),
      rows: Number(count),
      filled: columns.map((_, index) => Number(figures[3 * index])),
      numbers: columns.map((_, index) => Number(figures[3 * index + 1])),
      sums: columns.map((_, index) => sumOf(figures[3 * index + 2])),
    })),
  };
}

function sumOf(sum: Cell | undefined): number | null {
  return sum === null || sum === undefined ? null : Number(sum);
}
