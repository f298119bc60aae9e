// SPDX-License-Identifier: Apache-2.0
/** Rows by the values that they have of several columns at once, as one whole number. */
import type { Column } from '@sextant/observability-connectors';
import type { Dialect } from '../dialect/dialect.ts';
import { valueGroups } from './value-groups.ts';

/** One side of a cube. */
export type Axis = {
  readonly column: Column;
  /** Those that are told apart, as the engine writes them; all others are one. */
  readonly values: readonly (string | null)[];
};

export type ValueCells = {
  /** Added to the columns of the inner SELECT. */
  readonly inner: readonly string[];
  /** Of a row of the inner SELECT. */
  readonly cell: string;
  /** By axis, the position of the value from 1, or 0 for the others. */
  readonly at: (cell: number) => readonly number[];
};

export function valueCells(axes: readonly Axis[], dialect: Dialect): ValueCells {
  const { inner } = valueGroups(
    axes.map(({ column }) => column),
    dialect,
  );
  const radices = axes.map(sizeOf);
  const weights = radices.map((_, axis) => radices.slice(0, axis).reduce((product, radix) => product * radix, 1));
  const terms = axes.map(({ values }, axis) => {
    const cases = values.map((value, index) => {
      const condition = value === null ? `v${axis} IS NULL` : `v${axis} = ${dialect.literal(value)}`;
      return `WHEN ${condition} THEN ${(weights[axis] ?? 1) * (index + 1)}`;
    });
    return cases.length === 0 ? '0' : `CASE ${cases.join(' ')} ELSE 0 END`;
  });
  return {
    inner,
    cell: terms.length === 0 ? '0' : terms.join(' + '),
    at: (cell) => radices.map((radix, axis) => Math.floor(cell / (weights[axis] ?? 1)) % radix),
  };
}

/** Of how many cells a cube grows by this side. */
export function sizeOf({ values }: Pick<Axis, 'values'>): number {
  return values.length + 1;
}
