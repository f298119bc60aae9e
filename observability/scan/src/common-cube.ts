// SPDX-License-Identifier: Apache-2.0
/** Two cubes over the values that both tell apart: what is told apart in one of them alone is among the others in both. */
import type { SegmentCube, SegmentFigures } from './scan.ts';

export type CommonCell = {
  readonly at: readonly number[];
  /** Figures of one column, or of none. */
  readonly before: SegmentFigures;
  readonly after: SegmentFigures;
};

export type CommonCube = { readonly axes: SegmentCube['axes']; readonly cells: readonly CommonCell[] };

const NOTHING: SegmentFigures = { rows: 0, filled: [0], numbers: [0], sums: [0] };

/** `column`: the place of the column in each of them; undefined for the rows alone. */
export function commonCube(
  before: SegmentCube,
  after: SegmentCube,
  column: { readonly before: number; readonly after: number } | undefined,
): CommonCube {
  const axes = after.axes.flatMap(({ attribute, values }) => {
    const old = before.axes.find((axis) => axis.attribute === attribute);
    return old === undefined ? [] : [{ attribute, values: commonValues({ before, after, attribute }, old.values, values) }];
  });
  const cells = new Map<string, CommonCell>();
  for (const [when, cube] of [['before', before] as const, ['after', after] as const]) {
    const positionsOf = positionsIn(cube, axes);
    for (const cell of cube.cells) {
      const at = positionsOf(cell.at);
      const known = cells.get(at.join()) ?? { at, before: NOTHING, after: NOTHING };
      cells.set(at.join(), { ...known, [when]: added(known[when], cell, column?.[when]) });
    }
  }
  return { axes, cells: [...cells.values()] };
}

type Sides = { readonly before: SegmentCube; readonly after: SegmentCube; readonly attribute: string };

/** A value that one of them does not know has no rows there, if it has no rows with other values. */
function commonValues(
  { before, after, attribute }: Sides,
  old: readonly (string | null)[],
  current: readonly (string | null)[],
): readonly (string | null)[] {
  const [oldIsWhole, isWhole] = [!hasOthers(before, attribute), !hasOthers(after, attribute)];
  return [...current.filter((value) => oldIsWhole || old.includes(value)), ...old.filter((value) => isWhole && !current.includes(value))];
}

/** Whether some rows have a value of the column that is not told apart. */
export function hasOthers({ axes, cells }: SegmentCube, attribute: string): boolean {
  const axis = axes.findIndex((one) => one.attribute === attribute);
  return cells.some(({ at }) => at[axis] === 0);
}

function positionsIn(cube: SegmentCube, common: SegmentCube['axes']): (at: readonly number[]) => readonly number[] {
  const places = common.map(({ attribute, values }) => {
    const axis = cube.axes.findIndex((one) => one.attribute === attribute);
    return { axis, positions: [0, ...(cube.axes[axis]?.values ?? []).map((value) => 1 + values.indexOf(value))] };
  });
  return (at) => places.map(({ axis, positions }) => positions[at[axis] ?? 0] ?? 0);
}

function added(sum: SegmentFigures, cell: SegmentFigures, column: number | undefined): SegmentFigures {
  const rows = sum.rows + cell.rows;
  if (column === undefined) return { ...sum, rows };
  const numbers = (sum.numbers[0] ?? 0) + (cell.numbers[column] ?? 0);
  return { rows, filled: [(sum.filled[0] ?? 0) + (cell.filled[column] ?? 0)], numbers: [numbers], sums: [sumOf(sum, cell, column)] };
}

/** Null where the numbers of either overflow. */
function sumOf(sum: SegmentFigures, cell: SegmentFigures, column: number): number | null {
  const [old = 0, own = null] = [sum.sums[0], cell.sums[column]];
  if (cell.numbers[column] === 0) return old;
  return old === null || own === null ? null : old + own;
}
