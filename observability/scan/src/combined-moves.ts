// SPDX-License-Identifier: Apache-2.0
/**
 * Which rows with several values at once made a change of the number of rows, of a share of filled values or of a mean. Each cell of the cubes adds its part to
 * the change, so that the part of any combination is the sum of those of its cells.
 */
import type { MovedSegment, VolumeSegment } from '@sextant/contracts-observability';
import { type Combination, type CubeCell, type Explanation, explainedBy } from './combinations.ts';
import { type CommonCell, commonCube } from './common-cube.ts';
import type { ColumnMove, SegmentCube, VolumeMove } from './scan.ts';
import { type Measure, meanOf, sumOf } from './segment-measures.ts';

/** Share of the change that a combination has at least, and its rows: fewer are single rows and not a kind of rows. */
const SHARE_MIN = 0.5;
const ROWS_MIN = 10;
/** Parts of a change are rounded to multiples of it, so that engines that add up in another order come to the same combinations. */
const SHARE_STEP = 1e-9;

type Cubes = { readonly before: SegmentCube; readonly after: SegmentCube };

export type CombinedMove = Pick<ColumnMove, 'before' | 'after' | 'segments'> & {
  /** Whether the rows with a value changed for no more than the combinations. */
  readonly explains: (attribute: string, value: string | null) => boolean;
};

/** Undefined where the number of rows stayed, or no combination made most of the change. */
export function combinedVolume({ before, after }: Cubes): VolumeMove | undefined {
  const { axes, cells } = commonCube(before, after, undefined);
  const [old, current] = [rowsOf(cells, 'before'), rowsOf(cells, 'after')];
  const direction = Math.sign(current - old);
  if (direction === 0) return undefined;
  // Rows that are missing are missing of those before; rows that came on top are among those of now.
  const counted = cells.map((cell): CubeCell => {
    const [was, is] = [cell.before.rows, cell.after.rows];
    return { at: cell.at, size: direction < 0 ? was : is, effect: direction * (is - was) };
  });
  const attributes = axes.map((_, axis) => axis);
  const { combinations } = explainedBy(counted, { attributes, supportMin: SHARE_MIN * Math.abs(current - old), sizeMin: ROWS_MIN });
  const segments = combinations.flatMap((one): VolumeSegment[] => {
    const own = cellsOf(cells, one);
    return named(axes, one).map((name) => ({ ...name, before: rowsOf(own, 'before'), after: rowsOf(own, 'after') }));
  });
  return segments.length === 0 ? undefined : { attribute: null, measure: 'VOLUME', before: old, after: current, segments };
}

/** Of one column; undefined where it did not change, or nothing can be compared. */
export function combinedMove(attribute: string, { partOf, isNews }: Measure, { before, after }: Cubes): CombinedMove | undefined {
  const indices = { before: before.attributes.indexOf(attribute), after: after.attributes.indexOf(attribute) };
  if (indices.before === -1 || indices.after === -1) return undefined;
  const { axes, cells } = commonCube(before, after, indices);
  const parts = cells.flatMap((cell) => {
    const [was, is] = [partOf(cell.before, 0), partOf(cell.after, 0)];
    return was === undefined || is === undefined ? [] : [{ cell, was, is }];
  });
  const [old, current] = [sumOf(parts.map(({ was }) => was)), sumOf(parts.map(({ is }) => is))];
  const [M0, M1] = [meanOf(old), meanOf(current)];
  if (parts.length < cells.length || M0 === undefined || M1 === undefined || !isNews(M0, M1)) return undefined;
  const weighed = parts.map(({ cell, was, is }): CubeCell => {
    const change = (is.sum - is.weight * M0) / current.weight - (was.sum - was.weight * M0) / old.weight;
    return { at: cell.at, size: (is.weight / current.weight + was.weight / old.weight) / 2, effect: rounded(change / (M1 - M0)) };
  });
  // That the values of a column went with the rows that have them explains nothing.
  const attributes = axes.flatMap((axis, index) => (axis.attribute === attribute ? [] : [index]));
  const sizeMin = ROWS_MIN / Math.max(old.weight, current.weight);
  const found = explainedBy(weighed, { attributes, supportMin: SHARE_MIN, sizeMin });
  const segments = found.combinations.flatMap((one): MovedSegment[] => {
    const own = cellsOf(cells, one);
    const mine = parts.filter(({ cell }) => own.includes(cell));
    const figures = {
      rows_before: rowsOf(own, 'before'),
      rows_after: rowsOf(own, 'after'),
      before: meanOf(sumOf(mine.map(({ was }) => was))) ?? null,
      after: meanOf(sumOf(mine.map(({ is }) => is))) ?? null,
      share: one.effect,
    };
    return named(axes, one).map((name) => ({ ...name, ...figures }));
  });
  return { before: M0, after: M1, segments, explains: explainsValue(axes, found) };
}

function explainsValue(axes: SegmentCube['axes'], { explains }: Explanation): CombinedMove['explains'] {
  return (attribute, value) => {
    const axis = axes.findIndex((one) => one.attribute === attribute);
    const position = 1 + (axes[axis]?.values.indexOf(value) ?? -1);
    return position > 0 && explains([{ attribute: axis, position }]);
  };
}

/** A combination by its first value and the others. */
function named(axes: SegmentCube['axes'], { parts }: Combination): readonly Pick<VolumeSegment, 'attribute' | 'value' | 'also'>[] {
  const [first, ...also] = parts.flatMap(({ attribute, position }) => {
    const axis = axes[attribute];
    return axis === undefined ? [] : [{ attribute: axis.attribute, value: axis.values[position - 1] ?? null }];
  });
  return first === undefined ? [] : [{ ...first, also }];
}

function cellsOf(cells: readonly CommonCell[], { parts }: Combination): readonly CommonCell[] {
  return cells.filter(({ at }) => parts.every(({ attribute, position }) => at[attribute] === position));
}

function rowsOf(cells: readonly CommonCell[], when: 'before' | 'after'): number {
  return cells.reduce((rows, cell) => rows + cell[when].rows, 0);
}

function rounded(share: number): number {
  return Math.round(share / SHARE_STEP) * SHARE_STEP;
}
