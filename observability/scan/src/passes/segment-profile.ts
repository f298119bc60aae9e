// SPDX-License-Identifier: Apache-2.0
/**
 * How complete each column is and what its numbers come to, for each value of a few columns with few values: what a scan keeps for the next one, so that a
 * change can be explained by the rows that made it. A cube that has all values of a column apart has them already; one statement reads the other columns,
 * and its cost is bounded by the cells that it reads.
 */
import type { Column } from '@sextant/observability-connectors';
import { hasOthers } from '../common-cube.ts';
import type { Cell, Engine } from '../engine/engine.ts';
import type { MeasuredColumn } from '../plan/columns.ts';
import { shownText } from '../plan/shown-value.ts';
import { valueGroups } from '../plan/value-groups.ts';
import type { SegmentCube, SegmentFigures, SegmentProfile } from '../scan.ts';
import { figureColumns, type WholeFigures } from './segment-figures.ts';

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
  readonly whole: WholeFigures;
  readonly cube: SegmentCube | undefined;
};

type Group = SegmentProfile['groups'][number];

/** Undefined where there is nothing to group by. */
export async function profileSegments(scope: ProfileScope): Promise<SegmentProfile | undefined> {
  const { engine, grouped, measured, whole, cube } = scope;
  const columns = measured.slice(0, MEASURED_MAX);
  const affordable = Math.max(1, Math.floor(CELLS_MAX / Math.max(1, whole.records * columns.length)));
  const by = grouped.slice(0, Math.min(GROUPED_MAX, affordable));
  if (by.length === 0 || columns.length === 0) return undefined;
  const isKnown = ({ name }: Column): boolean => cube?.attributes.length === columns.length && hasApart(cube, name);
  const read = await readGroups({ ...scope, measured: columns, grouped: by.filter((column) => !isKnown(column)) });
  const shown = (column: Column, value: string | null): string | null => (value === null ? null : shownText(column, engine.dialect)(value));
  return {
    attributes: columns.map(({ name }) => name),
    groups: by.flatMap((column) => {
      const own =
        cube !== undefined && isKnown(column) ? groupsOf(cube, column.name) : read.filter(({ attribute }) => attribute === column.name);
      return own.map((group) => ({ ...group, value: shown(column, group.value) }));
    }),
  };
}

/** By the column, then by the bytes of the value. */
async function readGroups({ engine, grouped, measured, whole }: ProfileScope): Promise<readonly Group[]> {
  if (grouped.length === 0) return [];
  const groups = valueGroups(grouped, engine.dialect);
  const figures = figureColumns(measured, whole);
  const rows = await engine.query(
    `SELECT ${[...groups.key, 'count(*)', ...figures.aggregates].join(', ')} FROM (SELECT ${[...groups.inner, ...figures.inner].join(', ')} FROM ${engine.relation}) AS r ` +
      `${groups.groupBy} ORDER BY ${groups.order} LIMIT ${grouped.length * (PROFILE_VALUES_MAX + 2)}`,
  );
  return rows.map(([column, value = null, count, ...values]) => ({
    attribute: grouped[Number(column)]?.name ?? '',
    value: textOf(value),
    rows: Number(count),
    ...figures.read(values),
  }));
}

function textOf(value: Cell): string | null {
  return value === null ? null : String(value);
}

/** Whether the cube tells all values of a column apart. */
function hasApart(cube: SegmentCube, name: string): boolean {
  return cube.axes.some(({ attribute }) => attribute === name) && !hasOthers(cube, name);
}

/** The cells of each value of a column as one group, by the bytes of the value. */
function groupsOf(cube: SegmentCube, attribute: string): readonly Group[] {
  const place = cube.axes.findIndex((axis) => axis.attribute === attribute);
  const values = cube.axes[place]?.values ?? [];
  const cells = Map.groupBy(cube.cells, ({ at }) => values[(at[place] ?? 0) - 1] ?? null);
  const bytes = (value: string | null): Buffer => Buffer.from(value ?? '');
  return [...cells]
    .toSorted(([one], [other]) => Buffer.compare(bytes(one), bytes(other)))
    .map(([value, own]) => ({ attribute, value, ...sumOf(own) }));
}

function sumOf(cells: readonly SegmentFigures[]): SegmentFigures {
  return cells.reduce((total, cell) => ({
    rows: total.rows + cell.rows,
    filled: total.filled.map((count, index) => count + (cell.filled[index] ?? 0)),
    numbers: total.numbers.map((count, index) => count + (cell.numbers[index] ?? 0)),
    sums: total.sums.map((_, index) => sumOfBoth(total, cell, index)),
  }));
}

/** A cell without numbers adds nothing; one whose numbers have no sum leaves none. */
function sumOfBoth(one: SegmentFigures, other: SegmentFigures, index: number): number | null {
  const sums = [one, other].filter(({ numbers }) => numbers[index] !== 0).map((figures) => figures.sums[index] ?? null);
  return sums.length === 0 || sums.includes(null) ? null : sums.reduce((sum: number, value) => sum + (value ?? 0), 0);
}
