// SPDX-License-Identifier: Apache-2.0
/** Groups of rows with one value of one column, for several columns in one statement. */
import type { Column } from '@sextant/observability-connectors';
import type { Dialect } from '../dialect/dialect.ts';

const SHOWN_CHARACTERS = 256;

export type ValueGroups = {
  /** Added to the columns of the inner SELECT. */
  readonly inner: readonly string[];
  /** The position of the column, and the value as text. */
  readonly key: readonly [position: string, value: string];
  readonly groupBy: string;
  /** By the column, then by the bytes of the value: the same on every engine. */
  readonly order: string;
};

export function valueGroups(columns: readonly Column[], dialect: Dialect): ValueGroups {
  const names = columns.map((_, index) => `v${index}`);
  const chosen = (then: (index: number) => string): string =>
    `CASE ${names.map((name, index) => `WHEN GROUPING(${name}) = 0 THEN ${then(index)}`).join(' ')} END`;
  return {
    inner: columns.map(
      (column, index) =>
        `left(${dialect.text(dialect.groupable(dialect.identifier(column.name), column), column)}, ${SHOWN_CHARACTERS}) AS v${index}`,
    ),
    key: [chosen(String), chosen((index) => `v${index}`)],
    order: `1, ${dialect.byteOrder(`coalesce(${chosen((index) => `v${index}`)}, ${dialect.literal('')})`)}`,
    groupBy: `GROUP BY GROUPING SETS (${names.map((name) => `(${name})`).join(', ')})`,
  };
}
