// SPDX-License-Identifier: Apache-2.0
/**
 * The same figures as by single values, for each combination of the values of a few columns: so that a change can be explained by the rows that have several values
 * at once. Two statements; what is kept is bounded in cells and in figures.
 */
import type { Column } from '@sextant/observability-connectors';
import type { Engine } from '../engine/engine.ts';
import type { MeasuredColumn } from '../plan/columns.ts';
import { type Axis, sizeOf, valueCells } from '../plan/value-cells.ts';
import { valueGroups } from '../plan/value-groups.ts';
import type { SegmentCube } from '../scan.ts';
import { figureColumns, type WholeFigures } from './segment-figures.ts';

/** Columns of a cube, values of one of them, and cells of all: the fewer, the more columns there are to keep figures of. */
const AXES_MAX = 5;
const VALUES_MAX = 20;
const CELLS_MAX = 400;
const CELLS_MIN = 64;
/** Columns whose figures are kept, and numbers of all, of some ten bytes each. */
const MEASURED_MAX = 40;
const FIGURES_MAX = 8000;
/** Of the table: reading them takes a few percent of a scan. */
const READ_CELLS_MAX = 20_000_000;

export type CubeScope = {
  readonly engine: Engine;
  /** Columns with few values, those that were used before first. */
  readonly grouped: readonly Column[];
  readonly measured: readonly MeasuredColumn[];
  readonly whole: WholeFigures;
  readonly before: SegmentCube | undefined;
};

/** Undefined where there are no two columns to combine. */
export async function measureCube({ engine, grouped, measured, whole, before }: CubeScope): Promise<SegmentCube | undefined> {
  const { dialect } = engine;
  // The text of a binary fraction is not the name of its value.
  const columns = grouped.filter((column) => !dialect.isFloating(column)).slice(0, AXES_MAX);
  if (columns.length < 2 || measured.length === 0) return undefined;
  const axes = axesOf(columns, { values: await valuesOf(engine, columns), before, cellsMax: cellsFor(measured) });
  if (axes.length < 2) return undefined;
  const cube = valueCells(axes, dialect);
  const kept = affordable(measured, { cells: cellsOf(axes), records: whole.records });
  const figures = figureColumns(kept, whole);
  const rows = await engine.query(
    `SELECT ${['cell', 'count(*)', ...figures.aggregates].join(', ')} FROM (SELECT ${cube.cell} AS cell, r.* FROM (` +
      `SELECT ${[...cube.inner, ...figures.inner].join(', ')} FROM ${engine.relation}${dialect.computedOnce}) AS r) AS c ` +
      `GROUP BY cell ORDER BY cell`,
  );
  return {
    axes: axes.map(({ column, values }) => ({ attribute: column.name, values })),
    attributes: kept.map(({ name }) => name),
    cells: rows.map(([cell, count, ...values]) => ({ at: cube.at(Number(cell)), rows: Number(count), ...figures.read(values) })),
  };
}

/** Of each column, the most frequent first. */
async function valuesOf(engine: Engine, columns: readonly Column[]): Promise<readonly (readonly (string | null)[])[]> {
  const groups = valueGroups(columns, engine.dialect);
  const rows = await engine.query(
    `SELECT ${[...groups.key, 'count(*)'].join(', ')} FROM (SELECT ${groups.inner.join(', ')} FROM ${engine.relation}) AS r ` +
      `${groups.groupBy} ORDER BY 3 DESC, ${groups.order} LIMIT ${columns.length * (VALUES_MAX + 2)}`,
  );
  return columns.map((_, index) =>
    rows.filter(([column]) => Number(column) === index).map(([, value = null]) => (value === null ? null : String(value))),
  );
}

type AxisScope = {
  /** Of each column. */
  readonly values: readonly (readonly (string | null)[])[];
  readonly before: SegmentCube | undefined;
  readonly cellsMax: number;
};

/** Values that had rows before are told apart again, so that those of which none is left are counted. */
function axesOf(columns: readonly Column[], { values, before, cellsMax }: AxisScope): readonly Axis[] {
  const axes: Axis[] = [];
  columns.forEach((column, index) => {
    const room = Math.min(VALUES_MAX, Math.floor(cellsMax / cellsOf(axes)) - 1);
    const wanted = new Set([...valuesBefore(column, before), ...(values[index] ?? [])]);
    if (room >= 2 && wanted.size >= 2) axes.push({ column, values: [...wanted].slice(0, room) });
  });
  return axes;
}

function valuesBefore({ name }: Column, before: SegmentCube | undefined): readonly (string | null)[] {
  const axis = before?.axes.findIndex(({ attribute }) => attribute === name) ?? -1;
  const used = new Set(before?.cells.map(({ at }) => at[axis]));
  return before?.axes[axis]?.values.filter((_, index) => used.has(index + 1)) ?? [];
}

function cellsOf(axes: readonly Axis[]): number {
  return axes.reduce((product, axis) => product * sizeOf(axis), 1);
}

/** The first columns whose figures may be read and kept; rows are counted in any case. */
function affordable(
  columns: readonly MeasuredColumn[],
  { cells, records }: { readonly cells: number; readonly records: number },
): readonly MeasuredColumn[] {
  const kept: MeasuredColumn[] = [];
  let figures = cells;
  for (const column of columns.slice(0, Math.min(MEASURED_MAX, Math.floor(READ_CELLS_MAX / Math.max(1, records))))) {
    figures += cells * figuresOf(column);
    if (figures > FIGURES_MAX) break;
    kept.push(column);
  }
  return kept;
}

function cellsFor(columns: readonly MeasuredColumn[]): number {
  const figures = columns.slice(0, MEASURED_MAX).reduce((sum, column) => sum + figuresOf(column), 1);
  return Math.min(CELLS_MAX, Math.max(CELLS_MIN, Math.floor(FIGURES_MAX / figures)));
}

function figuresOf({ kind }: MeasuredColumn): number {
  return kind === 'number' ? 3 : 1;
}
